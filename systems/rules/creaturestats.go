package rules

import (
	"muster/components"
	"muster/components/defs"
)

// CreatureStats computes the stats of a creature of a template and level with auras, which may be nil. One without a
// template has next to none.
func CreatureStats(d *defs.World, template *defs.Creature, level uint32, auras *components.Auras) (s UnitStats) {
	var f statTerms
	f.init(level)
	f.addAuras(d, auras)
	f.creature(template, &s)
	f.common(&s.Combat)
	return s
}

// creature computes the stats of a creature from its template and level.
//
// Source: Unit::GetUnitDodgeChance, GetUnitParryChance, GetUnitBlockChance and GetUnitCriticalChance,
// Creature::GetShieldBlockValue, AzerothCore (5 % each; hits of beasts are not parried with paws); health and mana,
// Creature::Regenerate (a third in ten seconds is about what its rule gives).
func (f *statTerms) creature(c *defs.Creature, s *UnitStats) {
	p := &s.Combat
	if c == nil {
		p.SwingMs[components.MainHand] = 1
		return
	}
	up := float32(f.level - min(f.level, uint32(c.MinLevel)))
	w := weapon{
		min: c.MinDamage + float32(c.DamagePerLevel*up), max: c.MaxDamage + float32(c.DamagePerLevel*up),
		delayMs: max(c.AttackTimeMs, 500),
	}
	if c.MaxDamage == 0 && c.DamagePerLevel == 0 {
		w.min, w.max = 0, 0
	}
	power := float32(f.power[0])
	if w.max == 0 {
		power = 0 // deals no damage
	}
	setHandDamage(p, components.MainHand, w, power, 1)
	p.AttackPower = [2]float32{float32(f.power[0]), float32(f.power[1])}
	p.Armor = c.Armor + float32(c.ArmorPerLevel*up)
	p.Dodge, p.Block, p.Crit = 5, 5, [3]float32{5, 5, 0}
	if c.Type == defs.TypeHumanoid || c.Type == defs.TypeUndead {
		p.Parry = 5
	}
	if c.Type == defs.TypeCritter || c.Type == defs.TypeElemental {
		p.Block = 0
	}
	p.BlockValue = float32(f.level / 2)
	for i, r := range c.Resistances {
		f.resistance[i] += r
	}

	health := float32(c.MinHealth)
	if span := uint32(c.MaxLevel) - uint32(c.MinLevel); span > 0 {
		health += float32(uint32(float32(c.MaxHealth-c.MinHealth) * min(up, float32(span)) / float32(span)))
	}
	health = max(float32(float64(health+float32(f.moreHealth))*f.healthFactor), 1)
	p.HealthRegen = health / 30
	p.PowerRegen = float32(c.Mana) / 30
	mana := c.Mana
	if mana > 0 {
		mana = uint32(max(int64(mana)+int64(f.moreMana), 0))
	}
	s.MaxHealth, s.Power, s.MaxPower = uint32(health), components.PowerMana, mana
}
