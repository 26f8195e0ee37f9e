package rules

import (
	"math"

	"muster/components"
	"muster/ecs"
)

// RewardRage gives a unit whose power is rage some of it for a hit it has dealt: swingMs is the weapon's swing time.
func (b *Book) RewardRage(e ecs.Entity, damage, swingMs uint32, offHand, crit bool) {
	if b.vitals.Get(e).MaxPower[components.PowerRage] > 0 {
		b.Energize(e, components.PowerRage, rageDealt(damage, b.units.Get(e).Level, swingMs, offHand, crit))
	}
}

// rageFromDamageTaken gives a unit whose power is rage some of it for damage it has taken.
func (b *Book) rageFromDamageTaken(e ecs.Entity, damage uint32) {
	if b.vitals.Get(e).MaxPower[components.PowerRage] > 0 {
		b.Energize(e, components.PowerRage, rageTaken(damage, b.units.Get(e).Level))
	}
}

// rageDealt returns the rage, in tenths, for damage dealt with a weapon that swings every swingMs.
//
// Source: Unit::RewardRage and Unit::DealMeleeDamage, AzerothCore (build 12340): damage over the conversion of the
// level times 7.5, and 3.5 for each second of a main hand's swing, half of it for an off hand's, twice for a critical
// blow; half of the sum.
func rageDealt(damage, level, swingMs uint32, offHand, crit bool) int32 {
	factor := 3.5
	if offHand {
		factor /= 2
	}
	if crit {
		factor *= 2
	}
	return tenths((float64(float64(damage)/conversion(level)*7.5) + float64(float64(swingMs)/1000*factor)) / 2)
}

// rageTaken returns the rage, in tenths, for damage taken.
//
// Source: Unit::RewardRage, AzerothCore (2.5 times the damage over the conversion).
func rageTaken(damage, level uint32) int32 {
	return tenths(float64(damage) / conversion(level) * 2.5)
}

// conversion returns the damage that a point of rage stands for. Above level 70 it grows faster.
//
// Source: Unit::RewardRage, AzerothCore.
func conversion(level uint32) float64 {
	l := float64(level)
	c := float64(0.0091107836*l*l) + float64(3.225598133*l) + 4.2652911
	if level > 70 {
		c += float64(13.27 * (l - 70))
	}
	return c
}

func tenths(rage float64) int32 { return int32(math.Min(rage*10, 1000)) }
