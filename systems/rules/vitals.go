package rules

import "muster/ecs"

// A ReportKind is the packet by which clients learn of healing or of a change of power.
type ReportKind uint8

// The kinds of reports.
const (
	SpellReport    ReportKind = iota // SMSG_SPELLHEALLOG or SMSG_SPELLENERGIZELOG
	PeriodicReport                   // SMSG_PERIODICAURALOG
	NoReport
)

// A Heal asks for health for a living unit. System vitals takes it.
type Heal struct {
	By, To   ecs.Entity
	Caster   uint64 // GUID of By, also of one that is gone
	Spell    uint32
	Amount   uint32
	Kind     ReportKind
	Critical bool
	Quiet    bool // causes no threat
}

// A Healed is a Heal that has reached a living unit.
type Healed struct {
	Heal
	Health uint32 // that it lacked, of Amount
}

// A PowerChange asks for a change of a unit's power, cut to 0 and its maximum. System vitals takes it.
type PowerChange struct {
	To     ecs.Entity
	Caster uint64 // GUID
	Spell  uint32
	Delta  int32
	Power  uint8
	Kind   ReportKind
	Cost   bool // of a spell: spending mana interrupts its recovery
}

// A MaxVitals has the maxima of a unit's health and power, to which both are cut. System stateffects emits it, and system
// vitals takes it.
type MaxVitals struct {
	Entity ecs.Entity
	Health uint32
	Max    uint32 // of its only power,
	Power  uint8  // which is this one
	Fill   bool   // the unit is new: it has all of its health, and its mana or energy
}

// A SetVitals asks for a unit's health and power to be what its kind says. System vitals takes it.
type SetVitals struct {
	Entity       ecs.Entity
	Kind         VitalsKind
	Health, Mana uint32
}

// A VitalsKind is what a SetVitals does.
type VitalsKind uint8

// The kinds of SetVitals.
const (
	SetHealth       VitalsKind = iota // Health of a living unit, from 1 to its maximum
	Restore                           // full health of a living unit, and full mana and energy
	BecomeGhost                       // a dead player is a ghost with Health, or 0
	Resurrected                       // a dead player lives again, with at least 1 health, and Mana
	SetLeastHealth                    // damage leaves a creature at least Health
	SetRegeneration                   // whether time gives it health: Health is 1 or 0
)
