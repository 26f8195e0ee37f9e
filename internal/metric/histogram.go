package metric

import (
	"sync/atomic"
	"time"
)

// A Histogram counts durations by size. Any goroutine may observe and read; it allocates nothing and takes no lock.
type Histogram struct {
	bounds []time.Duration
	counts []atomic.Uint64 // one more, for what is beyond the last bound
	sum    atomic.Int64
}

// NewHistogram returns one that divides durations at ascending bounds.
func NewHistogram(bounds ...time.Duration) *Histogram {
	return &Histogram{bounds: bounds, counts: make([]atomic.Uint64, len(bounds)+1)}
}

// Observe counts a duration. Most are expected below the first few bounds.
func (h *Histogram) Observe(d time.Duration) {
	i := 0
	for i < len(h.bounds) && d > h.bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// Read returns how many durations there were up to and including each bound in seconds, how many in all, and their
// sum. What is observed meanwhile may be in some of these and not in others.
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
