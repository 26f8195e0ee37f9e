package bench

import (
	"runtime"
	"slices"
	"time"
)

// A yardstick measures work by the processor time of the calling thread, to which its goroutine is locked, in turns of a
// loop that is timed in turn with the work. A processor that is slow, or shared with others, is so for both, and time in
// which the thread does not run counts for neither. It is a measure for gates where no instructions are counted: not as
// sharp, so they have a margin.
type yardstick struct {
	clock      func() time.Duration // processor time of the thread
	work, loop []float64            // nanoseconds, of the n-th call, and of the loop after it
}

const (
	loopWords  = 2 << 10 // of 8 bytes: the nearest cache holds them
	loopPasses = 8       // of the loop for each sample: some 20 µs
	// loopInstructions is what one turn of the loop executes: load, exclusive or, multiply, and three for the loop itself.
	loopInstructions = 6
)

var loopOver [loopWords]uint64

// turn hashes some words, one after the other, as FNV-1a does with bytes: one step waits for the one before.
//
//go:noinline
func turn(words []uint64) (sum uint64) {
	for _, w := range words {
		sum = (sum ^ w) * 0x100000001b3
	}
	return sum
}

// yardstick returns one for the calling thread.
func (c *Config) yardstick() *yardstick {
	if c.clock != nil {
		return &yardstick{clock: c.clock}
	}
	return &yardstick{clock: threadTime}
}

// time has something done, and notes what it took.
func (y *yardstick) time(do func()) {
	start := y.clock()
	do()
	y.add(y.clock() - start)
}

// add notes what something took just now, and times the loop.
func (y *yardstick) add(took time.Duration) {
	y.work = append(y.work, float64(took))
	y.loop = append(y.loop, float64(y.timeLoop()))
}

// timeLoop is what the loop takes now.
func (y *yardstick) timeLoop() time.Duration {
	start, sum := y.clock(), uint64(0)
	for range loopPasses {
		sum ^= turn(loopOver[:])
	}
	runtime.KeepAlive(sum)
	return y.clock() - start
}

// turns is what was noted since the last call: the median of the work, in turns of the loop. It is not a number if
// nothing was.
func (y *yardstick) turns() float64 {
	work := middle(y.work)
	return work / y.turnNanos()
}

// turnNanos is what a turn of the loop took since the last call, as the median, in nanoseconds.
func (y *yardstick) turnNanos() float64 {
	loop := middle(y.loop)
	y.work, y.loop = y.work[:0], y.loop[:0]
	return loop / (loopPasses * loopWords)
}

// inTurns has several things done, each so often and one of each in turn, so that what else the machine does it does to
// all. It says how many turns of the loop each takes.
func (c *Config) inTurns(times int, do ...func(y *yardstick)) []float64 {
	sticks, turns := make([]*yardstick, len(do)), make([]float64, len(do))
	for i := range do {
		sticks[i] = c.yardstick()
	}
	for range times {
		for i, one := range do {
			one(sticks[i])
		}
	}
	for i, y := range sticks {
		turns[i] = y.turns()
	}
	return turns
}

// middle is the median of some values, which it sorts.
func middle(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// How much more a gate of turns allows than one of instructions: the caches and the predictors of a processor have a
// part in the time, and so has what runs beside the thread. A cost that follows the square of what it is to follow is
// beyond the margin.
const (
	ratioMargin    = 2
	exponentMargin = 0.25
)
