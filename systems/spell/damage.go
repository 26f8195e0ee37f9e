package spell

import (
	"muster/components/defs"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/rules"
)

// harm does damage and tells of it.
func (s *system) harm(t sched.Tick, c *cast, m *met, amount, resist uint32) rules.Harmed {
	h := rules.Harm{
		By: c.by, To: m.entity, Spell: c.spell.ID, School: c.spell.School, Amount: amount,
		Quiet: c.spell.Has(defs.SpellNoThreat),
	}
	out := s.book.Weigh(t, &h)
	if out.Immune {
		m.miss = msg.MissImmune
		s.tellMiss(c, m)
	} else {
		s.tellDamage(c, m, &out, resist)
	}
	s.book.Inflict(t, &h, &out)
	s.hurry(c.by)
	return out
}

// Source: Spell::EffectSchoolDMG, AzerothCore.
func (s *system) schoolDamage(t sched.Tick, c *cast, m *met, i int) {
	amount, resist := s.damage(t, c, i, m, s.value(t, c, i, m.entity))
	s.harm(t, c, m, amount, resist)
}

// Source: Spell::EffectHealthLeech, AzerothCore.
func (s *system) leech(t sched.Tick, c *cast, m *met, i int) {
	amount, resist := s.damage(t, c, i, m, s.value(t, c, i, m.entity))
	out := s.harm(t, c, m, amount, resist)
	s.mend(t, c, c.by, out.Damage-out.Overkill, false)
}

// weaponDamage does the damage of a weapon, once for all effects of the spell that speak of it: what they add,
// and then their percents.
//
// Source: Spell::EffectWeaponDmg, AzerothCore.
func (s *system) weaponDamage(t sched.Tick, c *cast, m *met, i int) {
	v, percent := s.weapon(t, c, m), float32(1)
	for k := range c.spell.Effects {
		switch c.spell.Effects[k].Kind {
		case defs.EffectWeaponDamage, defs.EffectNormalizedWeapon:
			v += s.value(t, c, k, m.entity)
		case defs.EffectWeaponPercent:
			percent *= s.value(t, c, k, m.entity) / 100
		default:
			continue
		}
		if k < i {
			return
		}
	}
	amount, resist := s.damage(t, c, i, m, float32(v*percent))
	s.harm(t, c, m, amount, resist)
}
