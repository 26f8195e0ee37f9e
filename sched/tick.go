// Package sched is when systems run: their order within a tick, and the fixed step of the loop that runs them.
package sched

import "time"

// A Tick is the only clock and the only source of random numbers of a system.
type Tick struct {
	N       uint64        // ascending from 1: the time of the tick in quanta; a step is some quanta, and a map that was idle skips more
	NowMs   uint32        // time of the world at this tick, milliseconds since its start
	Quantum time.Duration // the time that N counts
	Seed    uint64
}

// After returns the first tick at or after a delay from this one, at least one quantum ahead.
func (t Tick) After(delay time.Duration) uint64 {
	return t.N + max(1, uint64((delay+t.Quantum-1)/t.Quantum))
}

// Dice returns random numbers that depend only on the world's seed, the tick, the purpose and the entity: a replay
// draws the same.
func (t Tick) Dice(purpose string, subject uint64) Dice {
	h := mix(t.Seed ^ mix(t.N) ^ mix(subject+0x9E3779B97F4A7C15))
	for i := range len(purpose) {
		h = mix(h ^ uint64(purpose[i]))
	}
	return Dice{h}
}

// Dice is a stream of random numbers: SplitMix64, whose output function is also its seed scrambler.
//
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
type Dice struct{ state uint64 }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uint64 returns the next number.
func (d *Dice) Uint64() uint64 {
	d.state += 0x9E3779B97F4A7C15
	return mix(d.state)
}

// Float32 returns a number in [0, 1).
func (d *Dice) Float32() float32 { return float32(d.Uint64()>>40) * (1.0 / (1 << 24)) }

// Between returns a number in [lo, hi).
func (d *Dice) Between(lo, hi float32) float32 {
	return lo + float32((hi-lo)*d.Float32())
}

// Intn returns a number in [0, n), for n > 0.
func (d *Dice) Intn(n int) int { return int((d.Uint64() >> 1) % uint64(n)) }
