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
	MaxSteps = 72_000 // pending: an hour of the default step
)

// ErrSpeed is wrapped by the errors for speeds, steps and times out of range.
var ErrSpeed = errors.New("sched: clock setting out of range")

// A ClockDriver advances a virtual clock step by step, as it is set; at first it stands still. It takes no step
// before all followers of the clock, and all readers of what they write, are done with the last one, so that none is
// late at any speed.
type ClockDriver struct {
	// Settled is called after each step, when the followers of the clock are done with it. It returns when their
	// readers are, or ctx is done. It is set before Run; nil does nothing.
	Settled func(ctx context.Context)

	clock *VirtualClock
	step  time.Duration
	told  chan struct{}

	mu     sync.Mutex
	speed  float64
	target time.Duration // while speed is 0, the clock goes on to there as fast as possible
	orders []*ClockOrder // pending, in the order of their times
}

// NewClockDriver returns a driver that advances a clock in steps of a length.
func NewClockDriver(clock *VirtualClock, step time.Duration) *ClockDriver {
	return &ClockDriver{clock: clock, step: step, told: make(chan struct{}, 1)}
}

// Pause stops the clock and ends all pending orders. It returns the number of steps that were pending.
func (h *ClockDriver) Pause() (ended int) { return h.set(0) }

// SetSpeed runs the clock, speed times as fast as the machine's, and ends all pending orders. It returns the number of
// steps that were pending.
func (h *ClockDriver) SetSpeed(speed float64) (ended int, err error) {
	if !(speed >= MinSpeed && speed <= MaxSpeed) {
		return 0, fmt.Errorf("%w: a speed is from %v to %d, not %v", ErrSpeed, MinSpeed, MaxSpeed, speed)
	}
	return h.set(speed), nil
}

// Speed returns how many times as fast as the machine's the clock runs; 0 while it is stopped, or takes steps.
func (h *ClockDriver) Speed() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.speed
}

// Now returns the time of the clock.
func (h *ClockDriver) Now() time.Duration { return h.clock.Now() }

func (h *ClockDriver) set(speed float64) (ended int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ended = h.endOrders()
	h.speed = speed
	h.tell()
	return ended
}

// tell wakes Run.
func (h *ClockDriver) tell() {
	select {
	case h.told <- struct{}{}:
	default:
	}
}

// Run drives the clock until ctx is done, and ends what is pending then.
func (h *ClockDriver) Run(ctx context.Context) {
	defer h.Pause()
	var last time.Time // when the last step was due, while the clock runs
	for ctx.Err() == nil {
		every, ok := h.pace()
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
		if h.advance() {
			h.settle(ctx)
		}
	}
}

// pace returns the time of the machine between two steps, 0 for none. It is not ok while the clock stands.
func (h *ClockDriver) pace() (every time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.speed > 0 {
		return time.Duration(float64(h.step) / h.speed), true
	}
	return 0, h.pending() > 0
}

// advance takes a step, unless the clock has been stopped meanwhile: it stands when Pause returns.
func (h *ClockDriver) advance() (ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.speed == 0 && h.pending() == 0 {
		return false
	}
	h.clock.Advance(h.step)
	return true
}

// settle waits for all that is to be done with a step, and reports the orders that it has completed.
func (h *ClockDriver) settle(ctx context.Context) {
	h.clock.Settle(ctx)
	if h.Settled != nil {
		h.Settled(ctx)
	}
	if ctx.Err() == nil {
		h.completeOrders()
	}
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
