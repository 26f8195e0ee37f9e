package gateway

import (
	"context"

	"muster/net/replication/frame"
)

// newLink makes a world as the gateway sees it, which starts after this.
func (g *Gate) newLink(id uint32, at int, port *frame.Exchange) *worldLink {
	s := &worldLink{id: id, at: at, port: port, fresh: make(chan struct{}, 1), kept: make(chan struct{})}
	port.Saving = true
	port.Published = func(uint64) { g.published(s) }
	port.Flushed = func() uint64 { return g.flushed(s) }
	return s
}

// flushed is the tick of a world up to which all loops with players in it have flushed them.
func (g *Gate) flushed(s *worldLink) (tick uint64) {
	tick = s.port.Newest()
	for _, l := range *g.loops.Load() {
		if at := l.watches[s.at].flushed.Load(); at > 0 {
			tick = min(tick, at)
		}
	}
	return tick
}

// linkOf is the world of a map, nil if there is none.
func (g *Gate) linkOf(id uint32) *worldLink {
	for _, s := range g.worldLinks() {
		if s.id == id && s.slot == 0 {
			return s
		}
	}
	return nil
}

// open reports whether the world can be entered.
func (s *worldLink) open() bool {
	if s.ready == nil {
		return true
	}
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// Follow has the world of an exchange take the place of the one of a map that has ended. It waits until the players of that one are given up.
// The world starts after it, and the map can be entered again when ready is closed. It is not ok if the gateway closes, or if ctx ends
// before; the exchange is not used then. The map must be one of Config.Exchanges, and the gateway listen.
func (g *Gate) Follow(ctx context.Context, id uint32, port *frame.Exchange, ready <-chan struct{}) (ok bool) {
	return g.replace(ctx, g.linkOf(id), id, port, ready)
}

// replace has the world of an exchange take the place of one that has ended.
func (g *Gate) replace(ctx context.Context, old *worldLink, id uint32, port *frame.Exchange, ready <-chan struct{}) (ok bool) {
	if wait(ctx, old.kept) != nil {
		return false
	}
	g.following.Lock()
	defer g.following.Unlock()
	if g.closing.Load() {
		return false
	}
	s := g.newLink(id, old.at, port)
	s.ready, s.slot = ready, old.slot
	links := append([]*worldLink(nil), g.worldLinks()...)
	links[s.at] = s
	g.links.Store(&links)
	g.wg.Go(func() { g.keep(s) })
	return true
}

// follow has the loop see a world in place of the one that has ended. It is not ok while connections of that one are closing.
func (l *loop) follow(s *worldLink) (ok bool) {
	w := &l.watches[s.at]
	if w.worldLink == s {
		return true
	}
	if w.inside > 0 || w.inbox.Len() > 0 || len(w.gone) > 0 {
		return false
	}
	w.worldLink = s
	return true
}
