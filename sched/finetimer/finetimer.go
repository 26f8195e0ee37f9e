// Package finetimer has timers for what must not be late. A process that sleeps wakes for a timer of the Go runtime at a whole millisecond of its wait, and so
// up to one too late (netpoll of runtime/netpoll_epoll.go, go1.26, rounds up), and once more before that. A timer of the kernel wakes it once, within some 0.1 ms.
package finetimer

import "time"

// A Timer delivers on C at a moment that Reset sets. One goroutine owns it. After a Reset that comes as the timer fires, C may deliver too soon, and again when the new
// time is over: the owner looks at the clock where that matters.
type Timer struct {
	C <-chan struct{}
	source
}

// A source is what a Timer has its moments from.
type source interface {
	set(d time.Duration)
	close()
}

// New returns a timer that is not set. It is one of the runtime where the kernel has none, or no descriptors are left.
func New() *Timer {
	fired := make(chan struct{}, 1)
	if s, err := newKernelSource(fired); err == nil {
		return &Timer{fired, s}
	}
	return NewCoarse()
}

// NewCoarse returns a timer of the runtime, which is not set.
func NewCoarse() *Timer {
	fired := make(chan struct{}, 1)
	return &Timer{fired, &runtimeSource{fired: fired}}
}

// Reset sets the timer, which need not have fired.
func (t *Timer) Reset(d time.Duration) {
	select {
	case <-t.C:
	default:
	}
	t.set(max(d, 1))
}

// Close ends the timer, which never fires again.
func (t *Timer) Close() { t.close() }

// A runtimeSource is a timer of the Go runtime.
type runtimeSource struct {
	fired chan<- struct{}
	timer *time.Timer
}

func (s *runtimeSource) set(d time.Duration) {
	if s.timer == nil {
		s.timer = time.AfterFunc(d, func() { fire(s.fired) })
	} else {
		s.timer.Reset(d)
	}
}

func (s *runtimeSource) close() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

// fire leaves a token, unless there is one.
func fire(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
