package msg

import "muster/net/protocol/wire"

// maxHits bounds the targets that a spell hits, and those that it misses: the wire counts them in a byte.
const maxHits = 255

// A MissReason is why a spell has no effect on a target.
//
// Source: SpellMissInfo, SharedDefines.h, AzerothCore.
type MissReason uint8

// The reasons.
const (
	MissNone    MissReason = 0
	MissMiss    MissReason = 1
	MissResist  MissReason = 2
	MissDodge   MissReason = 3
	MissParry   MissReason = 4
	MissBlock   MissReason = 5
	MissEvade   MissReason = 6
	MissImmune  MissReason = 7
	MissImmune2 MissReason = 8
	MissDeflect MissReason = 9
	MissAbsorb  MissReason = 10
	MissReflect MissReason = 11 // has a second reason: what became of it at the caster
)

// A SpellMiss is a target that a spell misses.
type SpellMiss struct {
	Target  uint64
	Reason  MissReason
	Reflect MissReason // with MissReflect
}

func wireMiss(c *wire.Codec, m *SpellMiss) {
	wire.U64(c, &m.Target)
	if wire.U8(c, &m.Reason); m.Reason == MissReflect {
		wire.U8(c, &m.Reflect)
	}
}

// Runes is what a cast does to the runes of its caster, one bit each: those in Before and not in After are
// spent, and only their Cooldowns are on the wire.
type Runes struct {
	Before, After uint8
	Cooldowns     [6]uint8 // 0 ready, 255 just spent
}

func (r *Runes) wire(c *wire.Codec) {
	wire.U8(c, &r.Before)
	wire.U8(c, &r.After)
	for i := range r.Cooldowns {
		if r.Before&^r.After>>i&1 != 0 {
			wire.U8(c, &r.Cooldowns[i])
		}
	}
}

// A Trajectory is how the missile of a spell flies.
type Trajectory struct {
	Elevation float32 // radians
	DelayMs   uint32  // until it arrives
}

// SpellGo reports that a cast is done, with its targets. Writing it does not allocate.
//
// Source: Spell::SendSpellGo and Spell::WriteSpellGoTargets, AzerothCore.
type SpellGo struct {
	Source     uint64 // the item that casts, else Caster
	Caster     uint64
	Count      uint8
	Spell      uint32
	Flags      CastFlags
	TimeMs     uint32 // on the server's clock
	Hits       []uint64
	Misses     []SpellMiss
	Targets    Targets
	Power      uint32     // what the caster has left; with CastPower
	Runes      Runes      // with CastRunes
	Trajectory Trajectory // with CastTrajectory
	Ammo       Ammo       // with CastAmmo
	Chain      [2]uint32  // with CastChain
	Dest       uint8      // 0; with TargetDest
}

// Wire walks the body.
func (m *SpellGo) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Source)
	wire.PackedGUID(c, &m.Caster)
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Flags)
	wire.U32(c, &m.TimeMs)
	wire.Slice[uint8](c, &m.Hits, maxHits, wire.U64)
	wire.Slice[uint8](c, &m.Misses, maxHits, wireMiss)
	m.Targets.Wire(c)
	if m.Flags&CastPower != 0 {
		wire.U32(c, &m.Power)
	}
	if m.Flags&CastRunes != 0 {
		m.Runes.wire(c)
	}
	if m.Flags&CastTrajectory != 0 {
		wire.F32(c, &m.Trajectory.Elevation)
		wire.U32(c, &m.Trajectory.DelayMs)
	}
	if m.Flags&CastAmmo != 0 {
		m.Ammo.wire(c)
	}
	if m.Flags&CastChain != 0 {
		words(c, m.Chain[:])
	}
	if m.Targets.Mask&TargetDest != 0 {
		wire.U8(c, &m.Dest)
	}
}
