package sched

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A VirtualClock stands still until it is advanced: a test's, or that of a world that is stepped.
type VirtualClock struct {
	mu        sync.Mutex
	now       time.Duration
	changed   chan struct{}
	followers int
	waiting   []*waiter     // the followers that wait for a later time
	settled   chan struct{} // closed, and made anew, when all followers wait
}

// A waiter is a follower that waits until a time, for ever if it is negative.
type waiter struct{ until time.Duration }

// NewVirtualClock returns a clock that stands at zero.
func NewVirtualClock() *VirtualClock {
	return &VirtualClock{changed: make(chan struct{}), settled: make(chan struct{})}
}

// Now returns the time to which the clock was advanced.
func (c *VirtualClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on and wakes waiters that are due.
func (c *VirtualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
	c.waiting = slices.DeleteFunc(c.waiting, func(w *waiter) bool { return w.until >= 0 && w.until <= c.now })
	close(c.changed)
	c.changed = make(chan struct{})
}

// Follow implements Clock. Settle waits for the follower until that is closed.
func (c *VirtualClock) Follow() Follower {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.followers++
	return virtualFollower{c}
}

type virtualFollower struct{ *VirtualClock }

// Close implements Follower.
func (f virtualFollower) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.followers--
	f.settle()
}

// Settle returns when all followers of the clock have done what was due until now, or ctx is done. A follower that
// waits for something else than a time has nothing due.
func (c *VirtualClock) Settle(ctx context.Context) {
	for {
		c.mu.Lock()
		done, settled := len(c.waiting) >= c.followers, c.settled
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return
		}
	}
}

// settle wakes the callers of Settle if all followers wait; the caller holds mu.
func (c *VirtualClock) settle() {
	if len(c.waiting) >= c.followers {
		close(c.settled)
		c.settled = make(chan struct{})
	}
}

// Wait is that of followers.
func (c *VirtualClock) Wait(ctx context.Context, until time.Duration, wake, asked <-chan struct{}) {
	w := &waiter{until}
	for {
		c.mu.Lock()
		now, changed := c.now, c.changed
		over := until >= 0 && now >= until
		if !over && !slices.Contains(c.waiting, w) {
			c.waiting = append(c.waiting, w)
			c.settle()
		}
		c.mu.Unlock()
		if over {
			return
		}
		select {
		case <-changed:
			continue
		case <-wake:
		case <-asked:
		case <-ctx.Done():
		}
		c.mu.Lock()
		c.waiting = slices.DeleteFunc(c.waiting, func(o *waiter) bool { return o == w })
		c.mu.Unlock()
		return
	}
}
