package components

import (
	"math"

	"muster/ecs/grid"
)

// Position is the place of an entity, in yards, and its orientation, in radians within [0, 2π).
type Position struct{ X, Y, Z, O float32 }

// MaxHeight bounds |Z|.
//
// Source: MAX_HEIGHT, GridDefines.h, AzerothCore.
const MaxHeight = 100000

// OnMap reports whether a place is within the bounds of maps; it is false if a coordinate is not a number.
func (p Position) OnMap() bool {
	return grid.Inside(p.X, p.Y) && p.Z >= -MaxHeight && p.Z <= MaxHeight
}

// maxTurn limits an orientation, radians: beyond it float32 is too coarse to distinguish directions.
const maxTurn = 1e6

// Facing is an orientation normalized to [0, 2π). It is false, and 0, for one that is not a number or too large.
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
