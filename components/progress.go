package components

// Progress is how far a player has come, for its own eyes.
//
// Source: PLAYER_XP and following, protocol.md appendix A.
type Progress struct {
	XP              uint32    `v12340:"0x27A"`
	NextXP          uint32    `v12340:"0x27B"` // what the next level takes
	CharacterPoints [2]uint32 `v12340:"0x3FC"` // talents, professions
	Coinage         uint32    `v12340:"0x492"` // copper
	MaxLevel        uint32    `v12340:"0x4FF"`
}
