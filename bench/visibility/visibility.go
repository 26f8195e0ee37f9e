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
type Place struct {
	X, Y float32
	// Path is how many yards from there it turns back, if it walks to and fro and does not stroll; and Phase how far it is
	// on its way in the first tick.
	Path, Phase float32
}

const (
	// strollYards is how far from its place an object goes, to one side and to the other: it stays in its home cell.
	strollYards = 0.35
	// walkYards is how far from its place an object walks, and paceYards how far in a tick of 50 ms.
	//
	// Source: playerBaseMoveSpeed, 7 yards per second, AzerothCore.
	walkYards = 40
	paceYards = 0.35
)

const (
	hubMembers = 100
	hubSigma   = 54 // yards
	worldYards = 17_066
)

// Hubs is so many in clusters of a hundred, about fifty of which see each other. They are in random order: players that log
// in one after another are not near each other.
func Hubs(n int) []Place {
	places, dice := hubs(n)
	dice.Shuffle(n, func(i, k int) { places[i], places[k] = places[k], places[i] })
	return places
}

// HubsInOrder are the same, cluster by cluster.
func HubsInOrder(n int) []Place {
	places, _ := hubs(n)
	return places
}

// HubsOfWalkers are those of Hubs, and walk to and fro as fast as players run: about one in a hundred comes into another cell in
// each tick.
func HubsOfWalkers(n int) []Place {
	places := Hubs(n)
	dice := rand.New(rand.NewPCG(3, 3))
	for i := range places {
		places[i].Path = walkYards
		places[i].Phase = 4 * walkYards * dice.Float32()
	}
	return places
}

// hubs are the places of Hubs before they are shuffled, and what shuffles them.
func hubs(n int) ([]Place, *rand.Rand) {
	dice := rand.New(rand.NewPCG(3, 1))
	places := make([]Place, n)
	var x, y float64
	for i := range places {
		if i%hubMembers == 0 {
			x, y = (dice.Float64()-0.5)*worldYards, (dice.Float64()-0.5)*worldYards
		}
		places[i] = Place{X: float32(x + hubSigma*dice.NormFloat64()), Y: float32(y + hubSigma*dice.NormFloat64())}
	}
	return places, dice
}

// Disc is so many in one disc of a radius in yards.
func Disc(n int, radius float64) []Place {
	dice := rand.New(rand.NewPCG(3, 2))
	places := make([]Place, n)
	for i := range places {
		r, angle := radius*math.Sqrt(dice.Float64()), 2*math.Pi*dice.Float64()
		places[i] = Place{X: float32(r * math.Cos(angle)), Y: float32(r * math.Sin(angle))}
	}
	return places
}

// stroll is where an object is in a tick.
func (p Place) stroll(tick uint64) (x, y float32) {
	if p.Path > 0 {
		return p.X + p.along(tick), p.Y
	}
	side := float32(strollYards)
	if tick%2 == 0 {
		side = -side
	}
	return p.X + side, p.Y - side
}

// along is how far from its place an object is that walks to and fro: from one end of its path to the other, and back.
func (p Place) along(tick uint64) float32 {
	way := float32(math.Mod(float64(p.Phase)+paceYards*float64(tick), 4*float64(p.Path)))
	if way > 2*p.Path {
		way = 4*p.Path - way
	}
	return way - p.Path
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
