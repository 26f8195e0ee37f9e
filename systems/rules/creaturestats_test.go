package rules

import (
	"testing"

	"muster/components"
	"muster/components/defs"
)

// boars is a creature of levels 10 to 14.
func boars() defs.Creature {
	return defs.Creature{
		Entry: 7, Type: defs.TypeBeast, MinLevel: 10, MaxLevel: 14, MinHealth: 100, MaxHealth: 161, Mana: 60, AttackTimeMs: 1400,
		MinDamage: 10, MaxDamage: 14, DamagePerLevel: 2, Armor: 50, ArmorPerLevel: 5,
	}
}

// The stats of a creature, worked out by hand.
//
// Source: Unit::GetUnitDodgeChance, GetUnitParryChance, GetUnitBlockChance and GetUnitCriticalChance, Creature::GetShieldBlockValue
// (half of its level), AzerothCore.
func TestCreatureStats(t *testing.T) {
	more := func(kind defs.AuraKind, misc, amount int32) []components.Aura {
		return []components.Aura{aura(worthOf(kind, misc), amount)}
	}
	type row struct {
		health, mana                uint32
		least, most                 float32
		swing                       uint32
		armor, dodge, parry, block  float32
		value, healthRegen, manaRgn float32
		power                       float32
	}
	normal := row{130, 60, 14, 18, 1400, 60, 5, 0, 5, 6, 130. / 30, 2, 0} // at level 12, half way
	of := func(change func(r *row)) row {
		r := normal
		change(&r)
		return r
	}
	for _, c := range []struct {
		name   string
		level  uint32
		change func(c *defs.Creature)
		auras  []components.Aura
		want   row
	}{
		{"half way", 12, nil, nil, normal},
		{"the lowest level", 10, nil, nil, of(func(r *row) {
			r.health, r.healthRegen, r.least, r.most, r.armor, r.value = 100, 100./30, 10, 14, 50, 5
		})},
		{"below it", 8, nil, nil, of(func(r *row) {
			r.health, r.healthRegen, r.least, r.most, r.armor, r.value = 100, 100./30, 10, 14, 50, 4
		})},
		{"the highest", 14, nil, nil, of(func(r *row) {
			r.health, r.healthRegen, r.least, r.most, r.armor, r.value = 161, 161./30, 18, 22, 70, 7
		})},
		{"above it has no more health", 16, nil, nil, of(func(r *row) {
			r.health, r.healthRegen, r.least, r.most, r.armor, r.value = 161, 161./30, 22, 26, 80, 8
		})},
		{"one level only", 12, func(c *defs.Creature) { c.MaxLevel = 10 }, nil, of(func(r *row) { r.health, r.healthRegen = 100, 100./30 })},
		{"humanoids parry", 12, func(c *defs.Creature) { c.Type = defs.TypeHumanoid }, nil, of(func(r *row) { r.parry = 5 })},
		{"the undead parry", 12, func(c *defs.Creature) { c.Type = defs.TypeUndead }, nil, of(func(r *row) { r.parry = 5 })},
		{"critters do not block", 12, func(c *defs.Creature) { c.Type = defs.TypeCritter }, nil, of(func(r *row) { r.block = 0 })},
		{"elementals do not block", 12, func(c *defs.Creature) { c.Type = defs.TypeElemental }, nil, of(func(r *row) { r.block = 0 })},
		{"a swing takes half a second at least", 12, func(c *defs.Creature) { c.AttackTimeMs = 100 }, nil, of(func(r *row) { r.swing = 500 })},
		{"attack power", 12, nil, more(defs.AuraAttackPower, 0, 28), of(func(r *row) { r.power, r.least, r.most = 28, 16.8, 20.8 })}, // 28 / 14 * 1.4
		{"which does not make the harmless hit", 12, func(c *defs.Creature) { c.MinDamage, c.MaxDamage, c.DamagePerLevel = 3, 0, 0 },
			more(defs.AuraAttackPower, 0, 28), of(func(r *row) { r.power, r.least, r.most = 28, 0, 0 })},
		{"its damage may come with levels alone", 12, func(c *defs.Creature) { c.MinDamage, c.MaxDamage = 0, 0 }, nil,
			of(func(r *row) { r.least, r.most = 4, 4 })},
		{"or not with levels at all", 12, func(c *defs.Creature) { c.DamagePerLevel = 0 }, nil, of(func(r *row) { r.least, r.most = 10, 14 })},
		{"and may not come at its first", 10, func(c *defs.Creature) { c.MinDamage, c.MaxDamage = 0, 0 }, more(defs.AuraAttackPower, 0, 28),
			of(func(r *row) {
				r.health, r.healthRegen, r.armor, r.value, r.power, r.least, r.most = 100, 100./30, 50, 5, 28, 0, 0
			})},
		{"armour", 12, nil, more(defs.AuraResistance, 1, 30), of(func(r *row) { r.armor = 90 })},
		{"haste", 12, nil, more(defs.AuraMeleeHaste, 0, 40), of(func(r *row) { r.swing = 1000 })},
		{"weakness", 12, nil, more(defs.AuraAttackPower, 0, -1400), of(func(r *row) { r.power, r.least, r.most = -1400, 0, 0 })},
		{"health", 12, nil, more(defs.AuraHealth, 0, 20), of(func(r *row) { r.health, r.healthRegen = 150, 5 })},
		{"never less than one", 12, nil, more(defs.AuraHealth, 0, -200), of(func(r *row) { r.health, r.healthRegen = 1, 1./30 })},
		{"half its health", 12, nil, more(defs.AuraHealthPercent, 0, -50), of(func(r *row) { r.health, r.healthRegen = 65, 65./30 })},
		{"mana", 12, nil, more(defs.AuraPower, components.PowerMana, 15), of(func(r *row) { r.mana = 75 })},
		{"never less than none", 12, nil, more(defs.AuraPower, components.PowerMana, -100), of(func(r *row) { r.mana = 0 })},
		{"one without gets none", 12, func(c *defs.Creature) { c.Mana = 0 }, more(defs.AuraPower, components.PowerMana, 15),
			of(func(r *row) { r.mana, r.manaRgn = 0, 0 })},
	} {
		d, kind := worths(), boars()
		if c.change != nil {
			c.change(&kind)
		}
		s := CreatureStats(d, &kind, c.level, wearing(c.auras...))
		p := &s.Combat
		got := row{s.MaxHealth, s.MaxPower, p.MinDamage[0], p.MaxDamage[0], p.SwingMs[0], p.Armor, p.Dodge, p.Parry, p.Block,
			p.BlockValue, p.HealthRegen, p.PowerRegen, p.AttackPower[0]}
		if got.health != c.want.health || got.mana != c.want.mana || got.swing != c.want.swing || !near(got.least, c.want.least) ||
			!near(got.most, c.want.most) || got.armor != c.want.armor || got.dodge != c.want.dodge || got.parry != c.want.parry ||
			got.block != c.want.block || got.value != c.want.value || !near(got.healthRegen, c.want.healthRegen) ||
			!near(got.manaRgn, c.want.manaRgn) || got.power != c.want.power {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if p.DamageDone != 1 || p.DamageTaken != 1 || p.HealingDone != 1 || p.Healed != 1 || p.ThreatDone != 1 || p.CastSpeed != 1 || p.Speed != 1 {
			t.Errorf("%s: its factors are not 1: %+v", c.name, *p)
		}
		if p.Crit != [3]float32{5, 5, 0} || s.Power != components.PowerMana || p.SwingMs[1] != 0 || p.SwingMs[2] != 0 {
			t.Errorf("%s: crit %v, power %d, swings %v", c.name, p.Crit, s.Power, p.SwingMs)
		}
	}
}

// A creature resists as its template says, besides what its auras add.
func TestResistancesOfTemplates(t *testing.T) {
	d := hunters()
	c := defs.Creature{MinLevel: 10, MaxLevel: 10, MinHealth: 1, MaxHealth: 1, AttackTimeMs: 2000, Resistances: [7]int32{2: 150, 4: -20}}
	if got := CreatureStats(d, &c, 10, nil).Combat.Resistance; got != [7]float32{2: 150, 4: -20} {
		t.Errorf("%v", got)
	}
}
