// Package threat keeps which units are in combat with each other (CombatStates), how much threat each has on the lists of
// creatures (ThreatLists), and which player a creature is tapped by (LootRecipients). It is the only writer of all three.
package threat

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ThreatLists keeps threat lists.
type ThreatLists struct {
	rules.Living

	entities ecs.Entities
	lists    ecs.ResMut[ecs.Slab[components.ThreatList]]

	evades     ecs.EventReader[rules.Evade]
	forgets    ecs.Requests[rules.ClearThreat]
	gains      ecs.Requests[gain]
	departures ecs.Requests[rules.LeaveCombat]

	engaged ecs.Emit[rules.Engaged]
	stops   ecs.Emit[rules.StopAttack]
	gone    ecs.Emit[rules.Gone]
	combats ecs.Emit[combatChange]
	changes ecs.Emit[listChange]

	sessions     ecs.Read[components.Session]
	tapped       ecs.Read[components.Tapped]
	threatStates ecs.Write[components.ThreatState]

	full sched.Counter `name:"combat.threat_full"`

	updates sched.Wheel[uint32] // blocks of threat lists that have changed
}

// Run has the lists sent that changed a while ago.
func (s *ThreatLists) Run(t sched.Tick) {
	for _, block := range s.updates.Take(t.N) {
		if list := s.lists.Get().At(block); list.Dirty != 0 {
			list.Dirty = 0
			s.changes.Emit(listChange{kind: listDue, creature: list.Owner})
		}
	}
}

// React changes the lists, and takes units out of combat after all else.
func (s *ThreatLists) React(t sched.Tick) {
	for _, v := range s.evades.Next() {
		if s.entities.Exists(v.Entity) {
			s.evade(v.Entity, v.On)
		}
	}
	for _, f := range s.forgets.Take() {
		if s.entities.Exists(f.Entity) {
			s.clear(f.Entity)
		}
	}
	for _, g := range s.gains.Take() {
		switch g.kind {
		case added:
			s.add(t, g.of, g.by, g.amount)
		case hostile:
			if s.fight(t, g.by, g.of); g.amount != 0 {
				s.add(t, g.of, g.by, g.amount)
			}
		case healing:
			s.addForHealing(t, g.of, g.by, g.amount)
		}
	}
	for _, l := range s.departures.Take() {
		switch {
		case !s.entities.Exists(l.Entity):
		case l.Gone:
			s.leave(t, l.Entity)
		default:
			s.leaveCombat(t, l.Entity)
		}
	}
}

// addForHealing divides a healer's threat evenly among the creatures that have a unit on their lists.
//
// Source: ThreatMgr::AddThreat and HostileRefMgr::threatAssist, AzerothCore.
func (s *ThreatLists) addForHealing(t sched.Tick, e, healer ecs.Entity, amount float32) {
	state := s.threatStates.Get(e)
	each := amount / float32(max(state.ThreatenedByCount, 1))
	for n := state.ThreatenedBy; n != 0; {
		next := s.entry(n).Next // a new entry of another list stands before all of those of this one
		s.add(t, s.listOf(n).Owner, healer, each)
		n = next
	}
}

// evade begins or ends the evasion of a creature.
func (s *ThreatLists) evade(e ecs.Entity, on bool) {
	state := s.threatStates.Get(e)
	if on {
		s.clear(e)
		state.Evading = 1
	} else {
		state.Evading = 0
	}
}
