package vitals

import (
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// applyDamage deals damage, unless a hit before it in this round has killed the unit, or the attacker before its swing.
func (s *Vitals) applyDamage(t sched.Tick, m *mitigatedDamage) {
	if !s.Alive(m.To) || m.Kind == rules.WeaponDamage && !s.Alive(m.By) {
		if m.Absorbed > 0 && s.Alive(m.To) {
			s.absorbed.Emit(rules.DamageAbsorbed{Entity: m.To})
		}
		return
	}
	v := *s.vitals.Get(m.To)
	d := s.damageDealt.Next()
	d.Damage, d.Immune, d.Absorbed = m.Damage, m.Immune, m.Absorbed
	if !m.Immune {
		d.Dealt = m.Amount - m.Absorbed
	}
	if m.God {
		d.Dealt = min(d.Dealt, v.Health-1)
	}
	state := s.vitalsStates.Get(m.To)
	if state.LeastHealth > 0 {
		d.Dealt = min(d.Dealt, v.Health-min(state.LeastHealth, v.Health))
	}
	if d.Hit() {
		state.LastHitMs = t.NowMs
	}
	if d.Dealt >= v.Health {
		d.Overkill, d.Killed = d.Dealt-v.Health, true
		s.kill(t, m.To, m.By, m.Spell)
		return
	}
	v.Health -= d.Dealt
	s.write(m.To, v)
}

// kill ends a living unit.
func (s *Vitals) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	v := *s.vitals.Get(e)
	v.Health = 0
	s.write(e, v)
	s.vitalsStates.Get(e).LastHitMs = t.NowMs
	s.deaths.Emit(rules.Death{Entity: e, By: by, Spell: spell})
}
