package spell

import (
	"muster/components/defs"
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
func (s *DamageEffects) damage(t sched.Tick, h *hit, v float32) (d dealt) {
	c, m, e := &h.cast, &h.target, h.at()
	mine, theirs := s.combatStats.Get(c.by), s.combatStats.Get(m.entity)
	if kindOf(c.spell) == byMagic {
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
	}
	v = float32(v * mine.DamageDone)
	v = linked(v, e, m)
	if m.crit {
		if kindOf(c.spell) == byMagic {
			v *= critMagic
		} else {
			v *= critWeapon
		}
	}
	v = float32(v * theirs.DamageTaken)
	if c.spell.School == defs.SchoolPhysical {
		v = rules.ReduceByArmor(v, theirs.Armor, c.level)
	} else if !c.spell.Has(defs.SpellBinary) {
		dice := h.dice(t, "spell.resist", 0)
		part := rules.Resists(&dice, rules.Resistance(theirs, c.spell.School, c.level), v)
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
func (s *HealEffects) healing(h *hit, v float32) uint32 {
	m, e := &h.target, h.at()
	mine, theirs := s.combatStats.Get(h.cast.by), s.combatStats.Get(m.entity)
	v += float32(e.Coefficient * mine.Healing)
	v = float32(v * mine.HealingDone)
	v = linked(v, e, m)
	if m.crit {
		v *= critMagic
	}
	return uint32(max(float32(v*theirs.Healed), 0))
}

// weapon rolls the damage of the caster's weapon.
func (s *DamageEffects) weapon(t sched.Tick, h *hit) float32 {
	p, hand := s.combatStats.Get(h.cast.by), hand(h.cast.spell)
	dice := h.dice(t, "spell.weapon", 0)
	return dice.Between(p.MinDamage[hand], p.MaxDamage[hand])
}
