package msg

import "muster/net/protocol/wire"

// GossipHello asks what a creature has to say. GossipMessage answers it.
//
// Source: WorldSession::HandleGossipHelloOpcode, AzerothCore.
type GossipHello struct{ GUID uint64 }

// Wire walks the body.
func (m *GossipHello) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// GossipSelect chooses an option of a GossipMessage.
//
// Source: WorldSession::HandleGossipSelectOptionOpcode, AzerothCore.
type GossipSelect struct {
	GUID   uint64
	Menu   uint32
	Option uint32
	Code   string // what the player has typed, of an option that is Coded; "" is not sent
}

// MaxGossipCode bounds the bytes of a GossipSelect's Code.
const MaxGossipCode = 255

// Wire walks the body.
func (m *GossipSelect) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Menu)
	wire.U32(c, &m.Option)
	if c.Reading() && c.Rest() > 0 || m.Code != "" {
		wire.CString(c, &m.Code, MaxGossipCode)
	}
}

// Bounds of a GossipMessage: its options, its quests, and the bytes of each text.
//
// Source: GOSSIP_MAX_MENU_ITEMS, GossipDef.h, AzerothCore; smsg_gossip_message.wowm, wow_messages.
const (
	MaxGossipOptions = 32
	MaxGossipQuests  = 32
	MaxGossipText    = 2048
)

// GossipMessage is what a creature has to say, and what a player can choose of.
//
// Source: PlayerMenu::SendGossipMenu, AzerothCore.
type GossipMessage struct {
	GUID    uint64
	Menu    uint32
	Text    uint32 // for NPCTextQuery
	Options []GossipOption
	Quests  []GossipQuest
}

// A GossipOption is one option of a GossipMessage.
type GossipOption struct {
	ID      uint32 // for GossipSelect
	Icon    uint8
	Coded   bool   // the client asks for a Code
	Copper  uint32 // what it costs
	Text    string
	BoxText string // the client asks this first
}

// A GossipQuest is one quest of a GossipMessage.
type GossipQuest struct {
	ID         uint32
	Icon       uint32
	Level      int32
	Flags      uint32
	Repeatable bool
	Title      string
}

// Wire walks the body.
func (m *GossipMessage) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Menu)
	wire.U32(c, &m.Text)
	wire.Slice[uint32](c, &m.Options, MaxGossipOptions, wireGossipOption)
	wire.Slice[uint32](c, &m.Quests, MaxGossipQuests, wireGossipQuest)
}

func wireGossipOption(c *wire.Codec, o *GossipOption) {
	wire.U32(c, &o.ID)
	wire.U8(c, &o.Icon)
	wire.Bool(c, &o.Coded)
	wire.U32(c, &o.Copper)
	wire.CString(c, &o.Text, MaxGossipText)
	wire.CString(c, &o.BoxText, MaxGossipText)
}

func wireGossipQuest(c *wire.Codec, q *GossipQuest) {
	wire.U32(c, &q.ID)
	wire.U32(c, &q.Icon)
	wire.I32(c, &q.Level)
	wire.U32(c, &q.Flags)
	wire.Bool(c, &q.Repeatable)
	wire.CString(c, &q.Title, MaxGossipText)
}

// NPCTextQuery asks for the text of a GossipMessage. NPCText answers it.
//
// Source: WorldSession::HandleNpcTextQueryOpcode, AzerothCore.
type NPCTextQuery struct {
	Text uint32
	GUID uint64
}

// Wire walks the body.
func (m *NPCTextQuery) Wire(c *wire.Codec) {
	wire.U32(c, &m.Text)
	wire.U64(c, &m.GUID)
}

// MaxNPCText bounds the bytes of each text of an NPCText: all of them stay below the largest packet of 32,767 bytes.
const MaxNPCText = 1980

// NPCText is what a creature says; the client chooses one of eight texts.
//
// Source: WorldSession::HandleNpcTextQueryOpcode, AzerothCore.
type NPCText struct {
	Text    uint32
	Choices [8]NPCTextChoice
}

// An NPCTextChoice is one text of an NPCText.
type NPCTextChoice struct {
	Probability  float32
	Male, Female string // as the creature is
	Language     uint32
	Emotes       [3]NPCTextEmote
}

// An NPCTextEmote is what a creature does while it says something.
type NPCTextEmote struct {
	DelayMs uint32
	Emote   uint32
}

// Wire walks the body.
func (m *NPCText) Wire(c *wire.Codec) {
	wire.U32(c, &m.Text)
	for i := range m.Choices {
		t := &m.Choices[i]
		wire.F32(c, &t.Probability)
		wire.CString(c, &t.Male, MaxNPCText)
		wire.CString(c, &t.Female, MaxNPCText)
		wire.U32(c, &t.Language)
		for k := range t.Emotes {
			wire.U32(c, &t.Emotes[k].DelayMs)
			wire.U32(c, &t.Emotes[k].Emote)
		}
	}
}

// PointOfInterest is a mark on the map that a creature has told of.
//
// Source: PlayerMenu::SendPointOfInterest, AzerothCore.
type PointOfInterest struct {
	Flags uint32
	X, Y  float32
	Icon  uint32
	Data  uint32
	Name  string
}

// MaxPointName bounds the bytes of a PointOfInterest's name.
const MaxPointName = 255

// Wire walks the body.
func (m *PointOfInterest) Wire(c *wire.Codec) {
	wire.U32(c, &m.Flags)
	wire.F32(c, &m.X)
	wire.F32(c, &m.Y)
	wire.U32(c, &m.Icon)
	wire.U32(c, &m.Data)
	wire.CString(c, &m.Name, MaxPointName)
}
