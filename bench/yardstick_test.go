package bench

import (
	"hash/fnv"
	"math"
	"testing"
	"time"
)

// scriptedClock is a clock whose n-th two readings are so far apart.
func scriptedClock(spans ...time.Duration) func() time.Duration {
	var now time.Duration
	reads := 0
	return func() time.Duration {
		if reads++; reads%2 == 0 {
			now += spans[(reads/2-1)%len(spans)]
		}
		return now
	}
}

// Work is its median in turns of the loop by its median: one sample that something else has slowed down changes nothing,
// nor does a processor that is half as fast.
func TestWorkIsInTurnsOfTheLoop(t *testing.T) {
	for name, slow := range map[string]time.Duration{"fast": 1, "half as fast": 2} {
		c := Config{clock: scriptedClock(30*slow, 10*slow, 3000*slow, 11*slow, 30*slow, 900*slow)}
		y := c.yardstick()
		for range 3 {
			y.time(func() {})
		}
		if got, want := y.turns(), 30./11*loopPasses*loopWords; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v turns, want %v", name, got, want)
		}
		if got := y.turns(); !math.IsNaN(got) {
			t.Errorf("%s: nothing was noted, and took %v turns", name, got)
		}
	}
}

// A cost that grows with the square misses the gates of work, and one in step with the size does not, whatever the loop
// takes: those of one world and of the next are taken in turn.
func TestWorkTellsSquaresApart(t *testing.T) {
	sizes := []float64{1_000, 3_000, 10_000}
	for power, missed := range map[float64]bool{1: false, 2: true} {
		var spans []time.Duration
		for range 5 {
			for i, n := range sizes {
				spans = append(spans, time.Duration(math.Pow(n, power)), time.Duration(7_000+i))
			}
		}
		at := 0 // each world has a yardstick of its own: they share the clock
		clock := scriptedClock(spans...)
		c := Config{clock: clock}
		one := func(y *yardstick) {
			at++
			y.time(func() {})
		}
		work := growth{sizes, c.inTurns(5, one, one, one)}
		if got := work.exponent(); math.Abs(got-power) > 0.001 || got > 1.2+exponentMargin != missed || at != 15 {
			t.Errorf("exponent %v of the power %v, of %d ticks", got, power, at)
		}
	}
}

// The loop is the hash that it is said to be, of which the compiler leaves nothing out.
//
// Source: FNV-1a of 64 bits, as hash/fnv has it.
func TestLoopHashes(t *testing.T) {
	const basis = 0xcbf29ce484222325
	h := fnv.New64a()
	h.Write([]byte{0, 7, 250})
	if got := turn([]uint64{basis, 7, 250}); got != h.Sum64() {
		t.Errorf("%x, want %x", got, h.Sum64())
	}
}
