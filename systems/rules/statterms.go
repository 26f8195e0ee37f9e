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

// UnitStats are the stats of a unit, computed from its class or template, level, items and auras.
type UnitStats struct {
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

// setHandDamage sets the damage of a hand: that of its weapon and what attack power adds to it.
//
// Source: Unit::CalculateMinMaxDamage, AzerothCore (14 attack power are one point of damage a second).
func setHandDamage(p *components.CombatStats, hand int, w weapon, power float32, factor float32) {
	more := float32(power/14) * (float32(w.delayMs) / 1000)
	p.MinDamage[hand] = max(float32((w.min+more)*factor), 0)
	p.MaxDamage[hand] = max(float32((w.max+more)*factor), p.MinDamage[hand])
	p.SwingMs[hand] = w.delayMs
}

// whole rounds a number to what clients see.
func whole(v float32) uint32 { return uint32(math.Round(float64(max(v, 0)))) }
