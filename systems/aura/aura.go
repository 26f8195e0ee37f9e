// Package aura applies auras to units: they stack or replace each other, pulse, and end with their duration, with the
// death of the unit that has them, or when something breaks them.
//
// Durations and pulses are timers in a wheel, one for each aura; they run while the cells of creatures sleep. The
// effect of auras on a unit's stats is computed by system stats, which this one asks each time they change.
package aura

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System applies auras to units, runs their pulses, and removes them. It alone writes auras and the states of units by
// them, but for what absorbing auras have left, which system mitigation counts.
type System struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	slab     ecs.ResMut[ecs.Slab[components.Auras]]
	out      change.Out
	unsaved  change.Unsaved

	joined       ecs.Events[change.Joined]
	clicks       ecs.Events[change.Sent[msg.CancelAura]]
	moves        ecs.Events[change.Sent[msg.Move]]
	auraApplies  ecs.Requests[rules.ApplyAura]
	auraRemovals ecs.Requests[rules.RemoveAuras]
	aurasBroken  ecs.Requests[rules.AuraBroken]
	damageDealt  ecs.EventReader[rules.DamageDealt]
	deaths       ecs.EventReader[rules.Death]
	gone         ecs.EventReader[rules.Gone]
	damages      ecs.Emit[rules.Damage]
	heals        ecs.Emit[rules.Heal]
	powers       ecs.Emit[rules.PowerChange]
	statsDirty   ecs.Emit[rules.StatsDirty]
	releases     ecs.Emit[rules.ReleaseCooldown]
	changes      ecs.Emit[Changed]
	casts        ecs.Emit[rules.Cast]
	interrupts   ecs.Emit[rules.InterruptCast]

	objects    ecs.Read[components.Object]
	vitals     ecs.View[components.Vitals]
	attacks    ecs.Read[components.Attack]
	auraStates ecs.Write[components.AuraState]
	stats      ecs.View[components.CombatStats]
	motions    ecs.Read[components.Motion]
	sessions   ecs.Read[components.Session]

	full    sched.Counter `name:"aura.full"`          // auras without a free slot
	refused sched.Counter `name:"aura.refused"`       // effects that no system implements
	skipped sched.Counter `name:"aura.skipped_pulse"` // pulses that were left out

	turns   sched.Wheel[turn]
	last    uint32 // number of the last turn
	packets packets
	own     ecs.Prefetch[bearer]
	foe     ecs.Prefetch[opponent]
}

// A bearer has what a turn reads of the unit with the aura.
type bearer struct{}

// Components implements ecs.Bundle.
func (bearer) Components() []ecs.Type {
	return slices.Concat(ecs.Of4[components.AuraState, components.VitalsState, components.Vitals, components.Unit](),
		ecs.Of3[components.Object, components.Attack, components.CombatStats]())
}

// An opponent has what a turn reads of the victim of the unit with the aura.
type opponent struct{}

// Components implements ecs.Bundle.
func (opponent) Components() []ecs.Type {
	return ecs.Of4[components.ThreatState, components.VitalsState, components.Vitals, components.Unit]()
}

// A turn is a scheduled pulse or end of an aura; it is stale if the number of the aura has changed, or it is gone.
type turn struct {
	entity ecs.Entity
	number uint32
}

// Run runs the turns that are due, and removes the auras that players cancel or end by moving.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		s.resume(t, it.Entity)
	}
	turns := s.turns.Take(t.N)
	for i, due := range turns {
		s.fetch(ecs.PrefetchNext(turns, i))
		s.take(t, due)
	}
	s.breakByMoves(t)
	s.cancel(t)
}

// React removes auras, handles damage, and applies new auras, which that damage does not break; then it handles deaths.
func (s *System) React(t sched.Tick) {
	for _, b := range s.aurasBroken.Take() {
		if s.entities.Alive(b.Entity) {
			s.breakAuras(t, b.Entity, b.Why, 0)
			if b.Why&defs.BreakCast != 0 {
				s.spend(t, b.Entity, defs.SpentCast)
			}
		}
	}
	for _, request := range s.auraRemovals.Take() {
		if s.entities.Alive(request.From) {
			s.removeRequested(t, &request)
		}
	}
	for dealt, i := s.damageDealt.Next(), 0; i < len(dealt); i++ {
		s.onDamage(t, &dealt[i])
	}
	applies := s.auraApplies.Take()
	for i := range applies {
		s.apply(t, &applies[i])
	}
	s.endAtDeath(t)
	for _, g := range s.gone.Next() {
		if s.entities.Alive(g.Entity) && !s.sessions.Has(g.Entity) { // a player's auras are saved with its character first
			state := s.auraStates.Get(g.Entity)
			s.slab.Get().Free(state.Block)
			state.Block = 0
		}
	}
}

// fetch prefetches what the next turns read: of the units, of their auras, and of their victims, which cast most of
// these auras.
func (s *System) fetch(next []turn) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if !s.entities.Alive(due.entity) {
			continue
		}
		s.foe.Of(s.attacks.Get(due.entity).Victim)
		if auras := s.auras(due.entity); auras != nil {
			for i := range auras.List[:auras.Count] {
				s.own.Word(&auras.List[i].Turn)
			}
		}
	}
}

// auras are those on a unit, nil if there are none. The pointer is valid until the next aura is added to any unit.
func (s *System) auras(e ecs.Entity) *components.Auras {
	if block := s.auraStates.Get(e).Block; block != 0 {
		return s.slab.Get().At(block)
	}
	return nil
}

// template is the spell of an aura.
func (s *System) template(a *components.Aura) *defs.Spell { return s.defs.Get().Spell(a.Spell) }
