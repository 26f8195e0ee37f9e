package sched

import (
	"context"
	"runtime/debug"
	"sync/atomic"
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

// A Loop steps one map, on one goroutine.
type Loop struct {
	Map     Map
	Clock   Clock
	Quantum time.Duration // the time that the number of a tick counts; default 50 ms
	// Stride is how many quanta a step is at the moment; a step begins at a multiple of it. Nil is 1, always.
	Stride func() uint64
	// Longest is the longest stride; default 1.
	Longest uint64
	// MaxDebt is how many steps the loop may be behind before it drops some; default 5. Fewer are run at once, one
	// after another. A loop that is behind by less than its longest step takes a longer step instead.
	MaxDebt int
	// Overrun is called for each tick that took longer than its step, the time of the world from the tick before to it, or
	// after which steps were dropped because the loop was late, with their number. It is called on the loop's goroutine; nil
	// does nothing.
	Overrun func(n uint64, step, took time.Duration, dropped uint64)
	// Behind, if it is not nil, grows by the time of the steps that did not come: a longer step was taken instead of several,
	// or they were dropped.
	Behind *atomic.Int64 // nanoseconds
	// Panicked is called for a panic in a step, or between two, with its stack. The map is not stepped again: its
	// state is undefined. It is called on the loop's goroutine; nil lets the panic end the process.
	Panicked func(n uint64, value any, stack []byte)

	follower Follower // while it runs
}

// Run steps the map until ctx is done, or until it panics. The time of a world is that of the clock, so all maps of
// one clock agree on it: a world that was idle, or fell too far behind, skips numbers.
func (l *Loop) Run(ctx context.Context) {
	l.setDefaults()
	l.follower = l.Clock.Follow()
	defer l.follower.Close()
	quanta := l.Stride() // that the step of tick n has
	for n := l.after(l.now()); ctx.Err() == nil; {
		slept, ok := l.sleep(ctx, n)
		if slept {
			n, quanta = max(n, l.after(l.now())), l.Stride()
		}
		if ok = ok && l.wait(ctx, n, time.Duration(n)*l.Quantum); !ok || ctx.Err() != nil {
			return
		}
		before := l.Clock.Now()
		if !l.step(n) {
			return
		}
		took := l.Clock.Now() - before
		next, following, dropped := l.next(n)
		if step := time.Duration(quanta) * l.Quantum; l.Overrun != nil && (took > step || dropped > 0) {
			l.Overrun(n, step, took, dropped)
		}
		if l.Behind != nil {
			stride := l.Stride()
			l.Behind.Add(int64(following-min(stride, following)+dropped*stride) * int64(l.Quantum))
		}
		n, quanta = next, following
	}
}

func (l *Loop) setDefaults() {
	if l.Quantum <= 0 {
		l.Quantum = 50 * time.Millisecond
	}
	if l.MaxDebt == 0 {
		l.MaxDebt = 5
	}
	if l.Stride == nil {
		l.Stride = func() uint64 { return 1 }
	}
	l.Longest = max(l.Longest, 1)
}

// now is the clock in quanta.
func (l *Loop) now() uint64 { return uint64(l.Clock.Now() / l.Quantum) }

// after is the first tick after a moment in quanta.
func (l *Loop) after(n uint64) uint64 {
	stride := l.Stride()
	return (n/stride + 1) * stride
}

// next is the tick after tick n, how many quanta its step has, and how many steps are dropped before that.
func (l *Loop) next(n uint64) (next, quanta, dropped uint64) {
	stride := l.Stride()
	next = (n/stride + 1) * stride
	now := l.now() / stride * stride
	if now > next { // one longer step instead of several
		next = min(now, next-stride+max(l.Longest/stride, 1)*stride)
	}
	quanta = next - n
	if debt := uint64(l.MaxDebt) * max(stride, l.Longest); now+stride > next+debt {
		dropped = (now + stride - debt - next) / stride
		next += dropped * stride
	}
	return next, quanta, dropped
}

// sleep waits while the map is idle before tick n, and reports whether it was, and whether the loop goes on.
func (l *Loop) sleep(ctx context.Context, n uint64) (slept, ok bool) {
	for ok = true; ok && ctx.Err() == nil && l.Map.Idle(); slept = true {
		if ok = l.rest(n); ok {
			l.follower.Wait(ctx, -1, l.Map.Wake(), l.Map.Asked())
		}
	}
	return slept, ok
}

// wait waits for the time of tick n, and reports whether the loop goes on.
func (l *Loop) wait(ctx context.Context, n uint64, until time.Duration) (ok bool) {
	for ok = l.rest(n); ok && ctx.Err() == nil && l.Clock.Now() < until; ok = l.rest(n) {
		l.follower.Wait(ctx, until, nil, l.Map.Asked())
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
