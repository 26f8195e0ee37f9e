// Package regen is regeneration: health out of combat, mana and energy, and the decay of rage and runic power out of
// combat. Only units that lack something are looked at.
package regen

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// System regenerates power and health of the units whose two seconds are over.
type System struct {
	book    rules.Book
	vitals  ecs.View[components.Vitals]
	combats ecs.View[components.CombatState]
	stances ecs.Read[components.Stance]
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	for _, e := range s.book.RegenDue(t) {
		if s.book.Alive(e) {
			s.regenerate(t, e)
			if s.lacks(e) {
				s.book.ScheduleRegen(e)
			}
		}
	}
}

// Changes of power in two seconds that depend on nothing.
//
// Source: Player::Regenerate, AzerothCore: 20 energy; 2 rage and 3 runic power go out of combat, in tenths.
const (
	energyGain = 20
	rageLoss   = 20
	runicLoss  = 30
)

// spentMs is how long spending mana interrupts its recovery.
//
// Source: Player::RegenerateAll and UNIT_FIELD_POWER_REGEN_INTERRUPTED_FLAT_MODIFIER, AzerothCore (five seconds;
// without talents nothing comes back meanwhile).
const spentMs = 5000

// regenerate regenerates a unit for two seconds.
func (s *System) regenerate(t sched.Tick, e ecs.Entity) {
	p, v, combat := s.book.CombatStats(e), s.vitals.Get(e), s.combats.Get(e)
	fights := s.book.InCombat(e)
	if !fights {
		s.book.Heal(e, gain(p.HealthRegen*s.sittingBonus(e)))
	}
	if v.MaxPower[components.PowerMana] > 0 && (t.NowMs-combat.ManaSpentMs >= spentMs || combat.ManaSpentMs == 0) {
		s.book.Energize(e, components.PowerMana, int32(gain(p.PowerRegen)))
	}
	if v.MaxPower[components.PowerEnergy] > 0 {
		s.book.Energize(e, components.PowerEnergy, energyGain)
	}
	if !fights {
		s.book.Energize(e, components.PowerRage, -rageLoss)
		s.book.Energize(e, components.PowerRunic, -runicLoss)
	}
}

// gain returns the gain of two seconds for one per second.
func gain(perSecond float32) uint32 {
	return uint32(float32(max(perSecond, 0)*float32(rules.RegenPeriod/time.Second)) + 0.5)
}

// sittingBonus returns the factor on health regeneration of a sitting unit.
//
// Source: Player::RegenerateHealth, AzerothCore (a third more).
func (s *System) sittingBonus(e ecs.Entity) float32 {
	switch s.stances.Get(e).Bytes1[components.ByteStand] {
	case components.Standing, components.LyingDead, components.Submerged:
		return 1
	}
	return 1.33
}

// lacks reports whether a unit has something to gain or lose.
func (s *System) lacks(e ecs.Entity) bool {
	v := s.vitals.Get(e)
	return v.Health < v.MaxHealth || v.Power[components.PowerMana] < v.MaxPower[components.PowerMana] ||
		v.Power[components.PowerEnergy] < v.MaxPower[components.PowerEnergy] ||
		v.Power[components.PowerRage] > 0 || v.Power[components.PowerRunic] > 0
}
