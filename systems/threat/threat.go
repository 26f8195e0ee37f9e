// Package threat keeps which units are in combat with each other, how much threat each has on the lists of creatures,
// and which player a creature is tapped by. It is the only writer of all three.
package threat

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System keeps threat lists and the combat of units.
type System struct {
	rules.Living

	entities ecs.Entities
	lists    ecs.ResMut[ecs.Slab[components.ThreatList]]
	out      change.Out

	leaving     ecs.Events[change.Leaving]
	teleports   ecs.EventReader[move.Teleported]
	engages     ecs.Requests[rules.Engage]
	evades      ecs.Requests[rules.Evade]
	forgets     ecs.Requests[rules.ClearThreat]
	departures  ecs.Requests[rules.LeaveCombat]
	changes     ecs.Requests[rules.ThreatChange]
	victims     ecs.Requests[rules.VictimChanged]
	damageDealt ecs.EventReader[rules.DamageDealt]
	healed      ecs.EventReader[rules.Healed]
	deaths      ecs.EventReader[rules.Death]

	engaged        ecs.Emit[rules.Engaged]
	stops          ecs.Emit[rules.StopAttack]
	gone           ecs.Emit[rules.Gone]
	tapped         ecs.Emit[rules.SetTapped]
	unitFlags      ecs.Emit[rules.SetUnitFlags]
	lootRecipients ecs.Emit[rules.LootRecipientSet]
	attacks        ecs.Read[components.Attack]
	sessions       ecs.Read[components.Session]
	objects        ecs.Read[components.Object]
	threatStates   ecs.Write[components.ThreatState]
	stats          ecs.View[components.CombatStats]
	spawnInfos     ecs.Read[components.SpawnInfo]

	full sched.Counter `name:"combat.threat_full"`

	combatEnds sched.Wheel[ecs.Entity]
	updates    sched.Wheel[uint32] // blocks of threat lists that have changed

	packets packets `image:"-"` // rewritten for each message
}

// Run takes units that leave the world out of combat, ends the combat of units whose time has run out, and sends
// players the threat lists that they are on.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.leaving.All() {
		s.leave(t, it.Entity)
	}
	s.endCombats(t)
	s.sendLists(t)
}

// React handles hostile acts and healing, and then deaths: so a blow that kills still counts.
func (s *System) React(t sched.Tick) {
	for _, v := range s.evades.Take() {
		if s.entities.Alive(v.Entity) {
			s.evade(v.Entity, v.On)
		}
	}
	for _, f := range s.forgets.Take() {
		if s.entities.Alive(f.Entity) {
			s.clear(f.Entity)
		}
	}
	for _, p := range s.teleports.Next() {
		if p.Away != 0 {
			s.leave(t, p.Entity)
		}
	}
	for _, g := range s.engages.Take() {
		s.engage(t, g.By, g.To)
	}
	dealt := s.damageDealt.Next()
	for i := range dealt {
		s.onDamage(t, &dealt[i])
	}
	for _, h := range s.healed.Next() {
		s.onHealed(t, &h)
	}
	for _, c := range s.changes.Take() {
		if !s.Alive(c.Entity) {
			continue
		}
		amount := c.Amount
		if !c.Raw && s.entities.Alive(c.By) {
			amount = float32(amount * s.stats.Get(c.By).ThreatDone)
		}
		s.add(t, c.Entity, c.By, amount)
	}
	for _, v := range s.victims.Take() {
		if s.entities.Alive(v.Entity) && s.entities.Alive(v.Victim) {
			s.sendNewVictim(v.Entity, v.Victim)
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) {
			s.leaveCombat(t, d.Entity)
		}
	}
	for _, l := range s.departures.Take() {
		switch {
		case !s.entities.Alive(l.Entity):
		case l.Gone:
			s.leave(t, l.Entity)
		default:
			s.leaveCombat(t, l.Entity)
		}
	}
}

// onDamage puts attacker and victim into combat, which may have died of it, and adds the threat of the damage.
func (s *System) onDamage(t sched.Tick, d *rules.DamageDealt) {
	if d.Quiet || d.By == d.To || !s.entities.Alive(d.By) || !s.entities.Alive(d.To) {
		return
	}
	if !s.Alive(d.By) { // it has died since, and is on no list
		if player := s.controller(d.By); d.Killed && s.threatStates.Get(d.To).LootRecipient == 0 && s.sessions.Has(player) &&
			!s.sessions.Has(d.To) {
			s.tap(d.To, player)
		}
		return
	}
	s.fight(t, d.By, d.To)
	if d.Hit() {
		s.add(t, d.To, d.By, float32(float32(d.Dealt)*s.stats.Get(d.By).ThreatDone))
		s.setLootRecipient(t, d.By, d.To)
	}
}

// onHealed gives a healer threat on all lists that the healed unit is on: half a point for each point of health,
// divided evenly among them.
//
// Source: ThreatMgr::AddThreat and HostileRefMgr::threatAssist, AzerothCore; 0.5 per health is what
// Unit::DealHeal's callers give.
func (s *System) onHealed(t sched.Tick, h *rules.Healed) {
	if !s.entities.Alive(h.To) || !s.entities.Alive(h.By) {
		return
	}
	state := s.threatStates.Get(h.To)
	if state.ThreatenedByCount == 0 {
		return
	}
	each := float32(0.5*float32(h.Health)) / float32(state.ThreatenedByCount)
	each = float32(each * s.stats.Get(h.By).ThreatDone)
	for n := state.ThreatenedBy; n != 0; {
		next := s.entry(n).Next // a new entry of another list stands before all of those of this one
		s.add(t, s.listOf(n).Owner, h.By, each)
		n = next
	}
}

// evade begins or ends the evasion of a creature.
func (s *System) evade(e ecs.Entity, on bool) {
	state := s.threatStates.Get(e)
	if on {
		s.clear(e)
		state.Evading = 1
	} else {
		state.Evading = 0
	}
}
