package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// changed recomputes what the auras on a unit do to it.
func (s *AppliedAuras) changed(e ecs.Entity) {
	state := s.unitAuras.Get(e)
	before := state.States
	state.States = state.Held | s.sum(e)
	s.changes.Emit(Changed{e, before, state.States, true})
}

// sum stores what the auras on a unit add up to, and returns the states that they cause.
func (s *AppliedAuras) sum(e ecs.Entity) (states uint16) {
	if auras := s.auras(e); auras != nil {
		auras.Sum, states = rules.SumOf(s.defs.Get(), auras)
	}
	return states
}

// hold roots a creature for its script, or ends that.
func (s *AppliedAuras) hold(e ecs.Entity, on bool) {
	state := s.unitAuras.Get(e)
	before := state.States
	if state.Held = 0; on {
		state.Held = components.StateRooted
	}
	state.States = state.Held | s.sum(e)
	if state.States != before {
		s.changes.Emit(Changed{e, before, state.States, false})
	}
}

// A Changed is a unit whose auras have changed, with its states before and after. System aurastates takes it.
type Changed struct {
	Entity        ecs.Entity
	Before, After uint16
	Stats         bool // other than by charges, or by what is left to absorb
}

// AuraStates has units show the states of their auras, roots them and interrupts their casts. It has their stats computed,
// and their auras saved.
type AuraStates struct {
	entities ecs.Entities
	unsaved  change.Unsaved

	changes    ecs.Requests[Changed]
	statsDirty ecs.Emit[rules.StatsDirty]
	unitFlags  ecs.Emit[rules.SetUnitFlags]
	interrupts ecs.Emit[rules.InterruptCast]
	roots      ecs.Emit[move.Root]
	runs       ecs.Emit[move.Run]
	drives     ecs.Emit[driveChange]

	sessions    ecs.Read[components.Session]
	logoutState ecs.Read[components.Logout]
}

// React follows the changes of auras.
func (s *AuraStates) React(sched.Tick) {
	for _, c := range s.changes.Take() {
		if !s.entities.Exists(c.Entity) {
			continue
		}
		if c.Before != c.After {
			s.show(c.Entity, c.After)
			s.constrain(c.Entity, c.Before, c.After)
		}
		if c.Stats {
			s.statsDirty.Emit(rules.StatsDirty{Entity: c.Entity})
		}
		if s.sessions.Has(c.Entity) {
			s.unsaved.Mark(c.Entity, life.Auras)
		}
	}
}

// flags are the bits of components.Unit.Flags that show a state.
var flags = [...]struct {
	state uint16
	flag  uint32
}{
	{components.StateStunned, components.UnitStunned}, {components.StateSilenced, components.UnitSilenced},
	{components.StateFeared, components.UnitFleeing}, {components.StateConfused, components.UnitConfused},
	{components.StatePacified, components.UnitPacified},
}

// show shows the states of a unit in its flags. A player that waits to log out has the flag of a stun.
func (s *AuraStates) show(e ecs.Entity, states uint16) {
	var set, clear uint32
	for _, f := range flags {
		if states&f.state != 0 {
			set |= f.flag
		} else {
			clear |= f.flag
		}
	}
	if s.logoutState.Has(e) && s.logoutState.Get(e).Waiting != 0 {
		set, clear = set|components.UnitStunned, clear&^components.UnitStunned
	}
	s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: set, Clear: clear})
}

// standing are the states in which a unit does not move of its own.
const standing = components.StateStunned | components.StateRooted

// constrain roots a unit, interrupts its casts and takes control of it as its states change, or ends that.
//
// Source: Unit::SetControlled and AuraEffect::HandleAuraModSilence…, AzerothCore.
func (s *AuraStates) constrain(e ecs.Entity, before, after uint16) {
	if was, is := before&standing != 0, after&standing != 0; was != is {
		s.roots.Emit(move.Root{Entity: e, On: is})
		if is && before&driven != 0 && s.sessions.Has(e) {
			s.runs.Emit(move.Run{Entity: e, Stop: true})
		}
	}
	came := after &^ before
	switch {
	case came&components.StateIncapacitated != 0:
		s.interrupts.Emit(rules.InterruptCast{Entity: e})
	case came&components.StateSilenced != 0:
		s.interrupts.Emit(rules.InterruptCast{Entity: e, Schools: defs.SchoolMagic})
	}
	if was, is := before&driven != 0, after&driven != 0; was != is && s.sessions.Has(e) {
		s.drives.Emit(driveChange{e, is})
	}
}
