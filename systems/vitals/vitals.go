// Package vitals keeps the health and power of units: it is the only writer of both, and of when they were last
// damaged and last paid with mana. Other systems emit what is to be done (rules.Damage, Heal, PowerChange and others),
// and react to what has happened (rules.DamageDealt, Healed, Death).
package vitals

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System changes health and power, reports the changes to clients, and regenerates.
type System struct {
	rules.Living
	immunity rules.AuraSums

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	slab     ecs.ResMut[ecs.Slab[components.Auras]]
	out      change.Out
	dirty    change.Dirty

	damages     ecs.Requests[rules.Damage]
	heals       ecs.Requests[rules.Heal]
	powers      ecs.Requests[rules.PowerChange]
	kills       ecs.Requests[rules.Kill]
	maxima      ecs.Requests[rules.MaxVitals]
	restores    ecs.Requests[rules.Restore]
	settings    ecs.Requests[rules.SetHealth]
	ghosts      ecs.Requests[rules.BecomeGhost]
	resurrected ecs.Requests[rules.Resurrected]

	gone         ecs.EventReader[rules.Gone]
	damageDealt  ecs.Emit[rules.DamageDealt]
	healed       ecs.Emit[rules.Healed]
	deaths       ecs.Emit[rules.Death]
	vitalsStates ecs.Write[components.VitalsState]
	threatStates ecs.Read[components.ThreatState]
	auraStates   ecs.Read[components.AuraState]
	cheats       ecs.Read[components.Cheats]
	vitals       ecs.Write[components.Vitals]
	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	stances      ecs.Read[components.Stance]
	stats        ecs.View[components.CombatStats]

	regens    sched.Wheel[ecs.Entity]
	regenTick uint64 // in which regeneration is due that begins now

	packets packets `image:"-"` // rewritten for each message
}

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	attack      msg.AttackerState
	spell       msg.SpellDamageLog
	miss        msg.SpellLogMiss
	immune      msg.SpellOrDamageImmune
	periodic    msg.PeriodicAuraLog
	environment msg.EnvironmentalDamageLog
	heal        msg.SpellHealLog
	energize    msg.SpellEnergizeLog
}

// Run regenerates the units whose time has come.
func (s *System) Run(t sched.Tick) {
	s.regenTick = t.After(regenPeriod)
	s.regenerateDue(t)
}

// React does what other systems have asked for, each kind in the order in which it was asked for: first what makes
// units what they are, then damage, healing and power.
func (s *System) React(t sched.Tick) {
	s.regenTick = t.After(regenPeriod) - 1 // this tick's regeneration is over: the tick counts
	for _, g := range s.gone.Next() {
		if s.entities.Alive(g.Entity) {
			s.vitalsStates.Get(g.Entity).Gone = 1
		}
	}
	for _, m := range s.maxima.Take() {
		s.setMaxima(&m)
	}
	for _, g := range s.ghosts.Take() {
		s.haunt(&g)
	}
	for _, r := range s.resurrected.Take() {
		s.resurrect(&r)
	}
	for _, r := range s.restores.Take() {
		s.restore(r.Entity)
	}
	for _, h := range s.settings.Take() {
		if s.Alive(h.Entity) {
			s.setHealth(h.Entity, min(max(h.Health, 1), s.vitals.Get(h.Entity).MaxHealth))
		}
	}
	damages := s.damages.Take()
	for i := range damages {
		s.damage(t, &damages[i])
	}
	heals := s.heals.Take()
	for i := range heals {
		s.heal(&heals[i])
	}
	powers := s.powers.Take()
	for i := range powers {
		s.changePower(t, &powers[i])
	}
	for _, k := range s.kills.Take() {
		if s.Alive(k.Entity) {
			s.kill(t, k.Entity, k.By, 0)
		}
	}
}
