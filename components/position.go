package components

import (
	"math"

	"muster/ecs/grid"
)

// Position is where something is, in yards, and where it faces, in radians within [0, 2π).
type Position struct{ X, Y, Z, O float32 }

// MaxHeight bounds |Z|.
//
// Source: MAX_HEIGHT, GridDefines.h, AzerothCore.
const MaxHeight = 100000

// OnMap reports whether there is such a place; it is false if a coordinate is not a number.
func (p Position) OnMap() bool {
	return grid.Inside(p.X, p.Y) && p.Z >= -MaxHeight && p.Z <= MaxHeight
}

// maxTurn bounds an orientation, radians: beyond it float32 is too coarse to tell one from the next.
const maxTurn = 1e6

// Facing is an orientation brought into [0, 2π). It is false, and 0, for one that is no number or so large
// that it says nothing.
func Facing(o float32) (within float32, ok bool) {
	switch {
	case o >= 0 && o < 2*math.Pi:
		return o, true
	case !(o >= -maxTurn && o <= maxTurn):
		return 0, false
	}
	turn := math.Mod(float64(o), 2*math.Pi)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	if within = float32(turn); within >= 2*math.Pi {
		within = 0
	}
	return within, true
}

// A Vec is a point in yards.
type Vec struct{ X, Y, Z float32 }

// Vec is the point without the orientation.
func (p Position) Vec() Vec { return Vec{p.X, p.Y, p.Z} }
