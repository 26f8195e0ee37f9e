package vitals

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// setHealth sets the health of a living unit.
func (s *System) setHealth(e ecs.Entity, health uint32) {
	if v := s.vitals.Get(e); v.Health != health {
		v.Health = health
		s.dirty.Mark(e, components.DirtyVitals)
		s.scheduleRegen(e)
	}
}

// heal gives a living unit health and reports it.
func (s *System) heal(h *rules.Heal) {
	if !s.Alive(h.To) {
		return
	}
	v := s.vitals.Get(h.To)
	healed := min(h.Amount, v.MaxHealth-min(v.Health, v.MaxHealth))
	s.setHealth(h.To, v.Health+healed)
	s.reportHeal(h, h.Amount-healed)
	if healed > 0 && !h.Quiet && s.entities.Alive(h.By) {
		s.healed.Emit(rules.Healed{By: h.By, To: h.To, Health: healed})
	}
}

// changePower changes a unit's power and reports it. Spending mana interrupts its recovery.
//
// Source: Spell::TakePower and Player::RegenerateAll, AzerothCore (five seconds).
func (s *System) changePower(t sched.Tick, p *rules.PowerChange) {
	if !s.entities.Alive(p.To) {
		return
	}
	s.energize(p.To, int(p.Power), p.Delta)
	if p.Cost && p.Power == components.PowerMana {
		s.vitalsStates.Get(p.To).ManaSpentMs = t.NowMs
	}
	s.reportPower(p)
}

// energize changes a unit's power within 0 and its maximum.
func (s *System) energize(e ecs.Entity, power int, delta int32) {
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
func (s *System) setMaxima(m *rules.MaxVitals) {
	if !s.entities.Alive(m.Entity) {
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

// restore gives a living unit all of its health, mana and energy.
func (s *System) restore(e ecs.Entity) {
	if !s.Alive(e) {
		return
	}
	v := s.vitals.Get(e)
	before := *v
	if fill(v); *v != before {
		s.dirty.Mark(e, components.DirtyVitals)
	}
}

// haunt makes a dead player a ghost.
func (s *System) haunt(g *rules.BecomeGhost) {
	if s.entities.Alive(g.Entity) {
		s.vitalsStates.Get(g.Entity).Ghost = 1
		s.vitals.Get(g.Entity).Health = g.Health
		s.dirty.Mark(g.Entity, components.DirtyVitals)
	}
}

// resurrect gives a dead player health and power: at least 1 health and at most its maximum, no rage, and half of its
// energy.
//
// Source: Player::ResurrectPlayer, AzerothCore.
func (s *System) resurrect(r *rules.Resurrected) {
	if !s.entities.Alive(r.Entity) {
		return
	}
	s.vitalsStates.Get(r.Entity).Ghost = 0
	v := s.vitals.Get(r.Entity)
	v.Health = min(max(r.Health, 1), max(v.MaxHealth, 1))
	v.Power[components.PowerMana] = min(r.Mana, v.MaxPower[components.PowerMana])
	v.Power[components.PowerRage], v.Power[components.PowerRunic] = 0, 0
	v.Power[components.PowerEnergy] = v.MaxPower[components.PowerEnergy] / 2
	s.dirty.Mark(r.Entity, components.DirtyVitals)
	s.scheduleRegen(r.Entity)
}

// rages reports whether a unit's power is rage.
func (s *System) rages(e ecs.Entity) bool { return s.vitals.Get(e).MaxPower[components.PowerRage] > 0 }

// rageDealt returns the rage, in tenths, for damage dealt with a weapon to an attacker of a level.
//
// Source: Unit::RewardRage and Unit::DealMeleeDamage, AzerothCore (build 12340): damage over the conversion of the
// level times 7.5, and 3.5 for each second of a main hand's swing, half of it for an off hand's, twice for a critical
// blow; half of the sum.
func rageDealt(d *rules.Damage, damage, level uint32) int32 {
	factor := 3.5
	if d.Melee.Info&msg.HitOffHand != 0 {
		factor /= 2
	}
	if d.Critical {
		factor *= 2
	}
	return tenths((float64(float64(damage)/conversion(level)*7.5) + float64(float64(d.Melee.SwingMs)/1000*factor)) / 2)
}

// rageTaken returns the rage, in tenths, for damage taken.
//
// Source: Unit::RewardRage, AzerothCore (2.5 times the damage over the conversion).
func rageTaken(damage, level uint32) int32 {
	return tenths(float64(damage) / conversion(level) * 2.5)
}

// conversion returns the damage that a point of rage stands for. Above level 70 it grows faster.
//
// Source: Unit::RewardRage, AzerothCore.
func conversion(level uint32) float64 {
	l := float64(level)
	c := float64(0.0091107836*l*l) + float64(3.225598133*l) + 4.2652911
	if level > 70 {
		c += float64(13.27 * (l - 70))
	}
	return c
}

func tenths(rage float64) int32 { return int32(math.Min(rage*10, 1000)) }
