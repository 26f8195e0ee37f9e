package msg

import "muster/net/protocol/wire"

// ItemQuerySingle asks what an item is. ItemQueryResponse answers it.
//
// Source: WorldSession::HandleItemQuerySingleOpcode, AzerothCore.
type ItemQuerySingle struct{ Entry uint32 }

// Wire walks the body.
func (m *ItemQuerySingle) Wire(c *wire.Codec) { wire.U32(c, &m.Entry) }

// ItemNameQuery asks for no more than the name of an item. ItemNameQueryResponse answers it.
//
// Source: WorldSession::HandleItemNameQueryOpcode, AzerothCore.
type ItemNameQuery struct {
	Entry uint32
	GUID  uint64
}

// Wire walks the body.
func (m *ItemNameQuery) Wire(c *wire.Codec) {
	wire.U32(c, &m.Entry)
	wire.U64(c, &m.GUID)
}

// ItemNameQueryResponse is the name of an item, and where it is worn.
//
// Source: WorldSession::HandleItemNameQueryOpcode, AzerothCore.
type ItemNameQueryResponse struct {
	Entry         uint32
	Name          string
	InventoryType uint32
}

// Wire walks the body.
func (m *ItemNameQueryResponse) Wire(c *wire.Codec) {
	wire.U32(c, &m.Entry)
	wire.CString(c, &m.Name, 255)
	wire.U32(c, &m.InventoryType)
}

// maxStats bounds the stats of an item.
//
// Source: MAX_ITEM_PROTO_STATS, ItemTemplate.h, AzerothCore.
const maxStats = 10

// maxDescription bounds the text of an item, in bytes.
const maxDescription = 1024

// ItemQueryResponse is an item template. Entries are below 2^31.
//
// Source: WorldSession::HandleItemQuerySingleOpcode, AzerothCore.
type ItemQueryResponse struct {
	Entry          uint32
	Unknown        bool // nothing follows
	Class          uint32
	Subclass       uint32
	Sound          int32 // the subclass that it sounds like, -1 for its own
	Name           string
	NoNames        [3]uint8 // three more names, all empty
	Display        uint32
	Quality        uint32
	Flags          uint32
	Flags2         uint32
	BuyPrice       uint32 // copper
	SellPrice      uint32 // copper
	InventoryType  uint32
	Classes        uint32 // a mask
	Races          uint32 // a mask
	Level          uint32
	RequiredLevel  uint32
	RequiredSkill  uint32
	RequiredRank   uint32 // of the skill
	RequiredSpell  uint32
	RequiredHonor  uint32
	RequiredCity   uint32
	Faction        uint32
	Reputation     uint32 // with it
	MaxCount       int32
	Stackable      int32
	ContainerSlots uint32
	Stats          []ItemStat
	Scaling        [2]uint32 // distribution and value
	Damage         [2]ItemDamage
	Resistances    [7]uint32 // armour first
	DelayMs        uint32
	AmmoType       uint32
	Range          float32
	Spells         [5]ItemSpell
	Bonding        uint32
	Description    string
	PageText       uint32
	Language       uint32
	PageMaterial   uint32
	StartQuest     uint32
	Lock           uint32
	Material       int32
	Sheath         uint32
	Property       uint32 // random
	Suffix         uint32 // random
	Block          uint32
	Set            uint32
	Durability     uint32
	Area           uint32
	Map            uint32
	BagFamily      uint32
	TotemCategory  uint32
	Sockets        [3]ItemSocket
	SocketBonus    uint32
	Gem            uint32
	Disenchant     uint32 // the skill that it needs
	ArmorModifier  float32
	Duration       uint32 // seconds
	LimitCategory  uint32
	Holiday        uint32
}

// An ItemStat is what an item does for one stat.
type ItemStat struct {
	Type  uint32
	Value int32
}

// An ItemDamage is the damage of a weapon in one school.
type ItemDamage struct {
	Min, Max float32
	School   uint32
}

// An ItemSpell is a spell in an item.
type ItemSpell struct {
	Spell      uint32
	Trigger    uint32
	Charges    int32
	CooldownMs int32 // -1 for that of the spell
	Category   uint32
	CategoryMs int32 // -1 for that of the spell
}

