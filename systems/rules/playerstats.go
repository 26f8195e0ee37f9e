package rules

import (
	"math"

	"muster/components"
	"muster/components/defs"
)

// The maxima of the powers of players, rage and runic power times ten.
//
// Source: Player::InitStatsForLevel and Unit::GetCreatePowers, AzerothCore.
const (
	fullRage   = 1000
	fullEnergy = 100
)

// The indices of Stats.Stat.
const (
	strength = iota
	agility
	stamina
	intellect
	spirit
)

// PlayerStats computes the stats of a player of a race, class and level with items and auras, which may be nil.
func PlayerStats(d *defs.World, race, class uint8, level uint32, items *components.Inventory, auras *components.Auras) (s UnitStats) {
	var f statTerms
	f.init(level)
	f.ofClass(d, race, class)
	f.addEquipment(d, items)
	f.addAuras(d, auras)
	f.player(&s)
	f.common(&s.Combat)
	f.show(&s.Shown, &s.Combat)
	return s
}

// ofClass sets the terms of a player's race, class and level. A class that does not exist has those of a warrior.
func (f *statTerms) ofClass(d *defs.World, race, class uint8) {
	f.class = d.Players.Class(class)
	if f.class == nil {
		class = 1
		f.class = &d.Players.Classes[class]
	}
	base := d.Players.Base(race, class, f.level)
	f.base, f.health, f.mana = base.Stats, base.Health, base.Mana
	mean := f.class.Damage.At(f.level)
	bare := weapon{
		min: mean - float32(mean*f.class.Spread), max: mean + float32(mean*f.class.Spread), delayMs: f.class.SwingMs,
	}
	f.weapon[components.MainHand] = bare
	if f.class.Shoots {
		f.weapon[components.RangedHand] = bare
	}
}

// player computes the stats of a player from all that adds to them.
//
// Source: Player::UpdateAllStats and what it calls, AzerothCore: stats, (base + worn) * base factor + other, times
// the factor on everything (Unit::GetTotalStatValue); armour, agility times two (UpdateArmor); attack power
// (UpdateAttackPowerAndDamage); health and mana, one for each of the first 20 points of stamina and intellect, then
// ten and fifteen (GetHealthBonusFromStamina, GetManaBonusFromIntellect); block, five percent with a shield
// (UpdateBlockPercentage) and half the strength less ten (GetShieldBlockValue).
func (f *statTerms) player(out *UnitStats) {
	p := &out.Combat
	var s [5]float32
	for i := range s {
		own := float64(f.base[i]+float32(f.wearing[i])) * f.statBase[i]
		s[i] = max(float32((own+float64(f.stat[i]))*f.statAll[i]), 0)
	}
	c := f.class
	for i, m := range []*float32{&p.AttackPower[0], &p.AttackPower[1]} {
		from := c.Melee
		if i == 1 {
			from = c.Ranged
		}
		*m = from.Flat + float32(from.PerLevel*float32(f.level)) + float32(from.PerStrength*s[strength]) +
			float32(from.PerAgility*s[agility])
		*m = max(max(*m, 0)+float32(f.power[i]), 0)
	}
	for hand, w := range f.weapon {
		if w.delayMs == 0 {
			continue
		}
		power, factor := p.AttackPower[0], float32(1)
		switch hand {
		case components.OffHand:
			factor = 0.5
		case components.RangedHand:
			power = p.AttackPower[1]
		}
		setHandDamage(p, hand, w, power, factor)
	}
	perCrit, perSpell := max(c.PerCrit.At(f.level), 1), max(c.PerSpellCrit.At(f.level), 1)
	p.Dodge, p.Parry = c.Dodge+s[agility]/perCrit, c.Parry
	p.Crit = [3]float32{c.Crit + s[agility]/perCrit, c.Crit + s[agility]/perCrit, s[intellect] / perSpell}
	if f.shield {
		p.Block = 5
		p.BlockValue = max(float32(f.blockValue)+float32(0.5*s[strength])-10, 0)
	}
	p.Armor = float32(2 * s[agility])

	health := f.health + bonus(s[stamina], 10) + float32(f.moreHealth)
	health = max(float32(float64(health)*f.healthFactor), 1)
	most := uint32(0)
	switch c.Power {
	case components.PowerMana:
		most = whole(f.mana + bonus(s[intellect], 15) + float32(f.moreMana))
	case components.PowerEnergy:
		most = fullEnergy
	default:
		most = fullRage
	}
	out.MaxHealth, out.Power, out.MaxPower = whole(health), c.Power, most
	p.HealthRegen = healthBy(s[spirit], f.level)
	if c.Power == components.PowerMana {
		p.PowerRegen = manaBy(s[spirit], s[intellect], f.level)
	}
	for i := range s {
		out.Shown.Stat[i] = whole(s[i])
	}
}

// bonus returns what a stat adds: one for each of the first twenty points, more for each of the others.
func bonus(stat, more float32) float32 {
	return min(stat, 20) + float32(max(stat-20, 0)*more)
}

// healthBy returns the health that spirit restores in a second. Low levels recover faster.
//
// Source: Player::RegenerateHealth, AzerothCore (below level 15, 2.066 less 0.066 for each level times as fast); how
// much a point of spirit is worth is our own choice.
func healthBy(spirit float32, level uint32) float32 {
	r := float32(0.08 * spirit)
	if level < 15 {
		r *= 2.066 - float32(0.066*float32(level))
	}
	return r
}

// manaBy returns the mana that spirit and intellect restore in a second.
//
// Source: Player::OCTRegenMPPerSpirit and UpdateManaRegen, AzerothCore: spirit times the root of intellect; the
// factor falls from 0.035 at level 1 to 0.0056 at level 80, as in GtRegenMPPerSpt.dbc, along a curve of our own.
func manaBy(spirit, intellect float32, level uint32) float32 {
	factor := 0.035 / (1 + float32(0.066*float32(level-1)))
	return 0.001 + float32(float32(factor*spirit)*float32(math.Sqrt(float64(intellect))))
}

// show sets what a player's own client is shown of its stats, besides those of the base, which player sets.
func (f *statTerms) show(stats *components.Stats, p *components.CombatStats) {
	stats.MinDamage, stats.MaxDamage = p.MinDamage[components.MainHand], p.MaxDamage[components.MainHand]
	stats.MinOffHandDamage, stats.MaxOffHandDamage = p.MinDamage[components.OffHand], p.MaxDamage[components.OffHand]
	stats.Resistance[0] = whole(p.Armor)
	for i := 1; i < len(stats.Resistance); i++ {
		stats.Resistance[i] = whole(p.Resistance[i])
	}
	stats.BaseMana, stats.BaseHealth = whole(f.mana), whole(f.health)
	stats.AttackPower = whole(p.AttackPower[0])
}
