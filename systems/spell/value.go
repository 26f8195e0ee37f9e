package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Factors of critical hits.
//
// Source: Unit::SpellCriticalDamageBonus and Unit::SpellCriticalHealingBonus, AzerothCore.
const (
	critMagic  = 1.5
	critWeapon = 2
)

// value returns the amount of an effect from its caster, before modifiers.
//
// Source: SpellEffectInfo::CalcValue, AzerothCore.
func (s *System) value(t sched.Tick, c *cast, i int, to ecs.Entity) float32 {
	e := &c.spell.Effects[i]
	v := float32(e.Amount) + float32(e.PerLevel*float32(c.spell.Grown(c.level)))
	if e.Dice > 0 {
		dice := t.Dice("spell.value", s.objects.Get(c.by).GUID^s.objects.Get(to).GUID<<20^uint64(c.spell.ID)<<40^uint64(i))
		v += float32(dice.Intn(int(e.Dice) + 1))
	}
	return v
}

// linked reduces an amount by the factor of each jump of a chain.
func linked(v float32, e *defs.Effect, m *castTarget) float32 {
	if e.ChainFactor == 0 {
		return v
	}
	for range m.link {
		v *= e.ChainFactor
	}
	return v
}

// dealt is the damage of an effect before absorption, and what was resisted and blocked of it.
type dealt struct{ amount, resisted, blocked uint32 }

// damage returns the damage of an effect to a target.
//
// Source: Unit::SpellDamageBonusDone and Unit::CalculateSpellDamageTaken, AzerothCore.
func (s *System) damage(t sched.Tick, c *cast, i int, m *castTarget, v float32) (d dealt) {
	mine, theirs := s.combatStats.Get(c.by), s.combatStats.Get(m.entity)
	e := &c.spell.Effects[i]
	if s.kind(c.spell) == byMagic {
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
	}
	v = float32(v * mine.DamageDone)
	v = linked(v, e, m)
	if m.crit {
		if s.kind(c.spell) == byMagic {
			v *= critMagic
		} else {
			v *= critWeapon
		}
	}
	v = float32(v * theirs.DamageTaken)
	if c.spell.School == defs.SchoolPhysical {
		v = rules.Mitigate(v, theirs.Armor, c.level)
	} else if !c.spell.Has(defs.SpellBinary) {
		dice := t.Dice("spell.resist", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
		part := rules.Resists(&dice, rules.Resistance(s.combatStats.Get(m.entity), c.spell.School, c.level), v)
		v, d.resisted = v-part, uint32(part)
	}
	d.amount = uint32(max(v, 0))
	if m.blocked && c.spell.School == defs.SchoolPhysical {
		d.blocked = min(uint32(theirs.BlockValue), d.amount)
		d.amount -= d.blocked
	}
	return d
}

// healing returns the amount of a healing effect.
//
// Source: Unit::SpellHealingBonusDone and Unit::SpellHealingBonusTaken, AzerothCore.
func (s *System) healing(c *cast, i int, m *castTarget, v float32) uint32 {
	mine, theirs := s.combatStats.Get(c.by), s.combatStats.Get(m.entity)
	e := &c.spell.Effects[i]
	v += float32(e.Coefficient * mine.Healing)
	v = float32(v * mine.HealingDone)
	v = linked(v, e, m)
	if m.crit {
		v *= critMagic
	}
	return uint32(max(float32(v*theirs.Healed), 0))
}

// weapon rolls the damage of the caster's weapon.
func (s *System) weapon(t sched.Tick, c *cast, m *castTarget) float32 {
	p, hand := s.combatStats.Get(c.by), hand(c.spell)
	dice := t.Dice("spell.weapon", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
	return dice.Between(p.MinDamage[hand], p.MaxDamage[hand])
}
