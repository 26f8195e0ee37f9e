package vitals

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// regenPeriod is the interval of regeneration.
//
// Source: CREATURE_REGEN_INTERVAL, Creature.h, and Player::RegenerateAll, AzerothCore (2 s).
const regenPeriod = 2 * time.Second

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

// scheduleRegen starts a unit's regeneration, due for the first time in two seconds. Scheduling again changes nothing.
// It is called whenever health or power has changed; a unit that lacks nothing is on no timer.
func (s *System) scheduleRegen(e ecs.Entity) {
	if state := s.vitalsStates.Get(e); state.Regenerating == 0 {
		state.Regenerating = 1
		s.regens.Add(s.regenTick, e)
	}
}

// regenerateDue regenerates the units whose two seconds are over, and schedules those that still lack something.
func (s *System) regenerateDue(t sched.Tick) {
	for _, e := range s.regens.Take(t.N) {
		if !s.entities.Alive(e) {
			continue
		}
		s.vitalsStates.Get(e).Regenerating = 0
		if s.Alive(e) {
			s.regenerate(t, e)
			if s.lacks(e) {
				s.scheduleRegen(e)
			}
		}
	}
}

// regenerate regenerates a unit for two seconds: health out of combat, mana and energy. Rage and runic power decay out
// of combat.
func (s *System) regenerate(t sched.Tick, e ecs.Entity) {
	p, v, state := s.stats.Get(e), s.vitals.Get(e), s.vitalsStates.Get(e)
	fights := s.units.Get(e).Flags&components.UnitInCombat != 0
	if !fights {
		s.setHealth(e, min(v.Health+gain(p.HealthRegen*s.sittingBonus(e)), v.MaxHealth))
	}
	if v.MaxPower[components.PowerMana] > 0 && (t.NowMs-state.ManaSpentMs >= spentMs || state.ManaSpentMs == 0) {
		s.energize(e, components.PowerMana, int32(gain(p.PowerRegen)))
	}
	if v.MaxPower[components.PowerEnergy] > 0 {
		s.energize(e, components.PowerEnergy, energyGain)
	}
	if !fights {
		s.energize(e, components.PowerRage, -rageLoss)
		s.energize(e, components.PowerRunic, -runicLoss)
	}
}

// gain returns the gain of two seconds for one per second.
func gain(perSecond float32) uint32 {
	return uint32(float32(max(perSecond, 0)*float32(regenPeriod/time.Second)) + 0.5)
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
