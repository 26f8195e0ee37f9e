package walkscene

import (
	"math"
	"math/rand/v2"

	"muster/components/defs"
)

// A Walker is a player that runs in a circle.
type Walker struct{ X, Y, Radius, Angle float64 }

// Circling returns a player that runs around a point, nowhere farther from it than so many yards. Many of
// them fill the disc evenly.
func Circling(dice *rand.Rand, x, y, within float64) Walker {
	return Walker{x, y, within * math.Sqrt(1-0.9*dice.Float64()), 2 * math.Pi * dice.Float64()}
}

// Run takes the walker so many yards on.
func (w *Walker) Run(yards float64) { w.Angle = math.Mod(w.Angle+yards/w.Radius, 2*math.Pi) }

// At is where the walker is and where it looks.
func (w *Walker) At(m *defs.Map) (x, y, z, o float32) {
	sin, cos := math.Sincos(w.Angle)
	x, y = float32(w.X+w.Radius*cos), float32(w.Y+w.Radius*sin)
	return x, y, m.Height(x, y), float32(math.Mod(w.Angle+math.Pi/2, 2*math.Pi))
}
