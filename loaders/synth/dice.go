package synth

import (
	"math"
	"math/rand/v2"
)

// A purpose is what random numbers are for. Each purpose and index has a stream of its own, so that a change to one
// thing does not change others.
type purpose uint64

const (
	forGround purpose = iota + 1
	forMaps
	forCreatures
	forSpawn   // by number of the creature
	forArrival // by number of the character
	forHerd
	forRare
	forDungeon
)

// dice are a stream of random numbers. No sine or cosine is computed from them: those may differ from one machine to
// another in their last bit.
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

// between returns a number in [lo, hi).
func (d *dice) between(lo, hi float64) float64 { return lo + float64(d.Float64()*(hi-lo)) }

// disc returns a point of the disc of radius 1, uniformly.
func (d *dice) disc() (x, y float64) {
	for {
		x, y = d.between(-1, 1), d.between(-1, 1)
		if square(x, y) <= 1 {
			return x, y
		}
	}
}

// direction returns a point of the circle of radius 1, uniformly.
func (d *dice) direction() (x, y float64) {
	for {
		x, y = d.disc()
		if s := square(x, y); s > 1e-4 {
			r := math.Sqrt(s)
			return x / r, y / r
		}
	}
}

// facing returns an orientation, within [0, 2π).
func (d *dice) facing() float32 { return d.Float32() * (2 * math.Pi) }

// square returns the square of a distance. The products are rounded separately, as everywhere in this package: fused
// with the sum they would differ from one machine to another.
func square(x, y float64) float64 { return float64(x*x) + float64(y*y) }

// mix maps a number to 64 bits, one to one.
//
// Source: splitmix64, Sebastiano Vigna, public domain.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
