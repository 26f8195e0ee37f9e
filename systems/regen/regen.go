// Package regen is what units gain and lose by and by: health out of combat, mana, energy, and the rage of those
// who have nobody to be angry with. Only those who lack something are looked at.
package regen

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// System restores and decays power and health of the units whose two seconds are over.
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
			s.rest(t, e)
			if s.lacks(e) {
				s.book.ScheduleRegen(e)
			}
		}
	}
}

// What two seconds bring of powers that depend on nothing.
//
// Source: Player::Regenerate, AzerothCore: 20 energy; 2 rage and 3 runic power go out of combat, in tenths.
const (
	energyGain = 20
	rageLoss   = 20
	runicLoss  = 30
)

// spentMs is how long paying with mana keeps it from coming back.
//
// Source: Player::RegenerateAll and UNIT_FIELD_POWER_REGEN_INTERRUPTED_FLAT_MODIFIER, AzerothCore (five seconds;
// without talents nothing comes back meanwhile).
const spentMs = 5000

// rest is what two seconds do to a unit.
func (s *System) rest(t sched.Tick, e ecs.Entity) {
	p, v, bout := s.book.CombatStats(e), s.vitals.Get(e), s.combats.Get(e)
	fights := s.book.InCombat(e)
	if !fights {
		s.book.Heal(e, gain(p.HealthRegen*s.ease(e)))
	}
	if v.MaxPower[components.PowerMana] > 0 && (t.NowMs-bout.ManaSpentMs >= spentMs || bout.ManaSpentMs == 0) {
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

// gain is what a gain a second comes to.
func gain(perSecond float32) uint32 {
	return uint32(float32(max(perSecond, 0)*float32(rules.RegenPeriod/time.Second)) + 0.5)
}

// ease is how much faster those recover who sit.
//
// Source: Player::RegenerateHealth, AzerothCore (a third more).
func (s *System) ease(e ecs.Entity) float32 {
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
