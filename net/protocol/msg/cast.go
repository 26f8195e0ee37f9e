package msg

import "muster/net/protocol/wire"

// CastSpell asks to cast a spell.
//
// Source: WorldSession::HandleCastSpellOpcode, AzerothCore.
type CastSpell struct {
	Count   uint8 // of casts of this client; answers have it again
	Spell   uint32
	Flags   uint8 // CastHasMissile
	Targets Targets
	Missile Missile // with CastHasMissile
}

// CastHasMissile is the flag of a CastSpell or UseItem that has a Missile.
//
// Source: WorldSession::HandleClientCastFlags, AzerothCore.
const CastHasMissile = 0x2

// Wire walks the body.
func (m *CastSpell) Wire(c *wire.Codec) {
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U8(c, &m.Flags)
	m.Targets.Wire(c)
	if m.Flags&CastHasMissile != 0 {
		m.Missile.wire(c)
	}
}

// A Missile is how a client throws something at a place.
//
// Source: WorldSession::HandleClientCastFlags, AzerothCore.
type Missile struct {
	Elevation float32 // radians
	Speed     float32 // yards per second
	Moved     bool    // the rest is there
	Op        uint32  // of the message with which the mover would have reported its position
	Move      Move
}

func (m *Missile) wire(c *wire.Codec) {
	wire.F32(c, &m.Elevation)
	wire.F32(c, &m.Speed)
	if wire.Bool(c, &m.Moved); m.Moved {
		wire.U32(c, &m.Op)
		m.Move.Wire(c)
	}
}

// CancelCast asks to stop the cast of a spell.
//
// Source: WorldSession::HandleCancelCastOpcode, AzerothCore.
type CancelCast struct {
	Count uint8
	Spell uint32
}

// Wire walks the body.
func (m *CancelCast) Wire(c *wire.Codec) {
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
}

// CancelAura asks to be rid of the auras of a spell.
//
// Source: WorldSession::HandleCancelAuraOpcode, AzerothCore.
type CancelAura struct{ Spell uint32 }

// Wire walks the body.
func (m *CancelAura) Wire(c *wire.Codec) { wire.U32(c, &m.Spell) }

// CancelChannelling asks to stop a channelled spell.
//
// Source: WorldSession::HandleCancelChanneling, AzerothCore.
type CancelChannelling struct{ Spell uint32 }

// Wire walks the body.
func (m *CancelChannelling) Wire(c *wire.Codec) { wire.U32(c, &m.Spell) }

// CastFlags is which parts a SpellStart or SpellGo has, and how to show it.
//
// Source: SpellCastFlags, Spell.h, AzerothCore; the parts: protocol.md 4.7.
type CastFlags uint32

// The cast flags with a meaning for muster.
const (
	CastPending    CastFlags = 0x1      // the server's doing, as by an aura
	CastBegun      CastFlags = 0x2      // of every SpellStart
	CastAmmo       CastFlags = 0x20     // has Ammo
	CastDone       CastFlags = 0x100    // of every SpellGo
	CastPower      CastFlags = 0x800    // has Power
	CastTrajectory CastFlags = 0x20000  // has Trajectory, in a SpellGo
	CastChain      CastFlags = 0x80000  // has Chain, in a SpellGo
	CastRunes      CastFlags = 0x200000 // has Runes, in a SpellGo
	CastExtra      CastFlags = 0x400000 // has Extra, in a SpellStart
)

// An Ammo is what a ranged weapon shoots.
type Ammo struct {
	Display uint32
	Type    uint32 // an inventory type
}

func (a *Ammo) wire(c *wire.Codec) {
	wire.U32(c, &a.Display)
	wire.U32(c, &a.Type)
}

// SpellStart reports that a unit has begun to cast. Writing it does not allocate.
//
// Source: Spell::SendSpellStart, AzerothCore.
type SpellStart struct {
	Source  uint64 // the item that casts, else Caster
	Caster  uint64
	Count   uint8
	Spell   uint32
	Flags   CastFlags
	CastMs  uint32
	Targets Targets
	Power   uint32    // what the caster has left; with CastPower
	Ammo    Ammo      // with CastAmmo
	Extra   [2]uint32 // with CastExtra
}

// Wire walks the body.
func (m *SpellStart) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Source)
	wire.PackedGUID(c, &m.Caster)
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Flags)
	wire.U32(c, &m.CastMs)
	m.Targets.Wire(c)
	if m.Flags&CastPower != 0 {
		wire.U32(c, &m.Power)
	}
	if m.Flags&CastAmmo != 0 {
		m.Ammo.wire(c)
	}
	if m.Flags&CastExtra != 0 {
		words(c, m.Extra[:])
	}
}

// SpellDelayed reports that a cast with a cast time takes longer.
//
// Source: Spell::Delayed, AzerothCore.
type SpellDelayed struct {
	Caster  uint64
	DelayMs uint32
}

// Wire walks the body.
func (m *SpellDelayed) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.DelayMs)
}

// ChannelStart reports that a unit has begun to channel a spell.
//
// Source: Spell::SendChannelStart, AzerothCore.
type ChannelStart struct {
	Caster     uint64
	Spell      uint32
	DurationMs uint32
}

// Wire walks the body.
func (m *ChannelStart) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.DurationMs)
}

// ChannelUpdate is how long the spell of a ChannelStart lasts from now; 0 ends it.
//
// Source: Spell::SendChannelUpdate, AzerothCore.
type ChannelUpdate struct {
	Caster uint64
	LeftMs uint32
}

// Wire walks the body.
func (m *ChannelUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.LeftMs)
}

// PlaySpellVisual shows the visual of a cast, without a cast.
//
// Source: Unit::SendPlaySpellVisual, AzerothCore.
type PlaySpellVisual struct {
	GUID uint64
	Kit  uint32
}

// Wire walks the body.
func (m *PlaySpellVisual) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Kit)
}
