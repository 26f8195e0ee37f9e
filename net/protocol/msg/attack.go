package msg

import "muster/net/protocol/wire"

// AttackSwing asks to attack a unit in melee, until CMSG_ATTACKSTOP. Some clients repeat it several
// times a second.
//
// Source: WorldSession::HandleAttackSwingOpcode, AzerothCore.
type AttackSwing struct{ GUID uint64 }

// Wire walks the body.
func (m *AttackSwing) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// SetSheathed is which weapons the player shows.
//
// Source: WorldSession::HandleSetSheathedOpcode, AzerothCore (0 none, 1 melee, 2 ranged; others are ignored).
type SetSheathed struct{ Sheath uint32 }

// Wire walks the body.
func (m *SetSheathed) Wire(c *wire.Codec) { wire.U32(c, &m.Sheath) }

// AttackStart reports that one unit has begun to attack another.
//
// Source: Unit::SendMeleeAttackStart, AzerothCore.
type AttackStart struct{ Attacker, Victim uint64 }

// Wire walks the body.
func (m *AttackStart) Wire(c *wire.Codec) {
	wire.U64(c, &m.Attacker)
	wire.U64(c, &m.Victim)
}

// AttackStopped reports that a unit attacks no longer. The request of a player for it, CMSG_ATTACKSTOP,
// is Empty.
//
// Source: Unit::SendMeleeAttackStop, AzerothCore.
type AttackStopped struct {
	Attacker   uint64
	Victim     uint64 // 0 if there is none any more
	VictimDead uint32 // 0 or 1
}

// Wire walks the body.
func (m *AttackStopped) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Attacker)
	wire.PackedGUID(c, &m.Victim)
	wire.U32(c, &m.VictimDead)
}

// HitInfo is the outcome of a melee hit. Flags that add fields to an AttackerState are noted.
//
// Source: HitInfo, Unit.h, AzerothCore; protocol.md 4.7.
type HitInfo uint32

// The parts of a HitInfo.
const (
	HitAffectsVictim HitInfo = 0x2
	HitOffHand       HitInfo = 0x4
	HitMiss          HitInfo = 0x10
	HitFullAbsorb    HitInfo = 0x20  // adds Absorbed
	HitPartialAbsorb HitInfo = 0x40  // adds Absorbed
	HitFullResist    HitInfo = 0x80  // adds Resisted
	HitPartialResist HitInfo = 0x100 // adds Resisted
	HitCritical      HitInfo = 0x200
	HitBlock         HitInfo = 0x2000 // adds Blocked
	HitGlancing      HitInfo = 0x10000
	HitCrushing      HitInfo = 0x20000
	HitNoAnimation   HitInfo = 0x40000
	HitRageGain      HitInfo = 0x800000 // adds Rage

	hitAbsorb = HitFullAbsorb | HitPartialAbsorb
	hitResist = HitFullResist | HitPartialResist
	hitDebug  = HitInfo(0x1) // adds figures for developers, which muster neither has nor reads
)

// A VictimState is how the victim of a melee hit reacts.
//
// Source: VictimState, Unit.h, AzerothCore.
type VictimState uint8

// The victim states.
const (
	VictimIntact    VictimState = 0 // the hit has missed
	VictimHit       VictimState = 1
	VictimDodge     VictimState = 2
	VictimParry     VictimState = 3
	VictimInterrupt VictimState = 4
	VictimBlocks    VictimState = 5
	VictimEvades    VictimState = 6
	VictimImmune    VictimState = 7
	VictimDeflects  VictimState = 8
)

// AttackerState is one melee hit. Writing it does not allocate.
//
// Source: Unit::SendAttackStateUpdate, AzerothCore; protocol.md 6.4 for the parts per damage and for Rage.
type AttackerState struct {
	HitInfo     HitInfo
	Attacker    uint64
	Victim      uint64
	Damage      uint32 // the sum of Subs, after what is absorbed, resisted and blocked
	Overkill    uint32 // how much of it was more than the victim had
	Count       uint8  // of Subs
	Subs        [2]SubDamage
	VictimState VictimState
	Unused      uint32 // 0
	Spell       uint32 // of the hit, 0 for a plain one
	Blocked     uint32 // with HitBlock
	Rage        uint32 // with HitRageGain
}

// A SubDamage is the damage of one hit in one set of schools.
type SubDamage struct {
	School   uint32 // a mask
	Damage   uint32 // the wire has it as a float too, which is written from this and not read
	Absorbed uint32 // with HitFullAbsorb or HitPartialAbsorb
	Resisted uint32 // with HitFullResist or HitPartialResist
}

// Wire walks the body.
func (m *AttackerState) Wire(c *wire.Codec) {
	wire.U32(c, &m.HitInfo)
	wire.PackedGUID(c, &m.Attacker)
	wire.PackedGUID(c, &m.Victim)
	wire.U32(c, &m.Damage)
	wire.U32(c, &m.Overkill)
	wire.U8(c, &m.Count)
	if m.HitInfo&hitDebug != 0 {
		c.Fail(wire.ErrValue)
	}
	if int(m.Count) > len(m.Subs) {
		c.Fail(wire.ErrLimit)
	}
	if c.Err() != nil {
		return
	}
	subs := m.Subs[:m.Count]
	for i := range subs {
		s := &subs[i]
		wire.U32(c, &s.School)
		f := float32(s.Damage)
		wire.F32(c, &f)
		wire.U32(c, &s.Damage)
	}
	if m.HitInfo&hitAbsorb != 0 {
		for i := range subs {
			wire.U32(c, &subs[i].Absorbed)
		}
	}
	if m.HitInfo&hitResist != 0 {
		for i := range subs {
			wire.U32(c, &subs[i].Resisted)
		}
	}
	wire.U8(c, &m.VictimState)
	wire.U32(c, &m.Unused)
	wire.U32(c, &m.Spell)
	if m.HitInfo&HitBlock != 0 {
		wire.U32(c, &m.Blocked)
	}
	if m.HitInfo&HitRageGain != 0 {
		wire.U32(c, &m.Rage)
	}
}

// AIAggro is the reaction of a creature that has just begun to fight: it growls.
//
// Source: AiReaction, UnitDefines.h, AzerothCore.
const AIAggro = 2

// AIReaction shows a reaction of a creature.
//
// Source: Creature::SendAIReaction, AzerothCore.
type AIReaction struct {
	GUID     uint64
	Reaction uint32 // AIAggro
}

// Wire walks the body.
func (m *AIReaction) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Reaction)
}
