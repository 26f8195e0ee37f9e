package sqlite

import (
	"context"

	"muster/loaders/store/database"
)

// A work is a function for a connection that another goroutine owns, and where its result goes.
type work struct {
	ctx  context.Context
	f    func(database.Session) error
	err  error
	done chan struct{}
}

// A queue is where work waits.
type queue chan *work

// do returns when f is done, or undone, or the context has ended.
func (q queue) do(ctx context.Context, f func(database.Session) error) error {
	w := &work{ctx: ctx, f: f, done: make(chan struct{})}
	select {
	case q <- w:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-w.done:
		return fault(w.err)
	case <-ctx.Done():
		return ctx.Err()
	}
}
