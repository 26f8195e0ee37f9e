package inspect

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Bounds on callers.
const (
	// Every is the least time from one answer of a world to its next question.
	Every = 50 * time.Millisecond
	// MaxAskers is how many may wait for a world at a time.
	MaxAskers = 16
)

var (
	// ErrBusy is returned when too many callers wait for an answer.
	ErrBusy = errors.New("inspect: too many ask")
	// ErrPanic is returned when the world panicked over its answer, of which there may be a part.
	ErrPanic = errors.New("inspect: the world panicked")
)

// An Inspector is where one world is asked. Ask may be called from any goroutine, Serve from that of the world.
type Inspector struct {
	question atomic.Pointer[Query]
	asked    chan struct{}  // holds a token after a question was put
	answered chan bool      // whether all of it was
	turn     chan time.Time // held by the caller whose question is asked
	askers   atomic.Int32

	// Unpaced lets callers follow each other without Every between them: for a world on a virtual clock, which no question
	// makes late. It is set before use.
	Unpaced bool
}

// NewInspector returns an inspector without a question.
func NewInspector() *Inspector {
	d := &Inspector{asked: make(chan struct{}, 1), answered: make(chan bool, 1), turn: make(chan time.Time, 1)}
	d.turn <- time.Time{}
	return d
}

// Asked delivers when there may be a question.
func (d *Inspector) Asked() <-chan struct{} { return d.asked }

// Serve has the question answered, if there is one. A panic of answer is the caller's.
func (d *Inspector) Serve(answer func(*Query)) {
	if d.question.Load() == nil {
		return
	}
	if l := d.question.Swap(nil); l != nil {
		whole := false
		defer func() { d.answered <- whole }() // the caller no longer waits
		answer(l)
		whole = true
	}
}

// Ask waits until the world has answered. The error is ErrBusy, ErrPanic, or that of ctx, before whose end the world
// may have no time.
func (d *Inspector) Ask(ctx context.Context, l *Query) error {
	defer d.askers.Add(-1)
	if d.askers.Add(1) > MaxAskers {
		return ErrBusy
	}
	var due time.Time
	select {
	case due = <-d.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { d.turn <- due }()
	if err := wait(ctx, time.Until(due)); err != nil {
		return err
	}
	d.question.Store(l)
	select {
	case d.asked <- struct{}{}:
	default:
	}
	var whole bool
	select {
	case whole = <-d.answered:
	case <-ctx.Done():
		if d.question.CompareAndSwap(l, nil) {
			return ctx.Err()
		}
		whole = <-d.answered // the world is at it
	}
	if !d.Unpaced {
		due = time.Now().Add(Every)
	}
	if !whole {
		return ErrPanic
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
