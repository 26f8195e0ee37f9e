package content

import (
	"math"

	"muster/loaders/worlddb"
)

// A statsRow is what units of a level and class have: creature_classlevelstats, and of CMaNGOS creature_template_classlevelstats.
type statsRow struct {
	Level   int64   `column:"level" key:""`
	Class   int64   `column:"class" key:""`
	Health0 float64 `column:"basehp0 basehealthexp0 basehealth" or:"1"`
	Health1 float64 `column:"basehp1 basehealthexp1 basehealth" or:"1"`
	Health2 float64 `column:"basehp2 basehealthexp2 basehealth" or:"1"`
	Mana    float64 `column:"basemana" or:"0"`
	Armor   float64 `column:"basearmor" or:"0"`
	Power   float64 `column:"attackpower basemeleeattackpower" or:"0"`
	Damage0 float64 `column:"damage_base basedamageexp0 basedamage" or:"0"`
	Damage1 float64 `column:"damage_exp1 basedamageexp1 basedamage" or:"0"`
	Damage2 float64 `column:"damage_exp2 basedamageexp2 basedamage" or:"0"`
}

// levelStats are the rows by level and class.
type levelStats map[[2]int64]statsRow

func (l *loader) readStats() (levelStats, error) {
	all := make(levelStats)
	for _, table := range []string{"creature_classlevelstats", "creature_template_classlevelstats"} {
		if err := read(l, table, func(r *statsRow) string {
			all[[2]int64{r.Level, r.Class}] = *r
			return ""
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// figures are what a creature of a level has.
type figures struct {
	health, mana, armor, least, most float64 // least and most: the damage of a hit
}

// attackPower is how much of it is one point of damage a second.
//
// Source: Creature::CalculateMinMaxDamage, AzerothCore.
const attackPower = 14

// wide is the most damage of a hit in terms of the least.
//
// Source: Creature::SelectLevel, AzerothCore.
const wide = 1.5

// figures is what a template has at a level, in bounds, with most not below least.
func (s levelStats) figures(t *templateRow, level int64, family worlddb.Family) (f figures, ok bool) {
	f, ok = s.at(t, level, family)
	least := amount(f.least)
	return figures{amount(f.health), amount(f.mana), amount(f.armor), least, max(least, amount(f.most))}, ok
}

// over is what the highest level has, of which none is below that of the lowest: the database may have a row for the lowest alone.
func (f figures) over(low figures) figures {
	return figures{max(f.health, low.health), max(f.mana, low.mana), max(f.armor, low.armor), max(f.least, low.least), max(f.most, low.most)}
}

// at computes what a template has at a level; ok is false if the database does not say. A creature without a row has 1 health.
// Products are converted before something is added, so that no architecture computes both at once, with another rounding.
//
// Source: Creature::SelectLevel and Creature::CalculateMinMaxDamage, AzerothCore; Creature::SelectLevel, CMaNGOS.
func (s levelStats) at(t *templateRow, level int64, family worlddb.Family) (f figures, ok bool) {
	row, ok := s[[2]int64{level, t.Class}]
	if family == worlddb.CMaNGOS && (!ok || t.Expansion < 0 || t.Health < 0) {
		return t.plain(level)
	}
	if !ok {
		return figures{health: 1}, false
	}
	health, damage := row.Health0, row.Damage0
	switch t.Expansion {
	case 1:
		health, damage = row.Health1, row.Damage1
	case 2:
		health, damage = row.Health2, row.Damage2
	}
	seconds := float64(t.AttackMs) / 1000
	if family == worlddb.CMaNGOS {
		base, power := float64(damage*t.Variance), row.Power/attackPower
		return figures{
			health: math.Floor(health * t.Health), mana: math.Floor(row.Mana * t.Mana), armor: math.Round(row.Armor * t.Armor),
			least: (base + power) * seconds * t.Damage, most: (float64(base*wide) + power) * seconds * t.Damage,
		}, true
	}
	power := float64(row.Power / attackPower * t.Variance)
	return figures{
		health: math.Ceil(health * t.Health), mana: math.Ceil(row.Mana * t.Mana), armor: math.Ceil(row.Armor * t.Armor),
		least: (damage + power) * t.Damage * seconds, most: (float64(damage*wide) + power) * t.Damage * seconds,
	}, true
}

// plain is what the columns of the template itself say, as the older ones of CMaNGOS do.
func (t *templateRow) plain(level int64) (figures, bool) {
	if t.MinLevelHealth <= 0 {
		return figures{health: 1}, false
	}
	f := figures{health: t.MinLevelHealth, mana: t.MinLevelMana, armor: t.PlainArmor, least: t.MinMelee, most: t.MaxMelee}
	if level > t.MinLevel {
		f.health, f.mana = t.MaxLevelHealth, t.MaxLevelMana
	}
	return f, true
}
