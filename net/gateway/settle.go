package gateway

import (
	"context"
	"time"
)

// settlePause is the time between two looks at a client that has not taken what it was sent.
const settlePause = time.Millisecond

// Settle returns when all players that are due have been flushed what their worlds have published, and have taken all of
// it, or when ctx is done. A world on a virtual clock that waits for it between two steps overruns no client at any
// speed. It waits for Config.Stall at most: a client that does not read is closed then.
func (g *Gate) Settle(ctx context.Context) {
	for _, l := range *g.loops.Load() {
		for l.work.Load() > 0 && !l.settle(ctx) {
			select {
			case <-time.After(settlePause):
			case <-ctx.Done():
				return
			}
		}
	}
}

// settle has the loop flush what is published, and reports whether its players have taken all that they were sent. It
// gives up when ctx is done, and when the gateway has closed. Any goroutine but the loop's may call it.
func (l *loop) settle(ctx context.Context) (settled bool) {
	answer := make(chan bool, 1)
	l.do(func() {
		l.retry()
		l.flushAll()
		answer <- !l.lags()
	})
	select {
	case settled = <-answer:
		return settled
	case <-ctx.Done():
	case <-l.gate.done:
	}
	return true
}

// lags reports whether a player has not taken all that it was sent, or has left and is not told so yet.
func (l *loop) lags() bool {
	for _, c := range l.unsent {
		if c.player != nil {
			return true
		}
	}
	for _, c := range l.players {
		if c != nil && !c.leftAt.IsZero() { // it is told of its logout when that is saved, from frames that are still there
			return true
		}
	}
	return false
}
