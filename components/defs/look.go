package defs

// MaxLookAuras is how many auras a creature is spawned with at most, our own choice.
const MaxLookAuras = 4

// A Look is what a creature wears and how it holds itself, as clients see it. The zero value is nothing of it.
type Look struct {
	Items      [3]uint32 // entries of what it holds: main hand, off hand, ranged
	Mount      uint32    // a display; 0 on foot
	Emote      uint32    // that lasts; 0 none
	Stand      uint8     // components.Standing and following
	Visibility uint8     // components.ByteVisibility
	AnimTier   uint8
	Sheath     uint8 // 0 weapons put away, 1 melee, 2 ranged
	PvP        uint8 // components.BytePvP

	Auras [MaxLookAuras]uint32 // spells, 0 none: their auras are on it for as long as nothing takes them away, and again after a fight
}
