package rules

import (
	"math/bits"

	"muster/components"
	"muster/components/defs"
	"muster/sched"
)

// Resistance returns the average fraction of a spell of some schools that a unit with some stats resists, for a
// caster's level.
//
// Source: Unit::GetEffectiveResistChance, AzerothCore.
func Resistance(of *components.CombatStats, schools, level uint32) float32 {
	if schools&defs.SchoolMagic == 0 || schools&defs.SchoolHoly != 0 {
		return 0
	}
	worth := of.Resistance[bits.TrailingZeros32(schools)]
	return worth / max(worth+float32(5*level), 1)
}

// Resists draws how much of damage a unit resists that resists so much of it on average.
func Resists(dice *sched.Dice, average, damage float32) float32 {
	return float32(damage * resisted(dice, average))
}

// resisted draws what part of damage is resisted, in tenths.
//
// Source: Unit::CalcAbsorbResist, AzerothCore.
func resisted(dice *sched.Dice, average float32) float32 {
	if average <= 0 {
		return 0
	}
	thrown := dice.Float32()
	for tenth := 0; tenth < 10; tenth++ {
		if thrown -= tenthChance(average, tenth); thrown < 0 {
			return float32(tenth) / 10
		}
	}
	return 1
}

// tenthChance returns the chance that exactly so many tenths are resisted.
func tenthChance(average float32, tenth int) float32 {
	if average <= 0.1 {
		switch tenth {
		case 0:
			return 1 - float32(7.5*average)
		case 1:
			return 5 * average
		case 2:
			return 2.5 * average
		}
		return 0
	}
	off := float32(tenth)/10 - average
	if off < 0 {
		off = -off
	}
	return max(0.5-float32(2.5*off), 0)
}
