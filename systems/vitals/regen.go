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

// Regeneration computes what units that lack something gain in each two seconds. It stands before system vitals,
// which gives it to them.
type Regeneration struct {
	entities ecs.Entities
	lacks    ecs.Requests[needsRegen]
	regens   ecs.Emit[regen]

	vitals       ecs.Read[components.Vitals]
	vitalsStates ecs.Read[components.VitalsState]
	units        ecs.Read[components.Unit]
	stances      ecs.Read[components.Stance]
	stats        ecs.ReadRef[components.CombatStats]

	due sched.Wheel[ecs.Entity]
}

// A needsRegen is a unit that begins to regenerate, for the first time in tick Due.
type needsRegen struct {
	ecs.Entity
	Due uint64
}

// A regen is what a unit gains or loses by regeneration in two seconds, cut to its maxima by system vitals.
type regen struct {
	ecs.Entity
	Health uint32
	Power  [7]int32
}

// Run regenerates the units whose two seconds are over.
func (s *Regeneration) Run(t sched.Tick) {
	for _, it := range s.lacks.Take() {
		s.due.Add(it.Due, it.Entity)
	}
	for _, e := range s.due.Take(t.N) {
		if s.entities.Exists(e) {
			r := s.regens.Next()
			r.Entity = e
			s.regenerate(t, r)
		}
	}
}

// regenerate regenerates a unit for two seconds: health out of combat, mana and energy. Rage and runic power decay out
// of combat.
func (s *Regeneration) regenerate(t sched.Tick, r *regen) {
	e := r.Entity
	p, v, state := s.stats.Get(e), s.vitals.Get(e), s.vitalsStates.Get(e)
	if v.MaxPower[components.PowerMana] > 0 && (t.NowMs-state.ManaSpentMs >= spentMs || state.ManaSpentMs == 0) {
		r.Power[components.PowerMana] = int32(gain(p.PowerRegen))
	}
	if v.MaxPower[components.PowerEnergy] > 0 {
		r.Power[components.PowerEnergy] = energyGain
	}
	if s.units.Get(e).Flags&components.UnitInCombat == 0 {
		if state.Unhealing == 0 {
			r.Health = gain(p.HealthRegen * s.sittingBonus(e))
		}
		r.Power[components.PowerRage], r.Power[components.PowerRunic] = -rageLoss, -runicLoss
	}
}

// gain returns the gain of two seconds for one per second.
func gain(perSecond float32) uint32 {
	return uint32(float32(max(perSecond, 0)*float32(regenPeriod/time.Second)) + 0.5)
}

// sittingBonus returns the factor on health regeneration of a sitting unit.
//
// Source: Player::RegenerateHealth, AzerothCore (a third more).
func (s *Regeneration) sittingBonus(e ecs.Entity) float32 {
	switch s.stances.Get(e).Bytes1[components.ByteStand] {
	case components.Standing, components.LyingDead, components.Submerged:
		return 1
	}
	return 1.33
}

// lacks reports whether a unit has something to gain or lose.
func lacks(v *components.Vitals) bool {
	return v.Health < v.MaxHealth || v.Power[components.PowerMana] < v.MaxPower[components.PowerMana] ||
		v.Power[components.PowerEnergy] < v.MaxPower[components.PowerEnergy] ||
		v.Power[components.PowerRage] > 0 || v.Power[components.PowerRunic] > 0
}
