package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// setHealth sets the health of a living unit.
func (s *Vitals) setHealth(e ecs.Entity, health uint32) {
	if v := s.vitals.Get(e); v.Health != health {
		v.Health = health
		s.dirty.Mark(e, components.DirtyVitals)
		s.scheduleRegen(e)
	}
}

// heal gives a living unit health.
func (s *Vitals) heal(h *rules.Heal) {
	if !s.Alive(h.To) {
		return
	}
	v := s.vitals.Get(h.To)
	healed := min(h.Amount, v.MaxHealth-min(v.Health, v.MaxHealth))
	s.setHealth(h.To, v.Health+healed)
	s.healed.Emit(rules.Healed{Heal: *h, Health: healed})
}

// changePower changes a unit's power. Spending mana interrupts its recovery.
//
// Source: Spell::TakePower and Player::RegenerateAll, AzerothCore (five seconds).
func (s *Vitals) changePower(t sched.Tick, p *rules.PowerChange) {
	if !s.entities.Exists(p.To) {
		return
	}
	s.energize(p.To, int(p.Power), p.Delta)
	if p.Cost && p.Power == components.PowerMana {
		s.vitalsStates.Get(p.To).ManaSpentMs = t.NowMs
	}
}

// energize changes a unit's power within 0 and its maximum.
func (s *Vitals) energize(e ecs.Entity, power int, delta int32) {
	v := s.vitals.Get(e)
	have := int64(v.Power[power])
	if to := min(max(have+int64(delta), 0), int64(v.MaxPower[power])); to != have {
		v.Power[power] = uint32(to)
		s.scheduleRegen(e)
		s.dirty.Mark(e, components.DirtyVitals)
	}
}

// setMaxima sets the maxima of a unit's health and power. Current values are cut to them; those of a new unit are set
// to them, except rage and runic power.
func (s *Vitals) setMaxima(m *rules.MaxVitals) {
	if !s.entities.Exists(m.Entity) {
		return
	}
	v := s.vitals.Get(m.Entity)
	before := *v
	v.MaxHealth = m.Health
	v.MaxPower = [7]uint32{}
	v.MaxPower[m.Power] = m.Max
	v.Health = min(v.Health, v.MaxHealth)
	for i := range v.Power {
		v.Power[i] = min(v.Power[i], v.MaxPower[i])
	}
	if m.Fill {
		fill(v)
	}
	if *v != before || m.Fill {
		s.dirty.Mark(m.Entity, components.DirtyVitals)
	}
	s.scheduleRegen(m.Entity)
}

// fill sets health, mana and energy to their maxima.
func fill(v *components.Vitals) {
	v.Health = v.MaxHealth
	v.Power[components.PowerMana] = v.MaxPower[components.PowerMana]
	v.Power[components.PowerEnergy] = v.MaxPower[components.PowerEnergy]
}

// set sets the health of a unit, and what else is asked.
func (s *Vitals) set(r *rules.SetVitals) {
	switch {
	case !s.entities.Exists(r.Entity):
	case r.Kind == rules.BecomeGhost:
		s.becomeGhost(r)
	case r.Kind == rules.Resurrected:
		s.resurrect(r)
	case !s.Alive(r.Entity):
	case r.Kind == rules.SetLeastHealth:
		s.vitalsStates.Get(r.Entity).LeastHealth = r.Health
	case r.Kind == rules.SetRegeneration:
		s.vitalsStates.Get(r.Entity).Unhealing = 1 - uint8(min(r.Health, 1))
	case r.Kind == rules.Restore:
		s.restore(r.Entity)
	default:
		s.setHealth(r.Entity, min(max(r.Health, 1), s.vitals.Get(r.Entity).MaxHealth))
	}
}

// restore gives a living unit all of its health, mana and energy.
func (s *Vitals) restore(e ecs.Entity) {
	v := s.vitals.Get(e)
	before := *v
	if fill(v); *v != before {
		s.dirty.Mark(e, components.DirtyVitals)
	}
}

// becomeGhost makes a dead player a ghost.
func (s *Vitals) becomeGhost(g *rules.SetVitals) {
	s.vitalsStates.Get(g.Entity).Ghost = 1
	s.vitals.Get(g.Entity).Health = g.Health
	s.dirty.Mark(g.Entity, components.DirtyVitals)
}

// resurrect gives a dead player health and power: at least 1 health and at most its maximum, no rage, and half of its
// energy.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *Vitals) resurrect(r *rules.SetVitals) {
	s.vitalsStates.Get(r.Entity).Ghost = 0
	v := s.vitals.Get(r.Entity)
	v.Health = min(max(r.Health, 1), max(v.MaxHealth, 1))
	v.Power[components.PowerMana] = min(r.Mana, v.MaxPower[components.PowerMana])
	v.Power[components.PowerRage], v.Power[components.PowerRunic] = 0, 0
	v.Power[components.PowerEnergy] = v.MaxPower[components.PowerEnergy] / 2
	s.dirty.Mark(r.Entity, components.DirtyVitals)
	s.scheduleRegen(r.Entity)
}
