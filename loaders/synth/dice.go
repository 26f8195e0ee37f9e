package synth

import (
	"math"
	"math/rand/v2"
)

// A purpose is what random numbers are for. Each purpose and index has a stream of its own, so that a
// change to one thing leaves all others as they were.
type purpose uint64

const (
	forGround purpose = iota + 1
	forMaps
	forCreatures
	forSpawn   // by number of the creature
	forArrival // by number of the character
	forHerd
	forRare
)

// dice are a stream of random numbers. No sine or cosine is made of them: those may differ from one
// machine to another in their last bit.
type dice struct {
	*rand.Rand
	pcg  rand.PCG
	seed uint64
}

func newDice(seed uint64, p purpose) *dice {
	d := &dice{seed: mix(seed + mix(uint64(p)))}
	d.Rand = rand.New(&d.pcg)
	d.turn(0)
	return d
}

// turn goes to the stream of an index.
func (d *dice) turn(index uint64) { d.pcg.Seed(d.seed, mix(d.seed^index)) }

// between is a number in [lo, hi).
func (d *dice) between(lo, hi float64) float64 { return lo + float64(d.Float64()*(hi-lo)) }

// disc is a point of the disc of radius 1, evenly.
func (d *dice) disc() (x, y float64) {
	for {
		x, y = d.between(-1, 1), d.between(-1, 1)
		if square(x, y) <= 1 {
			return x, y
		}
	}
}

// direction is a point of the circle of radius 1, evenly.
func (d *dice) direction() (x, y float64) {
	for {
		x, y = d.disc()
		if s := square(x, y); s > 1e-4 {
			r := math.Sqrt(s)
			return x / r, y / r
		}
	}
}

// facing is an orientation, within [0, 2π).
func (d *dice) facing() float32 { return d.Float32() * (2 * math.Pi) }

// square is the square of a distance. The products are rounded by themselves, as everywhere in this
// package: fused with the sum they would differ from one machine to another.
func square(x, y float64) float64 { return float64(x*x) + float64(y*y) }

// mix spreads a number over 64 bits, one to one.
//
// Source: splitmix64, Sebastiano Vigna, public domain.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
