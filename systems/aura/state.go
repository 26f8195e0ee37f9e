package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// changed recomputes what the auras on a unit do to it.
func (s *System) changed(e ecs.Entity) {
	state := s.auraStates.Get(e)
	before := state.States
	after := uint16(0)
	if auras := s.auras(e); auras != nil {
		after |= rules.Sum(s.defs.Get(), auras)
	}
	state.States = after
	if after != before {
		s.changes.Emit(Changed{e, before, after})
	}
	s.statsDirty.Emit(rules.StatsDirty{Entity: e})
	s.markUnsaved(e)
}

// markUnsaved marks a player's auras to be saved.
func (s *System) markUnsaved(e ecs.Entity) {
	if s.sessions.Has(e) {
		s.unsaved.Mark(e, life.Auras)
	}
}

// A Changed is a unit whose states by its auras have changed. System states takes it.
type Changed struct {
	Entity        ecs.Entity
	Before, After uint16
}

// States has units show the states of their auras, roots them, interrupts their casts and takes the control of players.
type States struct {
	rules.Living

	entities ecs.Entities
	place    ecs.Res[defs.Map]
	out      change.Out

	changes    ecs.Requests[Changed]
	unitFlags  ecs.Emit[rules.SetUnitFlags]
	interrupts ecs.Emit[rules.InterruptCast]
	roots      ecs.Emit[move.Root]
	runs       ecs.Emit[move.Run]

	objects     ecs.Read[components.Object]
	auraStates  ecs.Read[components.AuraState]
	positions   ecs.Read[components.Position]
	speeds      ecs.Read[components.Speeds]
	sessions    ecs.Read[components.Session]
	logoutState ecs.Read[components.Logout]

	hops    sched.Wheel[turn]
	fears   []uint32                // by entity id: number of the next hop of a player that flees
	control msg.ClientControlUpdate // kept here, since a packet takes its message by reference
}

// Run has players in fear run.
func (s *States) Run(t sched.Tick) {
	s.React(t)
	s.flee(t)
}

// React follows the changes of states.
func (s *States) React(t sched.Tick) {
	for _, c := range s.changes.Take() {
		if s.entities.Alive(c.Entity) {
			s.show(c.Entity, c.After)
			s.constrain(t, c.Entity, c.Before, c.After)
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
func (s *States) show(e ecs.Entity, states uint16) {
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
func (s *States) constrain(t sched.Tick, e ecs.Entity, before, after uint16) {
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
		s.drive(t, e, is)
	}
}
