package life

// A State is what is always told of a player, in one flat piece: all of a life but its lists, and where the player is.
type State struct {
	At          Place
	Level       uint32
	XP          uint32
	MoneyCopper uint32
	Health      uint32
	Power       [7]uint32
	Death       Death
	Bind        Place

	PlayedSec      uint32
	LevelPlayedSec uint32

	Begun uint32 // 1 for true
}
