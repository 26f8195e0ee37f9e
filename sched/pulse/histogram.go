package pulse

import (
	"sync/atomic"
	"time"
)

// tickBounds divide what ticks take: finely around the step, at which players begin to feel it.
var tickBounds = []time.Duration{
	100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond,
	40 * time.Millisecond, 50 * time.Millisecond, 75 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second,
}

// systemBounds divide what systems take.
var systemBounds = []time.Duration{
	10 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond,
	time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond, time.Second,
}

// A Histogram counts durations by size. One goroutine observes; any reads.
type Histogram struct {
	bounds []time.Duration
	counts []atomic.Uint64 // one more, for what is beyond the last bound
	sum    atomic.Int64
}

func newHistogram(bounds []time.Duration) *Histogram {
	return &Histogram{bounds: bounds, counts: make([]atomic.Uint64, len(bounds)+1)}
}

func (h *Histogram) observe(d time.Duration) {
	i := 0
	for i < len(h.bounds) && d > h.bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// Read returns how many durations there were up to and including each bound, how many in all, and their sum. The
// three may be of moments that are a tick apart.
func (h *Histogram) Read() (upTo map[float64]uint64, n uint64, sum time.Duration) {
	upTo = make(map[float64]uint64, len(h.bounds))
	for i := range h.counts {
		n += h.counts[i].Load()
		if i < len(h.bounds) {
			upTo[h.bounds[i].Seconds()] = n
		}
	}
	return upTo, n, time.Duration(h.sum.Load())
}
