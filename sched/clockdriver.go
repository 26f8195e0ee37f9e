package sched

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Bounds on what a ClockDriver is told.
const (
	MinSpeed = 0.001  // times as fast as the machine's clock
	MaxSpeed = 1000   // likewise
	MaxSteps = 72_000 // at once: an hour of the default step
)

// ErrSpeed is wrapped by what a ClockDriver answers to what it does not do.
var ErrSpeed = errors.New("sched: the clock does not turn so")

// A ClockDriver turns a virtual clock, step by step, as it is told: at first not at all. It takes no step before all who
// follow the clock are done with the last one, so that nobody is late, however fast it turns.
type ClockDriver struct {
	clock *VirtualClock
	step  time.Duration
	told  chan struct{}

	mu    sync.Mutex
	speed float64
	steps int // to take, while speed is 0
}

// NewClockDriver returns a hand that turns a clock in steps of so much.
func NewClockDriver(clock *VirtualClock, step time.Duration) *ClockDriver {
	return &ClockDriver{clock: clock, step: step, told: make(chan struct{}, 1)}
}

// Pause has the clock stand.
func (h *ClockDriver) Pause() { h.tell(0, 0) }

// SetSpeed has the clock run, speed times as fast as the machine's.
func (h *ClockDriver) SetSpeed(speed float64) error {
	if !(speed >= MinSpeed && speed <= MaxSpeed) {
		return fmt.Errorf("%w: a speed is from %v to %d, not %v", ErrSpeed, MinSpeed, MaxSpeed, speed)
	}
	h.tell(speed, 0)
	return nil
}

// Advance has the clock take n steps as fast as they can be taken, and stand then.
func (h *ClockDriver) Advance(n int) error {
	if n < 1 || n > MaxSteps {
		return fmt.Errorf("%w: steps are from 1 to %d, not %d", ErrSpeed, MaxSteps, n)
	}
	h.tell(0, n)
	return nil
}

// Speed is how many times as fast as the machine's the clock runs; 0 while it stands, or takes steps.
func (h *ClockDriver) Speed() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed
}

// Now is the time of the clock.
func (h *ClockDriver) Now() time.Duration { return h.clock.Now() }

func (h *ClockDriver) tell(speed float64, steps int) {
	h.mu.Lock()
	h.speed, h.steps = speed, steps
	h.mu.Unlock()
	select {
	case h.told <- struct{}{}:
	default:
	}
}

// Run turns the clock until ctx is done.
func (h *ClockDriver) Run(ctx context.Context) {
	var last time.Time
	for ctx.Err() == nil {
		every, ok := h.next()
		if !ok {
			select {
			case <-h.told:
			case <-ctx.Done():
			}
			last = time.Time{}
			continue
		}
		if due := last.Add(every); every > 0 && !last.IsZero() {
			if !h.await(ctx, time.Until(due)) {
				continue
			}
			last = due
			if time.Since(due) > h.step {
				last = time.Now() // what is lost is not made up for
			}
		} else {
			last = time.Now()
		}
		h.clock.Advance(h.step)
		h.clock.Settle(ctx)
	}
}

// next takes a step off what is to be done, and says how long after the last one it is to be.
func (h *ClockDriver) next() (every time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.speed > 0 {
		return time.Duration(float64(h.step) / h.speed), true
	}
	if h.steps == 0 {
		return 0, false
	}
	h.steps--
	return 0, true
}

// await waits, and reports whether nothing else was told meanwhile.
func (h *ClockDriver) await(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-h.told:
	case <-ctx.Done():
	}
	return false
}
