package msg

import "muster/net/protocol/wire"

// NameQuery asks for the name of a player. NameQueryResponse answers it.
type NameQuery struct{ GUID uint64 }

// Wire walks the body.
func (m *NameQuery) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// NameQueryResponse is the name, race, gender and class of a player.
//
// Source: WorldSession::SendNameQueryOpcode, AzerothCore; WorldSession::SendNameQueryResponse, vmangos.
type NameQueryResponse struct {
	GUID    uint64
	Unknown bool // nothing follows; not in 5875
	Name    string
	Realm   string // "" for this one
	Race    uint8
	Gender  uint8
	Class   uint8

	HasDeclined bool      // not in 5875
	Declined    [5]string // the name in the cases of Russian, with HasDeclined
}

// Wire walks the body.
func (m *NameQueryResponse) Wire(c *wire.Codec) {
	if c.Version < wire.V12340 {
		wire.U64(c, &m.GUID)
		wire.CString(c, &m.Name, maxName)
		wire.CString(c, &m.Realm, 255)
		wide(c, &m.Race)
		wide(c, &m.Gender)
		wide(c, &m.Class)
		return
	}
	wire.PackedGUID(c, &m.GUID)
	if wire.Bool(c, &m.Unknown); m.Unknown {
		return
	}
	wire.CString(c, &m.Name, maxName)
	wire.CString(c, &m.Realm, 255)
	wire.U8(c, &m.Race)
	wire.U8(c, &m.Gender)
	wire.U8(c, &m.Class)
	if wire.Bool(c, &m.HasDeclined); m.HasDeclined {
		for i := range m.Declined {
			wire.CString(c, &m.Declined[i], maxName)
		}
	}
}

// wide walks a byte in four.
func wide(c *wire.Codec, v *uint8) {
	w := uint32(*v)
	if wire.U32(c, &w); w > 0xFF {
		c.Fail(wire.ErrValue)
		return
	}
	*v = uint8(w)
}

// EntryQuery asks what a creature or a game object is, by its template; GUID is one of that kind.
// CreatureQueryResponse or GameObjectQueryResponse answers it.
type EntryQuery struct {
	Entry uint32
	GUID  uint64
}

// Wire walks the body.
func (m *EntryQuery) Wire(c *wire.Codec) {
	wire.U32(c, &m.Entry)
	wire.U64(c, &m.GUID)
}

// unknownEntry marks the entry in an answer without other fields.
const unknownEntry = 1 << 31

// wireEntry walks an entry with its mark, and reports whether more follows.
func wireEntry(c *wire.Codec, entry *uint32, unknown *bool) bool {
	e := *entry
	if *unknown {
		e |= unknownEntry
	}
	wire.U32(c, &e)
	*entry, *unknown = e&^unknownEntry, e&unknownEntry != 0
	return !*unknown
}

// CreatureQueryResponse is a creature template. Entries are below 2^31.
//
// Source: WorldSession::HandleCreatureQueryOpcode, AzerothCore.
type CreatureQueryResponse struct {
	Entry      uint32
	Unknown    bool // nothing follows
	Name       string
	NoNames    [3]uint8 // three more names, all empty
	SubName    string
	Icon       string
	TypeFlags  uint32
	Type       uint32
	Family     uint32
	Rank       uint32
	KillCredit [2]uint32
	Display    [4]uint32
	HealthMod  float32
	ManaMod    float32
	Leader     bool // of a race
	QuestItems [6]uint32
	Movement   uint32
}

// Wire walks the body.
func (m *CreatureQueryResponse) Wire(c *wire.Codec) {
	if !wireEntry(c, &m.Entry, &m.Unknown) {
		return
	}
	wire.CString(c, &m.Name, 255)
	wire.Fixed(c, m.NoNames[:])
	wire.CString(c, &m.SubName, 255)
	wire.CString(c, &m.Icon, 255)
	wire.U32(c, &m.TypeFlags)
	wire.U32(c, &m.Type)
	wire.U32(c, &m.Family)
	wire.U32(c, &m.Rank)
	words(c, m.KillCredit[:])
	words(c, m.Display[:])
	wire.F32(c, &m.HealthMod)
	wire.F32(c, &m.ManaMod)
	wire.Bool(c, &m.Leader)
	words(c, m.QuestItems[:])
	wire.U32(c, &m.Movement)
}

// GameObjectQueryResponse is a game object template. Entries are below 2^31.
//
// Source: WorldSession::HandleGameObjectQueryOpcode, AzerothCore.
type GameObjectQueryResponse struct {
	Entry      uint32
	Unknown    bool // nothing follows
	Type       uint32
	Display    uint32
	Name       string
	NoNames    [3]uint8 // three more names, all empty
	Icon       string
	Caption    string // of the bar while it is used
	Extra      string
	Data       [24]uint32 // by Type
	Size       float32
	QuestItems [6]uint32
}

// Wire walks the body.
func (m *GameObjectQueryResponse) Wire(c *wire.Codec) {
	if !wireEntry(c, &m.Entry, &m.Unknown) {
		return
	}
	wire.U32(c, &m.Type)
	wire.U32(c, &m.Display)
	wire.CString(c, &m.Name, 255)
	wire.Fixed(c, m.NoNames[:])
	wire.CString(c, &m.Icon, 255)
	wire.CString(c, &m.Caption, 255)
	wire.CString(c, &m.Extra, 255)
	words(c, m.Data[:])
	wire.F32(c, &m.Size)
	words(c, m.QuestItems[:])
}

func words(c *wire.Codec, w []uint32) {
	for i := range w {
		wire.U32(c, &w[i])
	}
}

// QueryTimeResponse is the time, and how long until daily quests begin anew.
//
// Source: WorldSession::SendTimeQueryResponse, AzerothCore.
type QueryTimeResponse struct {
	Now          uint32 // Unix time
	ResetSeconds uint32
}

// Wire walks the body.
func (m *QueryTimeResponse) Wire(c *wire.Codec) {
	wire.U32(c, &m.Now)
	wire.U32(c, &m.ResetSeconds)
}

// InvalidatePlayer makes a client drop the cached name of a player, so that it asks again.
//
// Source: CharacterCache::UpdateCharacterData and WorldSession::HandleCharRenameCallBack, AzerothCore.
type InvalidatePlayer struct{ GUID uint64 }

// Wire walks the body.
func (m *InvalidatePlayer) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }
