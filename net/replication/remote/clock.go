package remote

import "time"

// began is the moment from which this process counts.
var began = time.Now()

// sinceBegan is the machine's monotonic clock.
func sinceBegan() time.Duration { return time.Since(began) }

// clockSamples is over how many questions the quickest answer is looked for: two seconds of heartbeats at first, and then eight.
const clockSamples = 8

// A clock estimates how far another clock is ahead of the machine's: by the answer that was the quickest of the last ones,
// whose error is at most half of the time that it took.
//
// Source: RFC 5905, 10, the clock filter.
type clock struct {
	samples [clockSamples]clockSample
	n       int
}

type clockSample struct{ took, offset time.Duration }

// full reports whether there have been as many answers as are looked at.
func (c *clock) full() bool { return c.n >= clockSamples }

// add adds an answer, and returns the estimate.
func (c *clock) add(took, offset time.Duration) time.Duration {
	c.samples[c.n%clockSamples] = clockSample{took, offset}
	c.n++
	return c.best().offset
}

// took is what the quickest answer took, 0 if there is none.
func (c *clock) took() time.Duration { return c.best().took }

// best is the answer that was the quickest.
func (c *clock) best() clockSample {
	best := c.samples[0]
	for _, s := range c.samples[1:max(min(c.n, clockSamples), 1)] {
		if s.took < best.took {
			best = s
		}
	}
	return best
}
