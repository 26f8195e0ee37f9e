package synth

import "muster/components/defs"

// Base returns what an ordinary creature has at a level: health, the average damage of a hit every two seconds, and armour. Those
// of templates are multiples, but for critters'.
func Base(level uint8) (hp uint32, hit, armor float32) {
	return health(level, defs.TypeBeast, defs.RankNormal), hitOf(level, defs.TypeBeast, defs.RankNormal), armorOf(level)
}
