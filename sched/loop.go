package sched

import (
	"context"
	"runtime/debug"
	"time"
)

// A Map is what a loop steps: one world.
type Map interface {
	// Step runs tick n, which stands for the time n*step of the loop's clock.
	Step(n uint64)
	// Idle reports that no player is in the world and nothing waits for it: it need not be stepped.
	Idle() bool
	// Wake delivers when an idle world has something to do.
	Wake() <-chan struct{}
	// Rest is called between ticks, and when Asked has delivered: to answer queries about the world. It must not
	// change it.
	Rest()
	// Asked delivers when there is a query.
	Asked() <-chan struct{}
}

// A Loop steps one map at a fixed rate, on one goroutine.
type Loop struct {
	Map   Map
	Clock Clock
	Step  time.Duration // default 50 ms
	// MaxDebt is how many ticks the loop may be behind before it drops some; default 5. Fewer are run at once, one
	// after another.
	MaxDebt int
	// Overrun is called for each tick that took longer than a step, or after which ticks were dropped because the
	// loop was late, with their number. It is called on the loop's goroutine; nil does nothing.
	Overrun func(n uint64, took time.Duration, dropped uint64)
	// Panicked is called for a panic in a step, or between two, with its stack. The map is not stepped again: its
	// state is undefined. It is called on the loop's goroutine; nil lets the panic end the process.
	Panicked func(n uint64, value any, stack []byte)
}

// Run steps the map until ctx is done, or until it panics. The time of a world is that of the clock, so all maps of
// one clock agree on it: a world that was idle, or fell too far behind, skips ticks.
func (l *Loop) Run(ctx context.Context) {
	step, maxDebt := l.Step, uint64(l.MaxDebt)
	if step <= 0 {
		step = 50 * time.Millisecond
	}
	if maxDebt == 0 {
		maxDebt = 5
	}
	if c, ok := l.Clock.(*VirtualClock); ok {
		defer c.Follow()()
	}
	for n := uint64(l.Clock.Now()/step) + 1; ctx.Err() == nil; n++ {
		slept, ok := l.sleep(ctx, n)
		if slept {
			n = max(n, uint64(l.Clock.Now()/step)+1)
		}
		if ok = ok && l.wait(ctx, n, time.Duration(n)*step); !ok || ctx.Err() != nil {
			return
		}
		before := l.Clock.Now()
		if !l.step(n) {
			return
		}
		now := l.Clock.Now()
		var dropped uint64
		if behind := uint64(now / step); behind > n+maxDebt {
			dropped = behind - n - maxDebt
		}
		if took := now - before; l.Overrun != nil && (took > step || dropped > 0) {
			l.Overrun(n, took, dropped)
		}
		n += dropped
	}
}

// sleep waits while the map is idle before tick n, and reports whether it was, and whether the loop goes on.
func (l *Loop) sleep(ctx context.Context, n uint64) (slept, ok bool) {
	for ok = true; ok && ctx.Err() == nil && l.Map.Idle(); slept = true {
		if ok = l.rest(n); ok {
			l.Clock.Wait(ctx, -1, l.Map.Wake(), l.Map.Asked())
		}
	}
	return slept, ok
}

// wait waits for the time of tick n, and reports whether the loop goes on.
func (l *Loop) wait(ctx context.Context, n uint64, until time.Duration) (ok bool) {
	for ok = l.rest(n); ok && ctx.Err() == nil && l.Clock.Now() < until; ok = l.rest(n) {
		l.Clock.Wait(ctx, until, nil, l.Map.Asked())
	}
	return ok
}

// step runs a tick, and reports whether the loop goes on.
func (l *Loop) step(n uint64) (ok bool) {
	if l.Panicked != nil {
		defer l.catch(n)
	}
	l.Map.Step(n)
	return true
}

// rest lets the map answer queries before tick n, and reports whether the loop goes on.
func (l *Loop) rest(n uint64) (ok bool) {
	if l.Panicked != nil {
		defer l.catch(n)
	}
	l.Map.Rest()
	return true
}

// catch reports a panic.
func (l *Loop) catch(n uint64) {
	if value := recover(); value != nil {
		l.Panicked(n, value, debug.Stack())
	}
}
