package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// changed works out anew what the auras on a unit do to it.
func (s *System) changed(t sched.Tick, e ecs.Entity) {
	bout := s.combats.Get(e)
	before := bout.States
	after := s.book.SumAuras(e) | before&components.StateOwn
	bout.States = after
	if after != before {
		s.show(e, after)
		s.constrain(t, e, before, after)
	}
	s.book.MarkStatsDirty(e)
	s.unsave(e)
}

// unsave has a player's auras told to its keeper.
func (s *System) unsave(e ecs.Entity) {
	if s.sessions.Has(e) {
		s.unsaved.Mark(e, life.Auras)
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

// show has everybody see the state of a unit. Who waits to log out sits as if it were stunned.
func (s *System) show(e ecs.Entity, states uint16) {
	unit := s.units.Get(e)
	now := unit.Flags
	for _, f := range flags {
		if now &^= f.flag; states&f.state != 0 {
			now |= f.flag
		}
	}
	if s.logoutState.Has(e) && s.logoutState.Get(e).Waiting != 0 {
		now |= components.UnitStunned
	}
	if now != unit.Flags {
		unit.Flags = now
		s.dirty.Mark(e, components.DirtyUnit)
	}
}

// standing are the states in which nobody goes anywhere of its own.
const standing = components.StateStunned | components.StateRooted

// constrain takes a unit's legs, its control and its spells, or gives them back.
//
// Source: Unit::SetControlled and AuraEffect::HandleAuraModSilence…, AzerothCore.
func (s *System) constrain(t sched.Tick, e ecs.Entity, before, after uint16) {
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
