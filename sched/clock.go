package sched

import (
	"context"
	"time"
)

// A Clock is what a loop waits by.
type Clock interface {
	// Now returns the time since some fixed moment; it never goes back.
	Now() time.Duration
	// Wait returns at a time, or when wake or asked delivers, or when ctx is done. A negative time never comes.
	Wait(ctx context.Context, until time.Duration, wake, asked <-chan struct{})
}

// RealClock is the machine's monotonic clock, from the moment it was made.
type RealClock struct{ start time.Time }

// NewRealClock starts a clock at zero.
func NewRealClock() *RealClock { return &RealClock{time.Now()} }

// Now returns the time since the clock was made; setting the machine's clock does not change it.
func (c *RealClock) Now() time.Duration { return time.Since(c.start) }

// Advance sets the clock forward. Nothing may use it yet.
func (c *RealClock) Advance(d time.Duration) { c.start = c.start.Add(-d) }

// Wait implements Clock.
func (c *RealClock) Wait(ctx context.Context, until time.Duration, wake, asked <-chan struct{}) {
	if until < 0 {
		select {
		case <-wake:
		case <-asked:
		case <-ctx.Done():
		}
		return
	}
	d := until - c.Now()
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	case <-asked:
	case <-ctx.Done():
	}
}
