package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// dealDamage deals damage and logs it.
func (s *System) dealDamage(t sched.Tick, c *cast, m *castTarget, d dealt) rules.DamageResult {
	h := rules.Damage{
		By: c.by, To: m.entity, Spell: c.spell.ID, School: c.spell.School, Amount: d.amount,
		Quiet: c.spell.Has(defs.SpellNoThreat),
	}
	out := s.book.ResolveDamage(t, &h)
	if out.Immune {
		m.miss = msg.MissImmune
		s.sendMiss(c, m)
	} else {
		s.sendDamage(c, m, &out, &d)
	}
	s.book.ApplyDamage(t, &h, &out)
	s.out.FlushNow(c.by)
	return out
}

// Source: Spell::EffectSchoolDMG, AzerothCore.
func (s *System) schoolDamage(t sched.Tick, c *cast, m *castTarget, i int) {
	s.dealDamage(t, c, m, s.damage(t, c, i, m, s.value(t, c, i, m.entity)))
}

// Source: Spell::EffectHealthLeech, AzerothCore.
func (s *System) leech(t sched.Tick, c *cast, m *castTarget, i int) {
	out := s.dealDamage(t, c, m, s.damage(t, c, i, m, s.value(t, c, i, m.entity)))
	s.applyHeal(t, c, c.by, out.Dealt-out.Overkill, false)
}

// weaponDamage deals weapon damage, once for all weapon effects of the spell: what they add, and then their percents.
//
// Source: Spell::EffectWeaponDmg, AzerothCore.
func (s *System) weaponDamage(t sched.Tick, c *cast, m *castTarget, i int) {
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
	s.dealDamage(t, c, m, s.damage(t, c, i, m, float32(v*percent)))
}
