package remote

import (
	"context"
	"fmt"

	"muster/net/replication/frame"
)

// A handingOver has the players of a world leave it for the next world of its map, in another process.
type handingOver struct {
	ctx    context.Context
	done   chan struct{}
	inside bool   // there were players when it was looked at last
	asked  uint64 // the last tick when they were told to leave
	tick   uint64 // that gateways must have: the last one with players
	ended  bool   // the world steps no more, and gateways are to go
}

// HandOver has all players of the world leave it, and returns when the gateways that had them have their characters: each of them brings them into the world that
// follows this one. Those that enter meanwhile leave, too. The world must run until it returns; one that has stopped hands nothing over. The error is
// that of ctx, when it ends before. It may be called from any goroutine while Run runs, once, and is not for a world with a log.
func (w *World) HandOver(ctx context.Context) error { return w.handOver(ctx, false) }

// Release tells the gateways of a world that steps no more that it has ended in order, and returns when none of them waits for it, or when ctx ends. It is called after HandOver.
func (w *World) Release(ctx context.Context) error { return w.handOver(ctx, true) }

func (w *World) handOver(ctx context.Context, ended bool) error {
	h := &handingOver{ctx: ctx, done: make(chan struct{}), inside: true, ended: ended}
	select {
	case w.handings <- h:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-h.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("remote: gateways of map %d do not have all players: %w", w.config.Address.Map, ctx.Err())
	}
}

// releases reports whether the gateways are to go.
func (w *World) releases() bool { return w.handing != nil && w.handing.ended }

// asks reports whether gateways are asked what they have each time that the end looks.
func (w *World) asks() bool { return w.settles != nil || w.handing != nil }

// checkHandedOver tells players to leave that are in the world, once for each tick, and ends a wait that is over.
func (w *World) checkHandedOver() {
	h := w.handing
	switch {
	case h == nil:
		return
	case h.ctx.Err() != nil:
		w.handing = nil
		return
	case h.ended:
		if len(w.gateways) > 0 {
			return
		}
	case !w.config.Exchange.Stopped():
		inside := w.inside()
		if inside && w.sent >= h.asked {
			var in frame.Inbox
			err := in.Add(frame.Item{Session: frame.NoSession, AtMs: w.config.Exchange.NowMs(), Op: frame.OpHandOver})
			if err == nil {
				err = w.config.Exchange.Post(&in)
			}
			if err == nil { // else there is no room, and it is said when it is looked next
				h.asked = w.sent + 1
			}
		}
		if h.inside && !inside {
			h.tick = w.sent
		}
		if h.inside = inside; inside || w.misses(h.tick) {
			return
		}
	}
	w.handing = nil
	close(h.done)
}

// inside reports whether a gateway that is there has players in the world.
func (w *World) inside() bool {
	for _, p := range w.gateways {
		if len(p.players) > 0 {
			return true
		}
	}
	return false
}

// misses reports whether a gateway has not all frames up to a tick, or not all reports.
func (w *World) misses(tick uint64) bool {
	for _, p := range w.gateways {
		if p.seen < tick || len(p.reports.kept) > 0 {
			return true
		}
	}
	return false
}
