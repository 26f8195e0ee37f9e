package msg

import "muster/net/protocol/wire"

// A SpellHit is the outcome of the damage of a spell.
//
// Source: SpellHitType, Unit.h, AzerothCore.
type SpellHit uint32

// SpellHitCritical is the part of a SpellHit that a client shows.
const SpellHitCritical SpellHit = 0x2

// SpellDamageLog is damage that a spell has done at once.
//
// Source: Unit::SendSpellNonMeleeDamageLog, AzerothCore.
type SpellDamageLog struct {
	Target   uint64
	Attacker uint64
	Spell    uint32
	Damage   uint32
	Overkill uint32
	School   uint8 // a mask
	Absorbed uint32
	Resisted uint32
	Physical bool // log it like a melee hit
	Unused   uint8
	Blocked  uint32
	HitInfo  SpellHit
	Debug    uint8 // 0
}

// Wire walks the body.
func (m *SpellDamageLog) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Target)
	wire.PackedGUID(c, &m.Attacker)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Damage)
	wire.U32(c, &m.Overkill)
	wire.U8(c, &m.School)
	wire.U32(c, &m.Absorbed)
	wire.U32(c, &m.Resisted)
	wire.Bool(c, &m.Physical)
	wire.U8(c, &m.Unused)
	wire.U32(c, &m.Blocked)
	wire.U32(c, &m.HitInfo)
	wire.U8(c, &m.Debug)
}

// SpellHealLog is health that a spell has given at once.
//
// Source: Unit::SendHealSpellLog, AzerothCore.
type SpellHealLog struct {
	Target   uint64
	Caster   uint64
	Spell    uint32
	Heal     uint32
	Overheal uint32
	Absorbed uint32
	Critical bool
	Debug    uint8 // 0
}

// Wire walks the body.
func (m *SpellHealLog) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Target)
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Heal)
	wire.U32(c, &m.Overheal)
	wire.U32(c, &m.Absorbed)
	wire.Bool(c, &m.Critical)
	wire.U8(c, &m.Debug)
}

// SpellEnergizeLog is power that a spell has given at once.
//
// Source: Unit::SendEnergizeSpellLog, AzerothCore.
type SpellEnergizeLog struct {
	Target uint64
	Caster uint64
	Spell  uint32
	Power  uint32 // its kind
	Amount uint32
}

// Wire walks the body.
func (m *SpellEnergizeLog) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Target)
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.Spell)
	wire.U32(c, &m.Power)
	wire.U32(c, &m.Amount)
}

// SpellLogMiss is a spell that has done nothing to some.
//
// Source: Unit::SendSpellMiss, AzerothCore.
type SpellLogMiss struct {
	Spell  uint32
	Caster uint64
	Unused uint8 // 0
	Misses []LogMiss
}

// A LogMiss is a target that a spell has missed.
type LogMiss struct {
	Target uint64
	Reason MissReason
}

// Wire walks the body.
func (m *SpellLogMiss) Wire(c *wire.Codec) {
	wire.U32(c, &m.Spell)
	wire.U64(c, &m.Caster)
	wire.U8(c, &m.Unused)
	wire.Slice[uint32](c, &m.Misses, maxHits, wireLogMiss)
}

func wireLogMiss(c *wire.Codec, m *LogMiss) {
	wire.U64(c, &m.Target)
	wire.U8(c, &m.Reason)
}

// SpellOrDamageImmune is damage of a spell without effect on an immune target: of a periodic aura, or of a damage
// shield. Casts report that with a MissReason.
//
// Source: AuraEffect::SendTickImmune and Unit::SendSpellDamageImmune, AzerothCore.
type SpellOrDamageImmune struct {
	Caster   uint64
	Target   uint64
	Spell    uint32
	Periodic bool
}

// Wire walks the body.
func (m *SpellOrDamageImmune) Wire(c *wire.Codec) {
	wire.U64(c, &m.Caster)
	wire.U64(c, &m.Target)
	wire.U32(c, &m.Spell)
	wire.Bool(c, &m.Periodic)
}

// An AuraType is what an effect of an aura does.
//
// Source: AuraType, SpellAuraDefines.h, AzerothCore.
type AuraType uint32

