package sched

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Bounds of the arguments of a ClockDriver.
const (
	MinSpeed = 0.001  // times as fast as the machine's clock
	MaxSpeed = 1000   // likewise
	MaxSteps = 72_000 // at once: an hour of the default step
)

// ErrSpeed is wrapped by the errors for speeds and steps out of range.
var ErrSpeed = errors.New("sched: clock setting out of range")

// A ClockDriver advances a virtual clock step by step, as it is set; at first it stands still. It takes no step
// before all followers of the clock are done with the last one, so that none is late at any speed.
type ClockDriver struct {
	clock *VirtualClock
	step  time.Duration
	told  chan struct{}

	mu    sync.Mutex
	speed float64
	steps int // to take, while speed is 0
}

// NewClockDriver returns a driver that advances a clock in steps of a length.
func NewClockDriver(clock *VirtualClock, step time.Duration) *ClockDriver {
	return &ClockDriver{clock: clock, step: step, told: make(chan struct{}, 1)}
}

// Pause stops the clock.
func (h *ClockDriver) Pause() { h.tell(0, 0) }

// SetSpeed runs the clock, speed times as fast as the machine's.
func (h *ClockDriver) SetSpeed(speed float64) error {
	if !(speed >= MinSpeed && speed <= MaxSpeed) {
		return fmt.Errorf("%w: a speed is from %v to %d, not %v", ErrSpeed, MinSpeed, MaxSpeed, speed)
	}
	h.tell(speed, 0)
	return nil
}

// Advance takes n steps as fast as possible, and stops the clock then.
func (h *ClockDriver) Advance(n int) error {
	if n < 1 || n > MaxSteps {
		return fmt.Errorf("%w: steps are from 1 to %d, not %d", ErrSpeed, MaxSteps, n)
	}
	h.tell(0, n)
	return nil
}

// Speed returns how many times as fast as the machine's the clock runs; 0 while it is stopped, or takes steps.
func (h *ClockDriver) Speed() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed
}

// Now returns the time of the clock.
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

// Run drives the clock until ctx is done.
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
				last = time.Now() // lost time is not made up for
			}
		} else {
			last = time.Now()
		}
		h.clock.Advance(h.step)
		h.clock.Settle(ctx)
	}
}

// next takes a step off the remaining ones, and returns its distance from the last one.
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

// await waits, and reports whether there was no other order meanwhile.
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
