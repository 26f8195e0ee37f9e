// Package combat is melee and ranged attacks of units. Players and creatures attack
// alike: a request of a client begins it for the one, system ai for the other.
package combat

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System starts and stops attacks, swings the weapons of units that attack, and takes the requests of players about
// them. It alone writes what a unit attacks and when its weapons are ready.
type System struct {
	rules.Units
	rules.Reach
	auras rules.Auras

	entities ecs.Entities
	space    ecs.Res[space.Space]
	out      change.Out

	swings    ecs.Events[change.Sent[msg.AttackSwing]]
	wishes    ecs.Events[change.Sent[msg.Empty]]
	teleports ecs.EventReader[move.Teleported]

	orders ecs.Requests[rules.Attack]
	stops  ecs.Requests[rules.StopAttack]
	shots  ecs.Requests[rules.ShotFired]
	hastes ecs.Requests[rules.HasteChanged]

	damages       ecs.Emit[rules.Damage]
	victims       ecs.Emit[rules.VictimChanged]
	standUps      ecs.Emit[rules.StandUp]
	targets       ecs.Emit[rules.SetTarget]
	swingReplaced ecs.Emit[rules.SwingReplaced]

	objects      ecs.Read[components.Object]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	vitals       ecs.View[components.Vitals]
	units        ecs.Read[components.Unit]
	stats        ecs.View[components.CombatStats]
	castings     ecs.View[components.Casting]
	stances      ecs.Read[components.Stance]
	attacks      ecs.Write[components.Attack]

	dead    sched.Counter `name:"combat.dead"`
	missing sched.Counter `name:"combat.no_target"`

	timers sched.Wheel[swingTimer]

	packets packets `image:"-"` // rewritten for each message
}

// A swingTimer is when a weapon of a unit may be ready. It is stale if the unit has got another since.
type swingTimer struct {
	entity ecs.Entity
	tick   uint32
}

// packets are the messages of the system, kept so that sending them does not allocate.
type packets struct {
	start   msg.AttackStart
	stop    msg.AttackStopped
	nothing msg.Empty
}

// Run takes what clients have sent, and swings the weapons that are ready.
func (s *System) Run(t sched.Tick) {
	s.request(t)
	for _, due := range s.timers.Take(t.N) {
		if !s.entities.Alive(due.entity) {
			continue
		}
		if attack := s.attacks.Get(due.entity); attack.SwingTick == due.tick {
			attack.SwingTick = 0
			s.swing(t, due.entity)
		}
	}
}

// React starts and stops attacks for other systems.
func (s *System) React(t sched.Tick) {
	for _, it := range s.teleports.Next() {
		if s.entities.Alive(it.Entity) && it.Away == 0 { // else threat takes it out of combat
			s.stopTeleported(it.Entity)
		}
	}
	for _, it := range s.stops.Take() {
		if s.entities.Alive(it.Entity) && (it.Victim == (ecs.Entity{}) || s.attacks.Get(it.Entity).Victim == it.Victim) {
			s.stop(it.Entity)
		}
	}
	for _, it := range s.orders.Take() {
		if s.entities.Alive(it.Entity) {
			s.attack(t, it.Entity, it.Victim, it.How)
		}
	}
	for _, it := range s.hastes.Take() {
		if s.entities.Alive(it.Entity) {
			s.scaleSwings(t, &it)
		}
	}
	for _, it := range s.shots.Take() {
		if s.entities.Alive(it.Entity) {
			s.attacks.Get(it.Entity).NextMs[components.RangedHand] = it.NextMs
		}
	}
}

// request does what clients have asked for. Starts and stops come in the order in which they arrived.
func (s *System) request(t sched.Tick) {
	swings, wishes := s.swings.All(), s.wishes.All()
	for len(swings) > 0 || len(wishes) > 0 {
		if len(wishes) == 0 || len(swings) > 0 && swings[0].N < wishes[0].N {
			s.requestAttack(t, swings[0].By, swings[0].Msg.GUID)
			swings = swings[1:]
			continue
		}
		if it := &wishes[0]; it.Op == msg.OpAttackStop {
			s.stop(it.By)
		}
		wishes = wishes[1:]
	}
}
