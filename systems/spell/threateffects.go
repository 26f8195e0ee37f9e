package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ThreatEffects executes the effects of spells that change threat.
type ThreatEffects struct {
	lookup

	hits    ecs.Requests[threatHit]
	threats rules.Threats
	changes ecs.Emit[rules.ThreatChange]
}

// React implements sched.Reactor.
func (s *ThreatEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

// Source: Spell::EffectThreat, AzerothCore.
func (s *ThreatEffects) execute(t sched.Tick, h *hit) {
	if h.at().Kind == defs.EffectAttackMe {
		s.taunt(h)
	} else {
		s.changes.Emit(rules.ThreatChange{Entity: h.target.entity, By: h.cast.by, Amount: h.value(t)})
	}
}

// taunt gives the caster enough threat for a creature to attack it.
//
// Source: Spell::EffectTaunt, AzerothCore, which makes the caster equal to the most hated; here it is put so far
// above that the creature turns to it from wherever it stands.
func (s *ThreatEffects) taunt(h *hit) {
	var most, mine float32
	for _, entry := range s.threats.List(h.target.entity) {
		if entry.Entity == h.cast.by {
			mine = entry.Amount
		}
		most = max(most, entry.Amount)
	}
	s.changes.Emit(rules.ThreatChange{
		Entity: h.target.entity, By: h.cast.by, Amount: max(float32(most*tauntFactor)-mine+1, 0), Raw: true,
	})
}

const tauntFactor = 1.3
