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

// A Healed is a Heal that gave a unit health, by a healer that gets threat for it.
type Healed struct {
	By, To ecs.Entity
	Health uint32
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

// A MaxVitals has the maxima of a unit's health and power, to which both are cut. System stats emits it, and system
// vitals takes it.
type MaxVitals struct {
	Entity ecs.Entity
	Health uint32
	Max    uint32 // of its only power,
	Power  uint8  // which is this one
	Fill   bool   // the unit is new: it has all of its health, and its mana or energy
}

// A SetHealth asks for a health of a living unit, from 1 to its maximum. System vitals takes it.
type SetHealth struct {
	Entity ecs.Entity
	Health uint32
}

// A Restore asks for full health of a living unit, and full mana and energy. System vitals takes it.
type Restore struct{ Entity ecs.Entity }

// A BecomeGhost makes a dead player a ghost with a health, or 0. System vitals takes it.
type BecomeGhost struct {
	Entity ecs.Entity
	Health uint32
}

// A Resurrected is a dead player that lives again, with at least 1 health. System vitals takes it.
type Resurrected struct {
	Entity       ecs.Entity
	Health, Mana uint32
}
