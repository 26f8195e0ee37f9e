// Package aura is what lasts on units: it comes, lies on what is there, pulses, and goes with its time, with its
// bearer's death or with whatever breaks it.
//
// Durations and pulses are timers in a wheel, and each aura has one; they do not sleep with the cells of creatures.
// What auras do to a unit's figures is rules.Book.RecomputeStats's business, which is asked each time they change.
package aura

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System puts auras on units, has them do what they do, and takes them off.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	slab     ecs.ResMut[ecs.Slab[components.Auras]]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
	book     rules.Book

	joined       ecs.Events[change.Joined]
	clicks       ecs.Events[change.Sent[msg.CancelAura]]
	moves        ecs.Events[change.Sent[msg.Move]]
	auraApplies  ecs.Requests[rules.ApplyAura]
	auraRemovals ecs.Requests[rules.RemoveAuras]
	aurasBroken  ecs.Requests[rules.AuraBroken]
	damageDealt  ecs.Events[rules.DamageDealt]
	deaths       ecs.EventReader[rules.Death]
	casts        ecs.Emit[rules.Cast]
	interrupts   ecs.Emit[rules.InterruptCast]
	roots        ecs.Emit[move.Root]
	runs         ecs.Emit[move.Run]

	objects     ecs.Read[components.Object]
	vitals      ecs.View[components.Vitals]
	units       ecs.Write[components.Unit]
	combats     ecs.Write[components.CombatState]
	positions   ecs.Read[components.Position]
	motions     ecs.Read[components.Motion]
	speeds      ecs.Read[components.Speeds]
	sessions    ecs.Read[components.Session]
	spells      ecs.Write[components.Spellbook]
	logoutState ecs.Read[components.Logout]

	full    sched.Counter `name:"aura.full"`          // auras that found no room
	refused sched.Counter `name:"aura.refused"`       // effects that no system executes
	skipped sched.Counter `name:"aura.skipped_pulse"` // pulses that were left out

	turns sched.Wheel[turn]
	hops  sched.Wheel[turn]
	fears []uint32 // by entity id: number of the next hop of a player that flees
	last  uint32   // number of the last turn that was given out
	said  said
	own   ecs.Prefetch[bearer]
	foe   ecs.Prefetch[opponent]
}

// A bearer is what a turn looks at of the unit that bears the aura.
type bearer struct{}

// Components implements ecs.Bundle.
func (bearer) Components() []ecs.Type {
	return slices.Concat(ecs.Of4[components.CombatState, components.Vitals, components.Unit, components.Object](),
		ecs.Of2[components.CombatStats, components.Dirty]())
}

// An opponent is what a turn looks at of the unit that the bearer fights.
type opponent struct{}

// Components implements ecs.Bundle.
func (opponent) Components() []ecs.Type {
	return ecs.Of3[components.CombatState, components.Vitals, components.Unit]()
}

// A turn is something that an aura has to do; it is stale if the aura has got another number since, or is gone.
type turn struct {
	entity ecs.Entity
	number uint32
}

// Run does what is due, takes off what is to go, looks at what the tick's blows, its own among them, have broken, and
// puts on what is to come, which those blows were before; then it looks at the units that have died.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		if s.entities.Alive(it.Entity) {
			s.resume(t, it.Entity)
		}
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.PrefetchNext(turns, i))
		s.take(t, due)
	}
	s.breakOff(t)
	s.click(t)
	for _, strip := range s.auraRemovals.Take() {
		if s.entities.Alive(strip.From) {
			s.strip(t, &strip)
		}
	}
	s.suffer(t)
	applies := s.auraApplies.Take()
	for i := range applies {
		s.apply(t, &applies[i])
	}
	s.bury(t)
	s.flee(t)
}

// fetch reads what the next turns look at: of the bearers, of their auras, and of whom they fight, since it is they who
// put most of those on them.
func (s *System) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if !s.entities.Alive(due.entity) {
			continue
		}
		s.foe.Of(s.combats.Get(due.entity).Victim)
		if auras := s.auras(due.entity); auras != nil {
			for i := range auras.List[:auras.Count] {
				s.own.Word(&auras.List[i].Turn)
			}
		}
	}
}

// auras are those on a unit, nil if there are none. They are good until the next aura is put on anybody.
func (s *System) auras(e ecs.Entity) *components.Auras {
	if block := s.combats.Get(e).Auras; block != 0 {
		return s.slab.Get().At(block)
	}
	return nil
}

// template is that of an aura that is there.
func (s *System) template(a *components.Aura) *defs.Spell { return s.defs.Get().Spell(a.Spell) }
