package threat

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A gain is threat that a unit gets.
type gain struct {
	of, by ecs.Entity
	amount float32
	kind   uint8
}

// The kinds of gain.
const (
	added   = iota // on the list of a creature
	hostile        // by a hostile act, which puts both into combat with each other first
	healing        // on all lists that a unit is on, by healing it
)

// ThreatSources turns what happens to units into gains of threat, and deaths and departures into the end of combat.
type ThreatSources struct {
	rules.Living

	entities    ecs.Entities
	leaving     ecs.Events[change.Leaving]
	teleports   ecs.EventReader[move.Teleported]
	engages     ecs.Requests[rules.Engage]
	changes     ecs.Requests[rules.ThreatChange]
	damageDealt ecs.EventReader[rules.DamageDealt]
	healed      ecs.EventReader[rules.Healed]
	deaths      ecs.EventReader[rules.Death]
	gains       ecs.Emit[gain]
	departures  ecs.Emit[rules.LeaveCombat]

	stats ecs.ReadRef[components.CombatStats]
}

// OnEvents has units that leave the world taken out of combat.
func (s *ThreatSources) OnEvents(sched.Tick) {
	for _, it := range s.leaving.All() {
		if !s.stats.Has(it.Entity) { // a game object
			continue
		}
		s.departures.Emit(rules.LeaveCombat{Entity: it.Entity, Gone: true})
	}
}

// React handles hostile acts and healing. System threatlists executes departures after gains: so a hit that kills still
// counts.
func (s *ThreatSources) React(sched.Tick) {
	for _, p := range s.teleports.Next() {
		if p.Away != 0 {
			s.departures.Emit(rules.LeaveCombat{Entity: p.Entity, Gone: true})
		}
	}
	for _, g := range s.engages.Take() {
		if g.By != g.To && s.Alive(g.By) && s.Alive(g.To) {
			s.gains.Emit(gain{of: g.To, by: g.By, kind: hostile})
		}
	}
	dealt := s.damageDealt.Next()
	for i := range dealt {
		s.onDamage(&dealt[i])
	}
	for _, h := range s.healed.Next() { // Source: Unit::DealHeal's callers, AzerothCore: half a point for each point of health
		if h.Health > 0 && !h.Quiet && s.entities.Exists(h.To) && s.entities.Exists(h.By) {
			amount := float32(0.5*float32(h.Health)) * s.stats.Get(h.By).ThreatDone
			s.gains.Emit(gain{of: h.To, by: h.By, amount: amount, kind: healing})
		}
	}
	for _, c := range s.changes.Take() {
		if !s.Alive(c.Entity) {
			continue
		}
		amount := c.Amount
		if !c.Raw && s.entities.Exists(c.By) {
			amount = float32(amount * s.stats.Get(c.By).ThreatDone)
		}
		s.gains.Emit(gain{of: c.Entity, by: c.By, amount: amount})
	}
	for _, d := range s.deaths.Next() {
		s.departures.Emit(rules.LeaveCombat{Entity: d.Entity})
	}
}

// onDamage puts attacker and victim into combat, which may have died of it, and adds the threat of the damage.
func (s *ThreatSources) onDamage(d *rules.DamageDealt) {
	if d.Quiet || d.By == d.To || !s.Alive(d.By) || !s.entities.Exists(d.To) {
		return
	}
	g := gain{of: d.To, by: d.By, kind: hostile}
	if d.Hit() {
		g.amount = float32(float32(d.Dealt) * s.stats.Get(d.By).ThreatDone)
	}
	s.gains.Emit(g)
}
