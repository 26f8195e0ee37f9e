// Package vitals keeps the health and power of units. System vitals is the only writer of both (components.Vitals), in its
// method write, and of what goes with them (components.VitalsState): when a unit was last damaged and last spent mana, whether it
// is a ghost or Gone from the world, what health damage leaves it (LeastHealth), and whether time gives it none (Unhealing).
// That no other system writes them is proved by TestComponentsHaveOneWriter of package systems. What spawns a unit gives it what it begins with. Other systems emit
// what is to be done (rules.Damage, Heal, PowerChange and others), and react to what has happened (rules.DamageDealt, Healed, Death).
//
// Around it stand what comes before and after: Mitigation computes what of a damage reaches a unit, Regeneration what
// time gives it; CombatLog reports it to clients, HitGains asks for the rage and the health that damage gives.
package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Vitals changes health and power.
type Vitals struct {
	rules.Living

	entities ecs.Entities
	dirty    change.Dirty

	regens   ecs.Requests[regen]
	maxima   ecs.Requests[rules.MaxVitals]
	settings ecs.Requests[rules.SetVitals]
	damages  ecs.Requests[mitigatedDamage]
	heals    ecs.Requests[rules.Heal]
	powers   ecs.EventReader[rules.PowerChange] // CombatLog reads them, too
	kills    ecs.Requests[rules.Kill]
	gone     ecs.EventReader[rules.Gone]

	lacks       ecs.Emit[needsRegen]
	damageDealt ecs.Emit[rules.DamageDealt]
	healed      ecs.Emit[rules.Healed]
	deaths      ecs.Emit[rules.Death]
	absorbed    ecs.Emit[rules.DamageAbsorbed]

	vitals       ecs.Write[components.Vitals]
	vitalsStates ecs.Write[components.VitalsState]

	regenTick uint64 // the tick in which a unit regenerates first if it begins to lack something now
}

// Run gives units what time gives them.
func (s *Vitals) Run(t sched.Tick) {
	s.regenTick = t.After(regenPeriod)
	regens := s.regens.Take()
	for i := range regens {
		s.regain(&regens[i])
	}
}

// React does what other systems have asked for, each kind in the order in which it was asked for: first what makes
// units what they are, then damage, healing and power.
func (s *Vitals) React(t sched.Tick) {
	s.regenTick = t.After(regenPeriod) - 1 // Run has passed: the first period counts from this tick
	for _, g := range s.gone.Next() {
		if s.entities.Exists(g.Entity) {
			s.vitalsStates.Get(g.Entity).Gone = 1
		}
	}
	for _, m := range s.maxima.Take() {
		s.setMaxima(&m)
	}
	settings := s.settings.Take()
	for _, last := range [...]bool{false, true} { // resurrections last, so that a unit resurrected in this round does not stay a ghost
		for i := range settings {
			if r := &settings[i]; (r.Kind == rules.Resurrected) == last {
				s.set(r)
			}
		}
	}
	damages := s.damages.Take()
	for i := range damages {
		s.applyDamage(t, &damages[i])
	}
	heals := s.heals.Take()
	for i := range heals {
		s.heal(&heals[i])
	}
	powers := s.powers.Next()
	for i := range powers {
		s.changePower(t, &powers[i])
	}
	for _, k := range s.kills.Take() {
		if s.Alive(k.Entity) {
			s.kill(t, k.Entity, k.By, 0)
		}
	}
}

// regain gives a unit what time has given it, and schedules its regeneration anew if it still lacks something.
func (s *Vitals) regain(r *regen) {
	e := r.Entity
	s.vitalsStates.Get(e).Regenerating = 0
	if !s.Alive(e) {
		return
	}
	v := *s.vitals.Get(e)
	v.Health = min(v.Health+r.Health, v.MaxHealth)
	for power, delta := range r.Power {
		energize(&v, power, delta)
	}
	s.write(e, v)
	if lacks(&v) {
		s.scheduleRegen(e)
	}
}

// scheduleRegen starts a unit's regeneration, due for the first time in two seconds. Scheduling again changes nothing. It is
// called when health or power of a unit that lives has changed (write), and when a unit comes into the world or back to life. A
// unit that lacks nothing when its regeneration is due leaves the timer.
func (s *Vitals) scheduleRegen(e ecs.Entity) {
	if state := s.vitalsStates.Get(e); state.Regenerating == 0 {
		state.Regenerating = 1
		s.lacks.Emit(needsRegen{e, s.regenTick})
	}
}
