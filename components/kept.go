package components

import "muster/components/life"

// Kept is what a snapshot said of a player last, but for its lists and the time it has played: who differs from it
// has something to tell.
type Kept struct {
	At          Position
	Health      uint32
	Power       [7]uint32
	Level       uint32
	XP          uint32
	MoneyCopper uint32
	Death       life.Death
	Bind        life.Place
}
