package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// applyHit deals damage, unless a hit before it has killed the unit, or the attacker before its swing.
func (s *Vitals) applyHit(t sched.Tick, h *hit) {
	if !s.Alive(h.To) || h.Kind == rules.MeleeDamage && !s.Alive(h.By) {
		if h.Absorbed > 0 && s.Alive(h.To) {
			s.absorbed.Emit(rules.DamageAbsorbed{Entity: h.To})
		}
		return
	}
	health := s.vitals.Get(h.To).Health
	if !h.Immune {
		h.Dealt = h.Amount - h.Absorbed
	}
	if h.God {
		h.Dealt = min(h.Dealt, health-1)
	}
	if least := s.vitalsStates.Get(h.To).LeastHealth; least > 0 {
		h.Dealt = min(h.Dealt, health-min(least, health))
	}
	if h.Dealt >= health {
		h.Overkill, h.Killed = h.Dealt-health, true
	}
	*s.damageDealt.Next() = h.DamageDealt
	if h.Hit() {
		s.vitalsStates.Get(h.To).LastHitMs = t.NowMs
	}
	if h.Killed {
		s.kill(t, h.To, h.By, h.Spell)
	} else {
		s.setHealth(h.To, health-h.Dealt)
	}
}

// kill ends a living unit.
func (s *Vitals) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	s.vitals.Get(e).Health = 0
	s.vitalsStates.Get(e).LastHitMs = t.NowMs
	s.dirty.Mark(e, components.DirtyVitals)
	s.deaths.Emit(rules.Death{Entity: e, By: by, Spell: spell})
}
