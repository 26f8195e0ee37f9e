package rules

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A StatsDirty asks for a unit's stats (CombatStats, Stats, the maxima of Vitals) to be recomputed: its level, an
// equipped item or an aura has changed. System stats takes it.
type StatsDirty struct{ Entity ecs.Entity }

// Stats are the stats of a unit, computed from its class or template, level, items and auras.
type Stats struct {
	Combat    components.CombatStats
	Shown     components.Stats // of a player
	MaxHealth uint32
	MaxPower  uint32 // of its only power,
	Power     uint8  // which is this one
}

// statTerms are the terms that a unit's stats are made of: sums of all that adds to them, sums of percents, and
// factors. Sums of integers do not depend on their order; factors are multiplied in a higher precision than is kept.
type statTerms struct {
	level uint32
	class *defs.Class // of a player, else nil

	base     [5]float32 // stats of class and level
	stat     [5]int32
	statBase [5]float64 // factors on base and equipment,
	statAll  [5]float64 // and on everything
	wearing  [5]int32   // from equipment, part of stat

	health, mana         float32 // without stats
	moreHealth, moreMana int32
	healthFactor         float64

	weapon     [3]weapon
	power      [2]int32 // attack power: melee, ranged
	resistance [7]int32
	resists    [7]float64 // factors

	haste       [2]float64 // on the time between two swings, and two shots
	crit        [3]float32 // percent
	spellPower  [7]int32
	healing     int32
	damageDone  float64
	damageTaken float64
	healingDone float64
	healed      float64
	threat      float64
	cast        float64
	fast, slow  int32 // percent: the largest of each counts

	hit, dodge, parry, block int32 // percent, besides those of the class
	blockValue               uint32
	shield                   bool
	regen, powerRegen        int32 // per five seconds
}

// A weapon is the weapon of a hand.
type weapon struct {
	min, max float32
	delayMs  uint32
}

// init sets a level, and factors that change nothing.
func (f *statTerms) init(level uint32) {
	f.level = max(level, 1)
	for _, factor := range []*float64{
		&f.healthFactor, &f.haste[0], &f.haste[1], &f.damageDone, &f.damageTaken, &f.healingDone, &f.healed, &f.threat, &f.cast,
	} {
		*factor = 1
	}
	for i := range f.statAll {
		f.statBase[i], f.statAll[i] = 1, 1
	}
	for i := range f.resists {
		f.resists[i] = 1
	}
}

// PlayerStats computes the stats of a player of a race, class and level with items and auras, which may be nil.
func PlayerStats(d *defs.World, race, class uint8, level uint32, items *components.Inventory, auras *components.Auras) (s Stats) {
	var f statTerms
	f.init(level)
	f.ofClass(d, race, class)
	f.addEquipment(d, items)
	f.addAuras(d, auras)
	f.player(&s)
	f.common(&s.Combat)
	return s
}

// CreatureStats computes the stats of a creature of a template and level with auras, which may be nil. One without a
// template has next to none.
func CreatureStats(d *defs.World, template *defs.Creature, level uint32, auras *components.Auras) (s Stats) {
	var f statTerms
	f.init(level)
	f.addAuras(d, auras)
	f.creature(template, &s)
	f.common(&s.Combat)
	return s
}

// common sets the stats that players and creatures have alike.
func (f *statTerms) common(p *components.CombatStats) {
	for i := range p.SpellPower {
		p.SpellPower[i] = float32(f.spellPower[i])
		p.Resistance[i] = float32(float64(f.resistance[i]) * f.resists[i])
	}
	p.Armor = max(float32(float64(p.Armor+float32(f.resistance[0]))*f.resists[0]), 0)
	p.Resistance[0] = 0
	p.Healing = float32(f.healing)
	p.Hit += float32(f.hit)
	p.Dodge = max(p.Dodge+float32(f.dodge), 0)
	p.Parry = max(p.Parry+float32(f.parry), 0)
	p.Block = max(p.Block+float32(f.block), 0)
	for i := range p.Crit {
		p.Crit[i] = max(p.Crit[i]+f.crit[i], 0)
	}
	for hand := range p.SwingMs {
		haste := f.haste[0]
		if hand == components.RangedHand {
			haste = f.haste[1]
		}
		p.SwingMs[hand] = uint32(min(float64(p.SwingMs[hand])*haste+0.5, maxSwingMs))
	}
	p.SwingMs[components.MainHand] = max(p.SwingMs[components.MainHand], 1)
	p.DamageDone, p.DamageTaken = float32(f.damageDone), float32(f.damageTaken)
	p.HealingDone, p.Healed = float32(f.healingDone), float32(f.healed)
	p.ThreatDone, p.CastSpeed = float32(f.threat), float32(f.cast)
	p.Haste = [2]float32{float32(f.haste[0]), float32(f.haste[1])}
	p.Speed = float32(100+f.fast) / 100 * (float32(100-min(f.slow, 100)) / 100)
	p.HealthRegen += float32(f.regen) / 5
	p.PowerRegen += float32(f.powerRegen) / 5
}

// swing sets the damage of a hand: that of its weapon and what attack power adds to it.
//
// Source: Unit::CalculateMinMaxDamage, AzerothCore (14 attack power are one point of damage a second).
func swing(p *components.CombatStats, hand int, w weapon, power float32, factor float32) {
	more := float32(power/14) * (float32(w.delayMs) / 1000)
	p.MinDamage[hand] = max(float32((w.min+more)*factor), 0)
	p.MaxDamage[hand] = max(float32((w.max+more)*factor), p.MinDamage[hand])
	p.SwingMs[hand] = w.delayMs
}

// creature computes the stats of a creature from its template and level.
//
// Source: Unit::GetUnitDodgeChance, GetUnitParryChance, GetUnitBlockChance and GetUnitCriticalChance,
// Creature::GetShieldBlockValue, AzerothCore (5 % each; hits of beasts are not parried with paws); health and mana,
// Creature::Regenerate (a third in ten seconds is about what its rule gives).
func (f *statTerms) creature(c *defs.Creature, s *Stats) {
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
	swing(p, components.MainHand, w, power, 1)
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

// whole rounds a number to what clients see.
func whole(v float32) uint32 { return uint32(math.Round(float64(max(v, 0)))) }
