// Package visibility computes which objects see which, each tick anew and for all: by cells and frames, as muster does, and by
// objects that visit each other, as servers are usually written. Both follow the same rule and find the same pairs:
// an object sees those whose home cell is in its view (package grid).
package visibility

import (
	"math"
	"math/rand/v2"

	"muster/ecs/grid"
)

// A Place is a point around which an object moves.
type Place struct{ X, Y float32 }

// strollYards is how far from its place an object goes, to one side and to the other: it stays in its home cell.
const strollYards = 0.35

const (
	hubMembers = 100
	hubSigma   = 54 // yards
	worldYards = 17_066
)

// Hubs is so many in clusters of a hundred, about fifty of which see each other. They are in random order: players that log
// in one after another are not near each other.
func Hubs(n int) []Place {
	dice := rand.New(rand.NewPCG(3, 1))
	places := make([]Place, n)
	var x, y float64
	for i := range places {
		if i%hubMembers == 0 {
			x, y = (dice.Float64()-0.5)*worldYards, (dice.Float64()-0.5)*worldYards
		}
		places[i] = Place{float32(x + hubSigma*dice.NormFloat64()), float32(y + hubSigma*dice.NormFloat64())}
	}
	dice.Shuffle(n, func(i, k int) { places[i], places[k] = places[k], places[i] })
	return places
}

// Disc is so many in one disc of a radius in yards.
func Disc(n int, radius float64) []Place {
	dice := rand.New(rand.NewPCG(3, 2))
	places := make([]Place, n)
	for i := range places {
		r, angle := radius*math.Sqrt(dice.Float64()), 2*math.Pi*dice.Float64()
		places[i] = Place{float32(r * math.Cos(angle)), float32(r * math.Sin(angle))}
	}
	return places
}

// stroll is where an object is in a tick.
func (p Place) stroll(tick uint64) (x, y float32) {
	side := float32(strollYards)
	if tick%2 == 0 {
		side = -side
	}
	return p.X + side, p.Y - side
}

// home is the cell of an object of a place at the start.
func (p Place) home() grid.Cell { return grid.At(p.X, p.Y, grid.Living) }

// guid names the n-th. All take the same room on the wire.
func guid(n int) uint64 {
	return 0x0101_0101 + uint64(n)%255 + uint64(n)/255%255<<8 + uint64(n)/255/255<<16
}

// Pairs is what was found in a tick: how many pairs there are, and a sum by which two sets of them can be compared.
type Pairs struct {
	Count int
	Sum   uint64
}

func (p *Pairs) add(observer int, subject uint64) {
	p.Count++
	p.Sum += (uint64(observer)*0x9E3779B97F4A7C15 ^ subject) * 0xBF58476D1CE4E5B9
}
