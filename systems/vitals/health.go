package vitals

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// write writes the health and power of a unit, for all functions of this system. What has changed is marked, and a unit that
// lives then regenerates; the dead and ghosts do not.
func (s *Vitals) write(e ecs.Entity, v components.Vitals) {
	if old := s.vitals.Get(e); *old != v {
		*old = v
		s.dirty.Mark(e, components.DirtyVitals)
		if s.Alive(e) {
			s.scheduleRegen(e)
		}
	}
}

// heal gives a living unit health.
func (s *Vitals) heal(h *rules.Heal) {
	if !s.Alive(h.To) {
		return
	}
	v := *s.vitals.Get(h.To)
	healed := min(h.Amount, v.MaxHealth-min(v.Health, v.MaxHealth))
	v.Health += healed
	s.write(h.To, v)
	s.healed.Emit(rules.Healed{Heal: *h, Health: healed})
}

// changePower changes a unit's power. Spending mana interrupts its recovery.
//
// Source: Spell::TakePower and Player::RegenerateAll, AzerothCore (five seconds).
func (s *Vitals) changePower(t sched.Tick, p *rules.PowerChange) {
	if !s.entities.Exists(p.To) {
		return
	}
	v := *s.vitals.Get(p.To)
	energize(&v, int(p.Power), p.Delta)
	s.write(p.To, v)
	if p.Cost && p.Power == components.PowerMana {
		s.vitalsStates.Get(p.To).ManaSpentMs = t.NowMs
	}
}

// energize changes a power within 0 and its maximum.
func energize(v *components.Vitals, power int, delta int32) {
	v.Power[power] = uint32(min(max(int64(v.Power[power])+int64(delta), 0), int64(v.MaxPower[power])))
}

// setMaxima sets the maxima of a unit's health and power. Current values are cut to them; those of a new unit are set
// to them, except rage and runic power. The unit regenerates also if nothing has changed: one that enters the world may lack
// something, and is on no timer yet.
func (s *Vitals) setMaxima(m *rules.MaxVitals) {
	if !s.entities.Exists(m.Entity) {
		return
	}
	v := *s.vitals.Get(m.Entity)
	v.MaxHealth = m.Health
	v.MaxPower = [7]uint32{}
	v.MaxPower[m.Power] = m.Max
	v.Health = min(v.Health, v.MaxHealth)
	for i := range v.Power {
		v.Power[i] = min(v.Power[i], v.MaxPower[i])
	}
	if m.Fill {
		fill(&v)
	}
	s.write(m.Entity, v)
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
		v := *s.vitals.Get(r.Entity)
		v.Health = min(max(r.Health, 1), v.MaxHealth)
		s.write(r.Entity, v)
	}
}

// restore gives a living unit all of its health, mana and energy.
func (s *Vitals) restore(e ecs.Entity) {
	v := *s.vitals.Get(e)
	fill(&v)
	s.write(e, v)
}

// becomeGhost makes a dead player a ghost.
func (s *Vitals) becomeGhost(g *rules.SetVitals) {
	s.vitalsStates.Get(g.Entity).Ghost = 1
	v := *s.vitals.Get(g.Entity)
	v.Health = g.Health
	s.write(g.Entity, v)
}

// resurrect gives a dead player health and power: at least 1 health and at most its maximum, no rage, and half of its
// energy. It regenerates also if it has what it had as a ghost, which does not.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *Vitals) resurrect(r *rules.SetVitals) {
	s.vitalsStates.Get(r.Entity).Ghost = 0
	v := *s.vitals.Get(r.Entity)
	v.Health = min(max(r.Health, 1), max(v.MaxHealth, 1))
	v.Power[components.PowerMana] = min(r.Mana, v.MaxPower[components.PowerMana])
	v.Power[components.PowerRage], v.Power[components.PowerRunic] = 0, 0
	v.Power[components.PowerEnergy] = v.MaxPower[components.PowerEnergy] / 2
	s.write(r.Entity, v)
	s.scheduleRegen(r.Entity)
}
