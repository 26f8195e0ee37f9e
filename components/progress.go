package components

// Progress is a player's experience, points and money, sent to itself alone.
//
// Source: PLAYER_XP and following, protocol.md appendix A.
type Progress struct {
	XP              uint32    `v12340:"0x27A"`
	NextXP          uint32    `v12340:"0x27B"` // of the next level
	CharacterPoints [2]uint32 `v12340:"0x3FC"` // talents, professions
	Coinage         uint32    `v12340:"0x492"` // copper
	MaxLevel        uint32    `v12340:"0x4FF"`
}
