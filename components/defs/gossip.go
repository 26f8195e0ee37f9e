package defs

// A GossipMenu is what creatures have to say, and what players can choose of.
type GossipMenu struct {
	ID      uint32
	Text    uint32         // of an NPCText; DefaultText without one
	Options []GossipOption // by ascending ID, each once
	Texts   []GossipText   // if some depend on conditions: of those that hold the last is shown instead of Text; at most 31
}

// A GossipText is one of several texts of a menu.
type GossipText struct {
	Text       uint32 // of an NPCText
	Conditions uint32 // one more than an index into World.Conditions; 0 none
}

// DefaultText is the NPCText of creatures that have none. Clients are told that it is "Greetings $N".
//
// Source: DEFAULT_GOSSIP_MESSAGE, GossipDef.h, AzerothCore.
const DefaultText = 0xFFFFFF

// Conditional reports whether what the menu shows depends on conditions.
func (m *GossipMenu) Conditional() bool {
	for i := range m.Options {
		if m.Options[i].Conditions != 0 {
			return true
		}
	}
	return len(m.Texts) > 0
}

// A GossipOption is one option of a GossipMenu.
type GossipOption struct {
	ID       uint32
	Icon     uint8
	Text     string
	BoxText  string // the client asks this first; "" nothing
	NPCFlags uint32 // creatures have it that have one of these flags
	Opens    GossipWindow
	Menu     uint32 // another GossipMenu that opens; 0 none
	Point    uint32 // a PointOfInterest that is shown; 0 none
	Close    bool   // the window is closed

	Conditions uint32 // one more than an index into World.Conditions, of the player and the creature; 0 none
}

// A GossipWindow is what a GossipOption opens besides a menu.
type GossipWindow uint8

// The windows.
const (
	GossipNothing GossipWindow = iota
	GossipVendor
	GossipTrainer
)

// An NPCText is what a creature says: a client chooses one of its texts.
type NPCText struct {
	ID      uint32
	Choices [8]NPCTextChoice
}

// An NPCTextChoice is one text of an NPCText.
type NPCTextChoice struct {
	Probability  float32 // compared with those of the other choices
	Male, Female string  // as the creature is
	Language     uint32
	Emotes       [3]NPCTextEmote
}

// An NPCTextEmote is what a creature does while it says something.
type NPCTextEmote struct{ DelayMs, Emote uint32 }

// A PointOfInterest is a mark on the map of a client.
type PointOfInterest struct {
	ID    uint32
	X, Y  float32
	Icon  uint32
	Flags uint32
	Data  uint32
	Name  string
}

// GossipMenu is the menu of an ID, or nil if there is none. It aliases the World. The cost is logarithmic in the number of
// menus.
func (w *World) GossipMenu(id uint32) *GossipMenu {
	i, ok := find(len(w.GossipMenus), id, func(i int) uint32 { return w.GossipMenus[i].ID })
	if !ok {
		return nil
	}
	return &w.GossipMenus[i]
}

// NPCText is the text of an ID, or nil if there is none. It aliases the World. The cost is logarithmic in the number of
// texts.
func (w *World) NPCText(id uint32) *NPCText {
	i, ok := find(len(w.NPCTexts), id, func(i int) uint32 { return w.NPCTexts[i].ID })
	if !ok {
		return nil
	}
	return &w.NPCTexts[i]
}

// PointOfInterest is the mark of an ID, or nil if there is none. It aliases the World. The cost is logarithmic in the number
// of marks.
func (w *World) PointOfInterest(id uint32) *PointOfInterest {
	i, ok := find(len(w.PointsOfInterest), id, func(i int) uint32 { return w.PointsOfInterest[i].ID })
	if !ok {
		return nil
	}
	return &w.PointsOfInterest[i]
}
