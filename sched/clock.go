package sched

import (
	"context"
	"time"

	"muster/sched/finetimer"
)

// A Clock is what a loop waits by.
type Clock interface {
	// Now returns the time since some fixed moment; it never goes back.
	Now() time.Duration
	// Follow returns what a loop waits with.
	Follow() Follower
}

// A Follower of a clock steps something by it, and waits by it alone. One goroutine owns it.
type Follower interface {
	// Wait returns at a time, now and then sooner, or when wake or asked delivers, or when ctx is done. A negative time never comes.
	Wait(ctx context.Context, until time.Duration, wake, asked <-chan struct{})
	// Close ends the follower.
	Close()
}

// RealClock is the machine's monotonic clock, from the moment it was made.
type RealClock struct {
	start time.Time
	fine  bool
}

// NewRealClock starts a clock at zero, whose followers may wake up to a millisecond late.
func NewRealClock() *RealClock { return &RealClock{start: time.Now()} }

// NewFineClock is NewRealClock, but for its followers, which wake when a time comes: by timers of the kernel, which know nothing of testing/synctest.
func NewFineClock() *RealClock { return &RealClock{start: time.Now(), fine: true} }

// Now returns the time since the clock was made; setting the machine's clock does not change it.
func (c *RealClock) Now() time.Duration { return time.Since(c.start) }

// Advance sets the clock forward. Nothing may use it yet.
func (c *RealClock) Advance(d time.Duration) { c.start = c.start.Add(-d) }

// Follow implements Clock.
func (c *RealClock) Follow() Follower {
	if c.fine {
		return &realFollower{c, finetimer.New()}
	}
	return &realFollower{c, finetimer.NewCoarse()}
}

type realFollower struct {
	clock *RealClock
	timer *finetimer.Timer
}

// Wait implements Follower.
func (f *realFollower) Wait(ctx context.Context, until time.Duration, wake, asked <-chan struct{}) {
	var due <-chan struct{}
	if until >= 0 {
		d := until - f.clock.Now()
		if d <= 0 {
			return
		}
		f.timer.Reset(d)
		due = f.timer.C
	}
	select {
	case <-due:
	case <-wake:
	case <-asked:
	case <-ctx.Done():
	}
}

// Close implements Follower.
func (f *realFollower) Close() { f.timer.Close() }
