// Package aura applies auras to units: they stack or replace each other, pulse, and end with their duration, with the
// death of the unit that has them, or when something breaks them.
//
// AuraBreaks finds what ends auras, AppliedAuras applies and ends them, AuraPulses executes their pulses, AuraPackets reports them,
// AuraStates applies changes of the states of units by them: flags, roots, interrupts; and FearRuns has feared units run. What auras
// add up to is in rules.SumOf, but for stats, which are in rules/aurastats.go, and what they absorb is in package vitals.
//
// Durations and pulses are timers in a wheel, one for each aura; they run while the cells of creatures sleep. The
// effect of auras on a unit's stats is computed by system stats, which this one asks each time they change.
package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// AppliedAuras puts auras on units and removes them, and times their pulses. It alone writes auras and the states of units by
// them, but for what absorbing auras have left, which system mitigation counts, and the memory of auras of units that
// leave, which fan-out frees.
type AppliedAuras struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	slab     ecs.ResMut[ecs.Slab[components.Auras]]

	joined       ecs.Events[change.Joined]
	auraApplies  ecs.Requests[rules.ApplyAura]
	auraRemovals ecs.Requests[rules.RemoveAuras]
	ends         ecs.Requests[auraEnd]
	pulses       ecs.Emit[pulse]
	slots        ecs.Emit[slotChange]
	damages      ecs.Emit[rules.Damage]
	releases     ecs.Emit[rules.ReleaseCooldown]
	changes      ecs.Emit[Changed]

	objects   ecs.Read[components.Object]
	unitAuras ecs.Write[components.UnitAuras]

	full    sched.Counter `name:"aura.full"`          // auras without a free slot
	refused sched.Counter `name:"aura.refused"`       // effects that no system implements
	skipped sched.Counter `name:"aura.skipped_pulse"` // pulses that were left out

	timers sched.Wheel[timer]
	last   uint32 // number of the last timer
	own    ecs.Prefetch[holder]
}

// A holder has what a timer reads of the unit with the aura.
type holder struct{}

// Components implements ecs.Bundle.
func (holder) Components() []ecs.Type {
	return ecs.Of2[components.UnitAuras, components.Object]()
}

// A timer is a scheduled pulse or end of an aura; it is stale if the number of the aura has changed, or it is gone.
type timer struct {
	entity ecs.Entity
	number uint32
}

// Run executes the timers that are due, and ends auras.
func (s *AppliedAuras) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		if auras := s.auras(it.Entity); auras != nil {
			s.resume(t, it.Entity, auras)
		}
	}
	timers := s.timers.Take(t.N)
	for i, due := range timers {
		s.fetch(ecs.PrefetchNext(timers, i))
		s.expire(t, due)
	}
	s.endAuras(t)
}

// React removes auras, ends others, and applies new ones, which what ended those does not end.
func (s *AppliedAuras) React(t sched.Tick) {
	for _, request := range s.auraRemovals.Take() {
		if s.entities.Exists(request.From) {
			s.removeRequested(t, &request)
		}
	}
	s.endAuras(t)
	applies := s.auraApplies.Take()
	for i := range applies {
		s.apply(t, &applies[i])
	}
}

// fetch prefetches what the next timers read: of the units, and of their auras.
func (s *AppliedAuras) fetch(next []timer) {
	for _, due := range next {
		s.own.Of(due.entity)
	}
	for _, due := range next {
		if !s.entities.Exists(due.entity) {
			continue
		}
		if auras := s.auras(due.entity); auras != nil {
			for i := range auras.List[:auras.Count] {
				s.own.Word(&auras.List[i].Timer)
			}
		}
	}
}

// auras are those on a unit, nil if there are none. The pointer is valid until the next aura is added to any unit.
func (s *AppliedAuras) auras(e ecs.Entity) *components.Auras {
	if block := s.unitAuras.Get(e).Block; block != 0 {
		return s.slab.Get().At(block)
	}
	return nil
}

// template is the spell of an aura.
func (s *AppliedAuras) template(a *components.Aura) *defs.Spell { return s.defs.Get().Spell(a.Spell) }
