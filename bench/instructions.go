package bench

import (
	"errors"
	"math"
)

// A counter counts what the calling thread, to which its goroutine is locked, executes.
type counter interface {
	// read is how many instructions there have been so far; not a number if that cannot be said.
	read() float64
	// missing says why read could not always say it; "" if it could.
	missing() string
	close()
}

// uncounted is the counter of a machine that has none.
type uncounted struct{ because error }

func (uncounted) read() float64     { return math.NaN() }
func (u uncounted) missing() string { return u.because.Error() }
func (uncounted) close()            {}

// errUnasked is why nothing is counted where no figure is one of instructions.
var errUnasked = errors.New("no instructions were to be counted")

// counter begins to count the instructions of the calling thread, to which its goroutine is locked. A figure for which
// a machine cannot count them names another that is judged in its stead (column.instead).
func (c *Config) counter(s *sheet) counter {
	count := c.count
	if count == nil {
		count = countInstructions
	}
	counts, err := count()
	if err != nil {
		counts = uncounted{err}
	}
	s.counts = counts
	return counts
}

// over is how many instructions a call takes, on average over so many.
func over(c counter, times int, do func()) float64 {
	from := c.read()
	for range times {
		do()
	}
	return (c.read() - from) / float64(times)
}

// onlyWork is the sentence about what can fail the run of a scenario; figure is the one that is judged.
func onlyWork(figure string) string {
	return " No time fails a run. The " + figure + " of thread time, in turns of a loop that is timed in turn with it, does, with a " +
		"margin, and where the kernel counts instructions in user mode so does that of instructions, in a quick run too."
}
