package rules

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
)

// miscs are the numbers that auras name here: a stat, a power, or schools.
var miscs = []int32{-1, 0, 1, 2, 3, 4, 0x7F}

// worths is a world of hunters with a spell for each aura kind and each of miscs.
func worths() *defs.World {
	d := hunters()
	for kind := range defs.AuraKind(141) {
		for _, misc := range miscs {
			d.Spells = append(d.Spells, defs.Spell{ID: worthOf(kind, misc), Effects: [3]defs.Effect{
				{Kind: defs.EffectApplyAura, Aura: kind, Misc: misc}}})
		}
	}
	return d
}

// worthOf is the spell of an aura kind and of one of miscs.
func worthOf(kind defs.AuraKind, misc int32) uint32 {
	return uint32(int(kind)*len(miscs)+slices.Index(miscs, misc)) + 1
}

// What each aura adds to which stats, of a player of level 11 without equipment: 20, 20, 30, 25 and 25 of the five stats,
// 150 health and 120 mana without them, 40 armour, 72 and 66 attack power.
//
// Source: AuraEffect::HandleEffect and Unit::HandleStatModifier, AzerothCore.
func TestAuraWorth(t *testing.T) {
	type figure func(s *UnitStats) float32
	stat := func(i int) figure { return func(s *UnitStats) float32 { return float32(s.Shown.Stat[i]) } }
	resistance := func(i int) figure { return func(s *UnitStats) float32 { return s.Combat.Resistance[i] } }
	shown := func(i int) figure { return func(s *UnitStats) float32 { return float32(s.Shown.Resistance[i]) } }
	power := func(i int) figure { return func(s *UnitStats) float32 { return s.Combat.SpellPower[i] } }
	crit := func(i int) figure { return func(s *UnitStats) float32 { return s.Combat.Crit[i] } }
	might := func(i int) figure { return func(s *UnitStats) float32 { return s.Combat.AttackPower[i] } }
	swing := func(i int) figure { return func(s *UnitStats) float32 { return float32(s.Combat.SwingMs[i]) } }
	haste := func(i int) figure { return func(s *UnitStats) float32 { return s.Combat.Haste[i] } }
	health := func(s *UnitStats) float32 { return float32(s.MaxHealth) }
	mana := func(s *UnitStats) float32 { return float32(s.MaxPower) }
	armor := func(s *UnitStats) float32 { return s.Combat.Armor }
	speed := func(s *UnitStats) float32 { return s.Combat.Speed }
	healthRegen := func(s *UnitStats) float32 { return s.Combat.HealthRegen }
	manaRegen := func(s *UnitStats) float32 { return s.Combat.PowerRegen }
	done := func(s *UnitStats) float32 { return s.Combat.DamageDone }
	taken := func(s *UnitStats) float32 { return s.Combat.DamageTaken }
	cast := func(s *UnitStats) float32 { return s.Combat.CastSpeed }
	const all = 0x7F
	for _, c := range []struct {
		name         string
		kind         defs.AuraKind
		misc, amount int32
		of           figure
		without      float32
		with         float32
	}{
		{"strength", defs.AuraStat, 0, 6, stat(0), 20, 26},
		{"strength, of agility", defs.AuraStat, 0, 6, stat(1), 20, 20},
		{"all stats", defs.AuraStat, -1, 6, stat(4), 25, 31},
		{"a stat below none", defs.AuraStat, 0, -30, stat(0), 20, 0},
		{"half the base of stamina", defs.AuraStatPercent, 2, -50, stat(2), 30, 15},
		{"all of everything", defs.AuraTotalStatPercent, -1, 20, stat(3), 25, 30},
		{"all of intellect", defs.AuraTotalStatPercent, 3, 20, stat(4), 25, 25},
		{"stamina is ten health", defs.AuraStat, 2, 6, health, 270, 330},
		{"below twenty points it is one", defs.AuraStat, 2, -12, health, 270, 168},
		{"intellect is fifteen mana", defs.AuraStat, 3, 6, mana, 215, 305},
		{"intellect is spell crit", defs.AuraStat, 3, 10, crit(2), 2.5, 3.5},
		{"agility is two armour", defs.AuraStat, 1, 6, armor, 40, 52},
		{"armour", defs.AuraResistance, 1, 30, armor, 40, 70},
		{"armour is shown", defs.AuraResistance, 1, 30, shown(0), 40, 70},
		{"armour is no resistance", defs.AuraResistance, 1, 30, resistance(0), 0, 0},
		{"fire resistance", defs.AuraResistance, 4, 30, resistance(2), 0, 30},
		{"fire resistance is shown", defs.AuraResistance, 4, 30, shown(2), 0, 30},
		{"of frost", defs.AuraResistance, 4, 30, resistance(4), 0, 0},
		{"all resistances", defs.AuraResistance, all, 30, resistance(6), 0, 30},
		{"armour percent", defs.AuraResistancePercent, 1, 50, armor, 40, 60},
		{"armour percent is shown", defs.AuraResistancePercent, 1, 50, shown(0), 40, 60},
		{"no armour", defs.AuraResistance, 1, -90, armor, 40, 0},
		{"health", defs.AuraHealth, 0, 30, health, 270, 300},
		{"health percent", defs.AuraHealthPercent, 0, 10, health, 270, 297},
		{"never less than one", defs.AuraHealth, 0, -500, health, 270, 1},
		{"mana", defs.AuraPower, components.PowerMana, 30, mana, 215, 245},
		{"rage", defs.AuraPower, components.PowerRage, 30, mana, 215, 215},
		{"fire damage", defs.AuraDamageDone, 4, 12, power(2), 0, 12},
		{"fire damage, of frost", defs.AuraDamageDone, 4, 12, power(4), 0, 0},
		{"healing", defs.AuraHealingDone, 0, 12, func(s *UnitStats) float32 { return s.Combat.Healing }, 0, 12},
		{"damage percent", defs.AuraDamagePercent, all, 10, done, 1, 1.1},
		{"damage percent, of no school", defs.AuraDamagePercent, 0, 10, done, 1, 1.1},
		{"damage percent, of fire", defs.AuraDamagePercent, 4, 10, done, 1, 1},
		{"damage taken", defs.AuraDamageTakenPercent, all, -10, taken, 1, 0.9},
		{"damage taken, of fire", defs.AuraDamageTakenPercent, 4, -10, taken, 1, 1},
		{"healing percent", defs.AuraHealingPercent, 0, 10, func(s *UnitStats) float32 { return s.Combat.HealingDone }, 1, 1.1},
		{"healed", defs.AuraHealed, 0, -50, func(s *UnitStats) float32 { return s.Combat.Healed }, 1, 0.5},
		{"threat", defs.AuraThreat, 0, 45, func(s *UnitStats) float32 { return s.Combat.ThreatDone }, 1, 1.45},
		{"attack power", defs.AuraAttackPower, 0, 14, might(0), 72, 86},
		{"attack power, of shots", defs.AuraAttackPower, 0, 14, might(1), 66, 66},
		{"ranged attack power", defs.AuraRangedAttackPower, 0, 14, might(1), 66, 80},
		{"attack power below none", defs.AuraAttackPower, 0, -100, might(0), 72, 0},
		{"melee haste", defs.AuraMeleeHaste, 0, 25, swing(0), 2000, 1600},
		{"melee haste, of shots", defs.AuraMeleeHaste, 0, 25, swing(2), 2000, 2000},
		{"attack speed", defs.AuraAttackSpeed, 0, -20, swing(0), 2000, 2500},
		{"attack speed, as a factor", defs.AuraAttackSpeed, 0, -20, haste(0), 1, 1.25},
		{"ranged haste", defs.AuraRangedHaste, 0, 25, swing(2), 2000, 1600},
		{"ranged haste, as a factor", defs.AuraRangedHaste, 0, 25, haste(1), 1, 0.8},
		{"rounded to the nearest", defs.AuraMeleeHaste, 0, 20, swing(0), 2000, 1667},
		{"ten times as fast at most", defs.AuraMeleeHaste, 0, 5000, swing(0), 2000, 200},
		{"a tenth as fast at least", defs.AuraCastSpeed, 0, -99, cast, 1, 10},
		{"cast speed", defs.AuraCastSpeed, 0, 25, cast, 1, 0.8},
		{"speed", defs.AuraSpeedUp, 0, 60, speed, 1, 1.6},
		{"slow", defs.AuraSlow, 0, -40, speed, 1, 0.6},
		{"no slower than to stand", defs.AuraSlow, 0, -140, speed, 1, 0},
		{"parry", defs.AuraParry, 0, 3, func(s *UnitStats) float32 { return s.Combat.Parry }, 4, 7},
		{"parry below none", defs.AuraParry, 0, -9, func(s *UnitStats) float32 { return s.Combat.Parry }, 4, 0},
		{"dodge", defs.AuraDodge, 0, 3, func(s *UnitStats) float32 { return s.Combat.Dodge }, 6, 9},
		{"dodge below none", defs.AuraDodge, 0, -9, func(s *UnitStats) float32 { return s.Combat.Dodge }, 6, 0},
		{"block", defs.AuraBlock, 0, 3, func(s *UnitStats) float32 { return s.Combat.Block }, 0, 3},
		{"block below none", defs.AuraBlock, 0, -3, func(s *UnitStats) float32 { return s.Combat.Block }, 0, 0},
		{"hit", defs.AuraHit, 0, 3, func(s *UnitStats) float32 { return s.Combat.Hit }, 0, 3},
		{"crit", defs.AuraCrit, 0, 3, crit(0), 7, 10},
		{"crit of shots", defs.AuraCrit, 0, 3, crit(1), 7, 10},
		{"crit, of spells", defs.AuraCrit, 0, 3, crit(2), 2.5, 2.5},
		{"spell crit", defs.AuraSpellCrit, 0, 3, crit(2), 2.5, 5.5},
		{"crit below none", defs.AuraSpellCrit, 0, -30, crit(2), 2.5, 0},
		{"health in five seconds", defs.AuraRegen, 0, 5, healthRegen, 2.68, 3.68}, // 0.08 * 25 * 1.34
		{"mana in five seconds", defs.AuraPowerRegen, components.PowerMana, 5, manaRegen, 2.63654, 3.63654},
		{"rage in five seconds", defs.AuraPowerRegen, components.PowerRage, 5, manaRegen, 2.63654, 2.63654},
	} {
		d := worths()
		before := PlayerStats(d, 1, 3, 11, nil, wearing())
		after := PlayerStats(d, 1, 3, 11, nil, wearing(components.Aura{
			Spell: worthOf(c.kind, c.misc), Effects: 1, Stacks: 1, Amount: [3]int32{c.amount}}))
		if got := c.of(&before); !near(got, c.without) {
			t.Errorf("%s: %v without the aura, want %v", c.name, got, c.without)
		}
		if got := c.of(&after); !near(got, c.with) {
			t.Errorf("%s: %v with the aura, want %v", c.name, got, c.with)
		}
	}
}

