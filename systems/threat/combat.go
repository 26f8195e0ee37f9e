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
	if s.combats.Get(by).Evading != 0 || s.combats.Get(to).Evading != 0 {
		return
	}
	s.enterCombat(t, by)
	s.enterCombat(t, to)
	s.add(t, to, by, 0)
	s.add(t, by, to, 0)
}

// enterCombat notes a hostile act of a unit or on it.
func (s *System) enterCombat(t sched.Tick, e ecs.Entity) {
	combat, unit := s.combats.Get(e), s.units.Get(e)
	combat.UntilMs = t.NowMs + combatMs
	if unit.Flags&components.UnitInCombat == 0 {
		unit.Flags |= components.UnitInCombat
		s.dirty.Mark(e, components.DirtyUnit)
	}
	if combat.Pending&components.PendingCombatEnd == 0 {
		combat.Pending |= components.PendingCombatEnd
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
		combat := s.combats.Get(e)
		combat.Pending &^= components.PendingCombatEnd
		left := time.Duration(int32(combat.UntilMs-t.NowMs)) * time.Millisecond
		switch {
		case !s.InCombat(e):
			continue
		case left <= 0 && combat.ThreatenedByCount == 0 && combat.Threat == 0:
			s.endCombat(e)
			continue
		case left <= 0:
			left = threatCheckPeriod
		}
		combat.Pending |= components.PendingCombatEnd
		s.combatEnds.Add(t.After(left), e)
	}
}

// endCombat ends a unit's combat.
func (s *System) endCombat(e ecs.Entity) {
	if unit := s.units.Get(e); unit.Flags&components.UnitInCombat != 0 {
		unit.Flags &^= components.UnitInCombat
		s.dirty.Mark(e, components.DirtyUnit)
	}
}

// leaveCombat takes a unit out of all combat: attacks by it and on it stop, and it is removed from all threat lists and
// has none. A player's client is sent SMSG_CANCEL_COMBAT.
//
// Source: Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func (s *System) leaveCombat(t sched.Tick, e ecs.Entity) {
	combat := s.combats.Get(e)
	if s.InCombat(e) || combat.Swinging != 0 {
		s.out.Send(e, msg.OpCancelCombat, &s.packets.cancel)
	}
	s.stops.Emit(rules.StopAttack{Entity: e})
	if combat.Threat != 0 {
		list := s.lists.Get().At(combat.Threat)
		for _, h := range list.List[:list.Count] {
			s.stops.Emit(rules.StopAttack{Entity: h.Entity, Victim: e})
		}
	}
	for n := combat.ThreatenedBy; n != 0; n = s.entry(n).Next {
		s.stops.Emit(rules.StopAttack{Entity: s.listOf(n).Owner, Victim: e})
	}
	s.clear(e)
	for combat.ThreatenedBy != 0 {
		n := combat.ThreatenedBy - 1
		s.removeEntry(t, n/components.MaxThreats+1, int(n%components.MaxThreats))
	}
	combat.UntilMs = t.NowMs
	s.endCombat(e)
}

// leave takes a unit that is about to leave the world out of all combat, for good.
func (s *System) leave(t sched.Tick, e ecs.Entity) {
	if !s.entities.Alive(e) || s.combats.Get(e).Gone != 0 {
		return
	}
	s.leaveCombat(t, e)
	s.combats.Get(e).Gone = 1
	s.gone.Emit(rules.Gone{Entity: e})
}