// An ItemSocket is a place for a gem.
type ItemSocket struct {
	Color   uint32
	Content uint32
}

// Wire walks the body.
func (m *ItemQueryResponse) Wire(c *wire.Codec) {
	if !wireEntry(c, &m.Entry, &m.Unknown) {
		return
	}
	m.wireKind(c)
	m.wireNeeds(c)
	wire.Slice[uint32](c, &m.Stats, maxStats, wireItemStat)
	words(c, m.Scaling[:])
	for i := range m.Damage {
		wire.F32(c, &m.Damage[i].Min)
		wire.F32(c, &m.Damage[i].Max)
		wire.U32(c, &m.Damage[i].School)
	}
	words(c, m.Resistances[:])
	wire.U32(c, &m.DelayMs)
	wire.U32(c, &m.AmmoType)
	wire.F32(c, &m.Range)
	for i := range m.Spells {
		m.Spells[i].wire(c)
	}
	m.wireRest(c)
}

func (m *ItemQueryResponse) wireKind(c *wire.Codec) {
	wire.U32(c, &m.Class)
	wire.U32(c, &m.Subclass)
	wire.I32(c, &m.Sound)
	wire.CString(c, &m.Name, 255)
	wire.Fixed(c, m.NoNames[:])
	wire.U32(c, &m.Display)
	wire.U32(c, &m.Quality)
	wire.U32(c, &m.Flags)
	wire.U32(c, &m.Flags2)
	wire.U32(c, &m.BuyPrice)
	wire.U32(c, &m.SellPrice)
	wire.U32(c, &m.InventoryType)
}

func (m *ItemQueryResponse) wireNeeds(c *wire.Codec) {
	wire.U32(c, &m.Classes)
	wire.U32(c, &m.Races)
	wire.U32(c, &m.Level)
	wire.U32(c, &m.RequiredLevel)
	wire.U32(c, &m.RequiredSkill)
	wire.U32(c, &m.RequiredRank)
	wire.U32(c, &m.RequiredSpell)
	wire.U32(c, &m.RequiredHonor)
	wire.U32(c, &m.RequiredCity)
	wire.U32(c, &m.Faction)
	wire.U32(c, &m.Reputation)
	wire.I32(c, &m.MaxCount)
	wire.I32(c, &m.Stackable)
	wire.U32(c, &m.ContainerSlots)
}

func (m *ItemQueryResponse) wireRest(c *wire.Codec) {
	wire.U32(c, &m.Bonding)
	wire.CString(c, &m.Description, maxDescription)
	wire.U32(c, &m.PageText)
	wire.U32(c, &m.Language)
	wire.U32(c, &m.PageMaterial)
	wire.U32(c, &m.StartQuest)
	wire.U32(c, &m.Lock)
	wire.I32(c, &m.Material)
	wire.U32(c, &m.Sheath)
	wire.U32(c, &m.Property)
	wire.U32(c, &m.Suffix)
	wire.U32(c, &m.Block)
	wire.U32(c, &m.Set)
	wire.U32(c, &m.Durability)
	wire.U32(c, &m.Area)
	wire.U32(c, &m.Map)
	wire.U32(c, &m.BagFamily)
	wire.U32(c, &m.TotemCategory)
	for i := range m.Sockets {
		wire.U32(c, &m.Sockets[i].Color)
		wire.U32(c, &m.Sockets[i].Content)
	}
	wire.U32(c, &m.SocketBonus)
	wire.U32(c, &m.Gem)
	wire.U32(c, &m.Disenchant)
	wire.F32(c, &m.ArmorModifier)
	wire.U32(c, &m.Duration)
	wire.U32(c, &m.LimitCategory)
	wire.U32(c, &m.Holiday)
}

func wireItemStat(c *wire.Codec, s *ItemStat) {
	wire.U32(c, &s.Type)
	wire.I32(c, &s.Value)
}

func (s *ItemSpell) wire(c *wire.Codec) {
	wire.U32(c, &s.Spell)
	wire.U32(c, &s.Trigger)
	wire.I32(c, &s.Charges)
	wire.I32(c, &s.CooldownMs)
	wire.U32(c, &s.Category)
	wire.I32(c, &s.CategoryMs)
}