// The types that a PeriodicAuraLog can have.
const (
	PeriodicDamage        AuraType = 3
	PeriodicHeal          AuraType = 8
	PeriodicHealthPercent AuraType = 20
	PeriodicPowerPercent  AuraType = 21
	PeriodicEnergize      AuraType = 24
	PeriodicManaLeech     AuraType = 64
	PeriodicDamagePercent AuraType = 89
)

// PeriodicAuraLog is what one tick of an aura has done.
//
// Source: Unit::SendPeriodicAuraLog, AzerothCore.
type PeriodicAuraLog struct {
	Target uint64
	Caster uint64
	Spell  uint32
	Ticks  []PeriodicTick // one
}

// A PeriodicTick is what an effect has done. Which fields there are depends on Type.
type PeriodicTick struct {
	Type     AuraType
	Power    uint32 // its kind; with the types of power
	Amount   uint32
	Over     uint32  // more than there was to take or to give; with the types of damage and of health
	School   uint32  // a mask; with the types of damage
	Absorbed uint32  // with the types of damage and of health
	Resisted uint32  // with the types of damage
	Critical bool    // with the types of damage and of health
	Gain     float32 // how much of it the caster gets; with PeriodicManaLeech
}

// maxTicks bounds the ticks of a PeriodicAuraLog.
const maxTicks = 8

// Wire walks the body.
func (m *PeriodicAuraLog) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Target)
	wire.PackedGUID(c, &m.Caster)
	wire.U32(c, &m.Spell)
	wire.Slice[uint32](c, &m.Ticks, maxTicks, wireTick)
}

func wireTick(c *wire.Codec, t *PeriodicTick) {
	wire.U32(c, &t.Type)
	switch t.Type {
	case PeriodicDamage, PeriodicDamagePercent:
		wire.U32(c, &t.Amount)
		wire.U32(c, &t.Over)
		wire.U32(c, &t.School)
		wire.U32(c, &t.Absorbed)
		wire.U32(c, &t.Resisted)
		wire.Bool(c, &t.Critical)
	case PeriodicHeal, PeriodicHealthPercent:
		wire.U32(c, &t.Amount)
		wire.U32(c, &t.Over)
		wire.U32(c, &t.Absorbed)
		wire.Bool(c, &t.Critical)
	case PeriodicPowerPercent, PeriodicEnergize:
		wire.U32(c, &t.Power)
		wire.U32(c, &t.Amount)
	case PeriodicManaLeech:
		wire.U32(c, &t.Power)
		wire.U32(c, &t.Amount)
		wire.F32(c, &t.Gain)
	default:
		c.Fail(wire.ErrValue)
	}
}

// An EnvironmentalDamage is a cause of damage without an attacker.
//
// Source: EnviromentalDamage, Player.h, AzerothCore.
type EnvironmentalDamage uint8

// The kinds.
const (
	DamageExhausted EnvironmentalDamage = 0
	DamageDrowning  EnvironmentalDamage = 1
	DamageFall      EnvironmentalDamage = 2
	DamageLava      EnvironmentalDamage = 3
	DamageSlime     EnvironmentalDamage = 4
	DamageFire      EnvironmentalDamage = 5
)

// EnvironmentalDamageLog is damage without an attacker.
//
// Source: Player::EnvironmentalDamage, AzerothCore.
type EnvironmentalDamageLog struct {
	GUID     uint64
	Kind     EnvironmentalDamage
	Damage   uint32
	Absorbed uint32
	Resisted uint32
}

// Wire walks the body.
func (m *EnvironmentalDamageLog) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U8(c, &m.Kind)
	wire.U32(c, &m.Damage)
	wire.U32(c, &m.Absorbed)
	wire.U32(c, &m.Resisted)
}

// PowerUpdate is how much of a power a unit has.
//
// Source: Unit::SetPower, AzerothCore.
type PowerUpdate struct {
	Unit  uint64
	Power uint8 // its kind
	Value uint32
}

// Wire walks the body.
func (m *PowerUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.U8(c, &m.Power)
	wire.U32(c, &m.Value)
}

// HealthUpdate is how much health a unit has.
//
// Source: protocol.md 6.4.
type HealthUpdate struct {
	Unit   uint64
	Health uint32
}

// Wire walks the body.
func (m *HealthUpdate) Wire(c *wire.Codec) {
	wire.PackedGUID(c, &m.Unit)
	wire.U32(c, &m.Health)
}
