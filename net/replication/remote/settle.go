package remote

import (
	"context"
	"fmt"
	"sync/atomic"
)

// A world that is handed to another process, which has nothing of what was sent before, is handed when no gateway will ask for it.

// A settling is a wait until no gateway misses anything.
type settling struct {
	ctx    context.Context
	tick   uint64
	done   chan struct{}
	behind atomic.Uint32 // the number of a gateway that misses something; 0 if that is not known
}

// Settle returns when all gateways have the frames up to a tick, after which none was run, and all reports. The error names one that has not
// when ctx ends. It may be called from any goroutine while Run runs.
func (w *World) Settle(ctx context.Context, tick uint64) error {
	s := &settling{ctx: ctx, tick: tick, done: make(chan struct{})}
	select {
	case w.settling <- s:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("gateway %d has not all that the world has sent: %w", s.behind.Load(), ctx.Err())
	}
}

// checkSettled ends a wait that is over.
func (w *World) checkSettled() {
	s := w.settles
	if s == nil {
		return
	}
	if s.ctx.Err() != nil {
		w.settles = nil
		return
	}
	if w.sent < s.tick {
		return
	}
	for _, p := range w.gateways {
		if _, _, ok := w.settled(p); ok && (p.seen < s.tick || len(p.reports.kept) > 0) {
			s.behind.Store(p.number)
			return
		}
	}
	w.settles = nil
	close(s.done)
}
