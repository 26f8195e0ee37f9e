package spell

import (
	"muster/components/defs"
	"muster/sched"
	"muster/systems/rules"
)

// dealDamage emits the damage of an effect to a target.
func (s *System) dealDamage(c *cast, m *castTarget, d dealt, leech bool) {
	s.damages.Emit(rules.Damage{
		By: c.by, To: m.entity, Spell: c.spell.ID, School: c.spell.School, Amount: d.amount, Resisted: d.resisted,
		Blocked: d.blocked, Critical: m.crit, Quiet: c.spell.Has(defs.SpellNoThreat), Leech: leech,
	})
}

// Source: Spell::EffectSchoolDMG, AzerothCore.
func (s *System) schoolDamage(t sched.Tick, c *cast, m *castTarget, i int) {
	s.dealDamage(c, m, s.damage(t, c, i, m, s.value(t, c, i, m.entity)), false)
}

// Source: Spell::EffectHealthLeech, AzerothCore.
func (s *System) leech(t sched.Tick, c *cast, m *castTarget, i int) {
	s.dealDamage(c, m, s.damage(t, c, i, m, s.value(t, c, i, m.entity)), true)
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
	s.dealDamage(c, m, s.damage(t, c, i, m, float32(v*percent)), false)
}
