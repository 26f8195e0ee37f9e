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

// onlyWork says of a scenario what can fail its run. figure is what is made of it.
func onlyWork(figure string) string {
	return " No time fails a run, but that of the thread in turns of a loop which is timed in turn with it, with a margin. The " +
		figure + " of that does, and where the kernel counts instructions in user mode that of those, in a quick run too."
}
