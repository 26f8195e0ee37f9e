package bench

import (
	"errors"
	"math"
	"time"
)

// A fakeCounter counts so many instructions from one read to the next. One with a reason has been another's meanwhile.
type fakeCounter struct {
	step, sum float64
	because   string
}

func (f *fakeCounter) read() float64 {
	if f.because != "" {
		return math.NaN()
	}
	f.sum += f.step
	return f.sum
}

func (f *fakeCounter) missing() string { return f.because }
func (f *fakeCounter) close()          {}

// What tests have for the kernel's counter: one that counts, one that stands still, none.
func counts() (counter, error)        { return &fakeCounter{step: 1000}, nil }
func standsStill() (counter, error)   { return new(fakeCounter), nil }
func countsNothing() (counter, error) { return nil, errors.New("nothing counts here") }

// steadyClock is a clock that goes on by a microsecond whenever it is read.
func steadyClock() func() time.Duration {
	var now time.Duration
	return func() time.Duration {
		now += time.Microsecond
		return now
	}
}
