package threat

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// combatMs is how long a player that is on no threat list stays in combat after the last hostile act.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
const combatMs = 5000

// threatCheckPeriod is the interval at which a player without a recent hostile act that is still on a threat list is
// checked.
const threatCheckPeriod = time.Second

// engage puts two living units into combat with each other after a hostile act. A creature adds the other to its
// threat list, with no threat yet. An evading one does not enter combat.
func (s *System) engage(t sched.Tick, by, to ecs.Entity) {
	if by != to && s.Alive(by) && s.Alive(to) {
		s.fight(t, by, to)
	}
}

func (s *System) fight(t sched.Tick, by, to ecs.Entity) {
	if !s.fights(by) || !s.fights(to) {
		return
	}
	s.enterCombat(t, by)
	s.enterCombat(t, to)
	s.add(t, to, by, 0)
	s.add(t, by, to, 0)
}

// enterCombat notes a hostile act of a unit or on it.
func (s *System) enterCombat(t sched.Tick, e ecs.Entity) {
	state := s.threatStates.Get(e)
	state.UntilMs = t.NowMs + combatMs
	if state.InCombat == 0 {
		state.InCombat = 1
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitInCombat})
	}
	if state.Ending == 0 {
		state.Ending = 1
		s.combatEnds.Add(t.After(combatMs*time.Millisecond), e)
	}
}

// endCombats ends the combat of units whose combat timer has run out: a player on no threat list whose last hostile
// act is long enough ago, a creature with an empty threat list.
func (s *System) endCombats(t sched.Tick) {
	for _, e := range s.combatEnds.Take(t.N) {
		if !s.entities.Alive(e) {
			continue
		}
		state := s.threatStates.Get(e)
		state.Ending = 0
		left := time.Duration(int32(state.UntilMs-t.NowMs)) * time.Millisecond
		switch {
		case state.InCombat == 0:
			continue
		case left <= 0 && state.ThreatenedByCount == 0 && state.List == 0:
			s.endCombat(e)
			continue
		case left <= 0:
			left = threatCheckPeriod
		}
		state.Ending = 1
		s.combatEnds.Add(t.After(left), e)
	}
}

// endCombat ends a unit's combat.
func (s *System) endCombat(e ecs.Entity) {
	if state := s.threatStates.Get(e); state.InCombat != 0 {
		state.InCombat = 0
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitInCombat})
	}
}

// leaveCombat takes a unit out of all combat: attacks by it and on it stop, and it is removed from all threat lists and
// has none. A player's client is sent SMSG_CANCEL_COMBAT.
//
// Source: Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func (s *System) leaveCombat(t sched.Tick, e ecs.Entity) {
	state := s.threatStates.Get(e)
	if state.InCombat != 0 || s.attacks.Get(e).Swinging != 0 {
		s.out.Send(e, msg.OpCancelCombat, &s.packets.cancel)
	}
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
	state.UntilMs = t.NowMs
	s.endCombat(e)
}

// leave takes a unit that is about to leave the world out of all state, for good.
func (s *System) leave(t sched.Tick, e ecs.Entity) {
	if !s.entities.Alive(e) || s.threatStates.Get(e).Left != 0 {
		return
	}
	s.leaveCombat(t, e)
	s.threatStates.Get(e).Left = 1
	s.gone.Emit(rules.Gone{Entity: e})
}
