package threat

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// fight puts two units into combat with each other after a hostile act. A creature adds the other to its threat list,
// with no threat yet. An evading one does not enter combat.
func (s *ThreatLists) fight(t sched.Tick, by, to ecs.Entity) {
	if !s.fights(by) || !s.fights(to) {
		return
	}
	s.enterCombat(by, to)
	s.add(t, to, by, 0)
	s.add(t, by, to, 0)
}

// enterCombat notes a hostile act between two units.
func (s *ThreatLists) enterCombat(e, other ecs.Entity) {
	s.combats.Emit(combatChange{e, other, enters})
}

// leaveCombat takes a unit out of all combat: attacks by it and on it stop, and it is removed from all threat lists and
// has none.
//
// Source: Unit::CombatStop, AzerothCore.
func (s *ThreatLists) leaveCombat(t sched.Tick, e ecs.Entity) {
	state := s.threatStates.Get(e)
	s.combats.Emit(combatChange{entity: e, kind: leaves})
	s.stops.Emit(rules.StopAttack{Entity: e})
	if state.List != 0 {
		list := s.lists.Get().At(state.List)
		for _, h := range list.List[:list.Count] {
			s.stops.Emit(rules.StopAttack{Entity: h.Entity, Victim: e})
		}
	}
	for n := state.ThreatenedBy; n != 0; n = s.entry(n).Next {
		s.stops.Emit(rules.StopAttack{Entity: s.listOf(n).Owner, Victim: e})
	}
	s.clear(e)
	for state.ThreatenedBy != 0 {
		n := state.ThreatenedBy - 1
		s.removeEntry(t, n/components.MaxThreats+1, int(n%components.MaxThreats))
	}
	s.combats.Emit(combatChange{entity: e, kind: ends})
}

// leave takes a unit that is about to leave the world out of all state, for good.
func (s *ThreatLists) leave(t sched.Tick, e ecs.Entity) {
	if !s.entities.Exists(e) || s.threatStates.Get(e).Left != 0 {
		return
	}
	s.leaveCombat(t, e)
	s.threatStates.Get(e).Left = 1
	s.gone.Emit(rules.Gone{Entity: e})
}
