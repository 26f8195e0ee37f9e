package experience

// BaseGain is the experience that a player of a level gets for a kill of a creature of another.
//
// Source: Acore::XP::BaseGain, AzerothCore, where the maps have these levels and not the creatures.
func BaseGain(player, creature uint32) uint32 {
	base := uint32(45)
	switch {
	case creature > 70:
		base = 580
	case creature > 60:
		base = 235
	}
	if creature >= player {
		return ((player*5+base)*(20+min(creature-player, 4))/10 + 1) / 2
	}
	if creature <= GreyLevel(player) {
		return 0
	}
	zero := zeroDifference(player)
	return (player*5 + base) * (zero + creature - player) / zero
}

// GreyLevel is the highest level of creatures that give a player no experience.
//
// Source: Acore::XP::GetGrayLevel, AzerothCore.
func GreyLevel(player uint32) uint32 {
	switch {
	case player <= 5:
		return 0
	case player <= 39:
		return player - 5 - player/10
	case player <= 59:
		return player - 1 - player/5
	}
	return player - 9
}

// zeroDifference is the number of levels below a player's at which a creature gives no experience, by which the gain
// falls with the difference.
//
// Source: Acore::XP::GetZeroDifference, AzerothCore.
func zeroDifference(player uint32) uint32 {
	for _, step := range [...]struct{ below, difference uint32 }{
		{8, 5}, {10, 6}, {12, 7}, {16, 8}, {20, 9}, {30, 11}, {40, 12}, {45, 13}, {50, 14}, {55, 15}, {60, 16},
	} {
		if player < step.below {
			return step.difference
		}
	}
	return 17
}