// An aura counts for each of its stacks, and for those of its effects that have been applied. One of an unknown spell does not.
//
// Source: AuraEffect::CalculateAmount, AzerothCore (times the stacks).
func TestStacksAndEffects(t *testing.T) {
	d := worths()
	spell := d.Spell(worthOf(defs.AuraStat, 0))
	spell.Effects[1] = defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Misc: 1}
	for _, c := range []struct {
		name              string
		aura              components.Aura
		strength, agility uint32
	}{
		{"both effects", components.Aura{Effects: 3, Stacks: 1}, 23, 25},
		{"the first", components.Aura{Effects: 1, Stacks: 1}, 23, 20},
		{"the second, three times", components.Aura{Effects: 2, Stacks: 3}, 20, 35},
		{"without a number of stacks", components.Aura{Effects: 3}, 23, 25},
		{"an unknown spell", components.Aura{Effects: 3, Stacks: 1, Spell: 1 << 20}, 20, 20},
	} {
		c.aura.Amount = [3]int32{3, 5}
		if c.aura.Spell == 0 {
			c.aura.Spell = spell.ID
		}
		s := PlayerStats(d, 1, 3, 11, nil, wearing(c.aura))
		if got := s.Shown.Stat; got[0] != c.strength || got[1] != c.agility {
			t.Errorf("%s: %v, want %d and %d", c.name, got, c.strength, c.agility)
		}
	}
}
