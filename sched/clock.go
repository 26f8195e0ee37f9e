package sched

import (
	"context"
	"sync"
	"time"
)

// A Clock is what a loop waits by.
type Clock interface {
	// Now is the time since some fixed moment; it never goes back.
	Now() time.Duration
	// Wait returns at the given time, or when wake delivers, or when ctx is done. A negative time never
	// comes.
	Wait(ctx context.Context, until time.Duration, wake <-chan struct{})
}

// RealClock is the machine's monotonic clock, from the moment it was made.
type RealClock struct{ start time.Time }

// NewRealClock starts a clock at zero.
func NewRealClock() *RealClock { return &RealClock{time.Now()} }

// Now is the time since the clock was made; setting the machine's clock does not change it.
func (c *RealClock) Now() time.Duration { return time.Since(c.start) }

// Wait implements Clock.
func (c *RealClock) Wait(ctx context.Context, until time.Duration, wake <-chan struct{}) {
	if until < 0 {
		select {
		case <-wake:
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
	case <-ctx.Done():
	}
}

// A VirtualClock stands still until it is advanced: a test's, or that of a world that is stepped.
type VirtualClock struct {
	mu      sync.Mutex
	now     time.Duration
	changed chan struct{}
}

// NewVirtualClock returns a clock that stands at zero.
func NewVirtualClock() *VirtualClock { return &VirtualClock{changed: make(chan struct{})} }

// Now is how far the clock was advanced.
func (c *VirtualClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on and wakes who waits.
func (c *VirtualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
	close(c.changed)
	c.changed = make(chan struct{})
}

// Wait implements Clock.
func (c *VirtualClock) Wait(ctx context.Context, until time.Duration, wake <-chan struct{}) {
	for {
		c.mu.Lock()
		now, changed := c.now, c.changed
		c.mu.Unlock()
		if until >= 0 && now >= until {
			return
		}
		select {
		case <-changed:
		case <-wake:
			return
		case <-ctx.Done():
			return
		}
	}
}
