package threat

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
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

// A combatChange is what changes of a unit's combat.
type combatChange struct {
	entity ecs.Entity
	other  ecs.Entity // also enters; zero none
	kind   uint8
}

// The kinds of combatChange.
const (
	enters = iota // after a hostile act between it and the other
	ends          // it is on no list any more, and has none
	leaves        // it leaves all combat, which ends with that
)

// CombatStates keeps whether units are in combat, which units show in their flags.
type CombatStates struct {
	entities     ecs.Entities
	out          change.Out
	changes      ecs.Requests[combatChange]
	unitFlags    ecs.Emit[rules.SetUnitFlags]
	attacks      ecs.Read[components.Attack]
	threatStates ecs.Read[components.ThreatState]
	states       ecs.Write[components.CombatState]

	timers sched.Wheel[ecs.Entity] // of the ends of combats
	cancel msg.Empty
}

// Run ends the combat of units whose time has run out.
func (s *CombatStates) Run(t sched.Tick) {
	s.React(t)
	s.endCombats(t)
}

// React changes the combat of units for system threatlists.
func (s *CombatStates) React(t sched.Tick) {
	for _, it := range s.changes.Take() {
		switch {
		case !s.entities.Exists(it.entity):
		case it.kind == enters:
			if s.enterCombat(t, it.entity); s.entities.Exists(it.other) {
				s.enterCombat(t, it.other)
			}
		case it.kind == ends:
			s.endCombat(it.entity)
		default:
			s.leaveCombat(t, it.entity)
		}
	}
}

// enterCombat notes a hostile act of a unit or on it.
func (s *CombatStates) enterCombat(t sched.Tick, e ecs.Entity) {
	state := s.states.Get(e)
	state.UntilMs = t.NowMs + combatMs
	if state.InCombat == 0 {
		state.InCombat = 1
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Set: components.UnitInCombat})
	}
	if state.Ending == 0 {
		state.Ending = 1
		s.timers.Add(t.After(combatMs*time.Millisecond), e)
	}
}

// leaveCombat prepares the end of a unit's combat. A player's client is sent SMSG_CANCEL_COMBAT.
//
// Source: Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func (s *CombatStates) leaveCombat(t sched.Tick, e ecs.Entity) {
	if s.states.Get(e).InCombat != 0 || s.attacks.Get(e).Swinging != 0 {
		s.out.Send(e, msg.OpCancelCombat, &s.cancel)
	}
	s.states.Get(e).UntilMs = t.NowMs
}

// endCombats ends the combat of units whose combat timer has run out: a player on no threat list whose last hostile
// act is long enough ago, a creature with an empty threat list.
func (s *CombatStates) endCombats(t sched.Tick) {
	for _, e := range s.timers.Take(t.N) {
		if !s.entities.Exists(e) {
			continue
		}
		state, threat := s.states.Get(e), s.threatStates.Get(e)
		state.Ending = 0
		left := time.Duration(int32(state.UntilMs-t.NowMs)) * time.Millisecond
		switch {
		case state.InCombat == 0:
			continue
		case left <= 0 && threat.ThreatenedByCount == 0 && threat.List == 0:
			s.endCombat(e)
			continue
		case left <= 0:
			left = threatCheckPeriod
		}
		state.Ending = 1
		s.timers.Add(t.After(left), e)
	}
}

// endCombat ends a unit's combat.
func (s *CombatStates) endCombat(e ecs.Entity) {
	if state := s.states.Get(e); state.InCombat != 0 {
		state.InCombat = 0
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: e, Clear: components.UnitInCombat})
	}
}
