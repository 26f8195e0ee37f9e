package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// applyDamage deals damage, unless a hit before it has killed the unit, or the attacker before its swing.
func (s *Vitals) applyDamage(t sched.Tick, m *mitigated) {
	if !s.Alive(m.To) || m.Kind == rules.WeaponDamage && !s.Alive(m.By) {
		if m.Absorbed > 0 && s.Alive(m.To) {
			s.absorbed.Emit(rules.DamageAbsorbed{Entity: m.To})
		}
		return
	}
	health := s.vitals.Get(m.To).Health
	if !m.Immune {
		m.Dealt = m.Amount - m.Absorbed
	}
	if m.God {
		m.Dealt = min(m.Dealt, health-1)
	}
	if least := s.vitalsStates.Get(m.To).LeastHealth; least > 0 {
		m.Dealt = min(m.Dealt, health-min(least, health))
	}
	if m.Dealt >= health {
		m.Overkill, m.Killed = m.Dealt-health, true
	}
	*s.damageDealt.Next() = m.DamageDealt
	if m.Hit() {
		s.vitalsStates.Get(m.To).LastHitMs = t.NowMs
	}
	if m.Killed {
		s.kill(t, m.To, m.By, m.Spell)
	} else {
		s.setHealth(m.To, health-m.Dealt)
	}
}

// kill ends a living unit.
func (s *Vitals) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	s.vitals.Get(e).Health = 0
	s.vitalsStates.Get(e).LastHitMs = t.NowMs
	s.dirty.Mark(e, components.DirtyVitals)
	s.deaths.Emit(rules.Death{Entity: e, By: by, Spell: spell})
}
