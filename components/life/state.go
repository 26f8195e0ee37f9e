package life

// A State is what is in every snapshot of a player, in one flat piece: all of a life but its lists, and the place of
// the player.
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
