// Package combat is melee and ranged attacks of units. Players and creatures attack
// alike: a request of a client (AttackRequests) begins it for the one, the systems of package ai for the other. Attacks starts and
// stops attacks, Swings times them, and WeaponHits rolls what a swing does, and emits a rules.Damage for it.
package combat

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Attacks starts and stops attacks, for players and creatures. It alone writes what a unit attacks.
type Attacks struct {
	rules.Units

	entities ecs.Entities
	out      change.Out

	orders    ecs.Events[order]
	teleports ecs.EventReader[move.Teleported]
	starts    ecs.Requests[rules.Attack]
	stops     ecs.Requests[rules.StopAttack]

	begun    ecs.Emit[attackBegun]
	victims  ecs.Emit[rules.VictimChanged]
	standUps ecs.Emit[rules.StandUp]
	targets  ecs.Emit[rules.SetTarget]

	objects ecs.Read[components.Object]
	units   ecs.Read[components.Unit]
	vitals  ecs.Read[components.Vitals]
	attacks ecs.Write[components.Attack]

	dead    sched.Counter `name:"combat.dead"`
	missing sched.Counter `name:"combat.no_target"`

	packets packets `snapshot:"-"` // rewritten for each message
}

// An attackBegun is a unit that begins to attack a victim.
type attackBegun struct{ entity ecs.Entity }

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	start   msg.AttackStart
	stop    msg.AttackStopped
	nothing msg.Empty
}

// OnEvents does what clients have asked for.
func (s *Attacks) OnEvents(sched.Tick) {
	for i, orders := 0, s.orders.All(); i < len(orders); i++ {
		s.execute(&orders[i])
	}
}

// React starts and stops attacks for other systems.
func (s *Attacks) React(sched.Tick) {
	for _, it := range s.teleports.Next() {
		if s.entities.Exists(it.Entity) && it.Away == 0 { // else threat takes it out of combat
			s.stopTeleported(it.Entity)
		}
	}
	for _, it := range s.stops.Take() {
		if s.entities.Exists(it.Entity) && (it.Victim == (ecs.Entity{}) || s.attacks.Get(it.Entity).Victim == it.Victim) {
			s.stop(it.Entity)
		}
	}
	for _, it := range s.starts.Take() {
		if s.entities.Exists(it.Entity) {
			s.attack(it.Entity, it.Victim, it.How)
		}
	}
}
