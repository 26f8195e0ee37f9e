package gateway

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A watch is a world as one loop sees it.
type watch struct {
	worldLink *worldLink
	inbox     frame.Inbox   // what has arrived since it was last posted
	gone      []*player     // players whose last frame is among them
	seen      uint64        // the newest tick of the last flush
	steps     uint64        // that have passed
	inside    int           // players
	phases    [][]*conn     // the players, by phase; conn.slot is the index
	flushed   atomic.Uint64 // seen, once its flush is through; 0 without players. Any goroutine reads it
}

// flushAll flushes the players of all worlds, and takes note of how long that took.
func (l *loop) flushAll() {
	began := l.gate.clock()
	flushed := false
	for i := range l.watches {
		flushed = l.flush(&l.watches[i]) || flushed
	}
	if flushed {
		l.flushing.Add(int64(l.gate.clock().Sub(began)))
	}
}

// divide assigns the players to so many phases. Their cursors stay as they are.
func (w *watch) divide(phases int) {
	all := slices.Concat(w.phases...)
	w.phases = make([][]*conn, phases)
	for _, c := range all {
		w.place(c)
	}
}

// place puts a player into its phase.
func (w *watch) place(c *conn) {
	phase := c.player.session % uint32(len(w.phases))
	c.slot = len(w.phases[phase])
	w.phases[phase] = append(w.phases[phase], c)
}

// orderEvery is how often players are put in order: no player moves far in it.
const orderEvery = time.Second

// order makes neighbours be flushed one after another: they receive much of the same data, which is gathered once
// while it is kept (frame.Replayer).
func (w *watch) order() {
	for _, list := range w.phases {
		slices.SortFunc(list, func(a, b *conn) int {
			return cmp.Or(cmp.Compare(a.cursor.View.Center, b.cursor.View.Center), cmp.Compare(a.player.session, b.player.session))
		})
		for i, c := range list {
			c.slot = i
		}
	}
}

// flush sends to every player of a world that is due: whose phase has come since the last flush, or that
// is in a frame's Now. It reports whether there was something to do.
func (l *loop) flush(w *watch) (done bool) {
	newest, seen := w.worldLink.port.Newest(), w.seen
	if newest == seen {
		return false
	}
	w.seen = newest
	if w.inside == 0 {
		return false
	}
	if k := l.gate.config.Pace().Phases; k != len(w.phases) {
		w.divide(k)
	}
	l.window.Open(w.worldLink.port)
	w.seen = l.window.Newest
	l.scanFrames(w, seen)
	stride := l.gate.config.Pace().Stride
	passed := w.seen/stride - seen/stride // steps, with those that the world skipped; a world of another process may have shorter or longer ones
	w.steps += passed
	if perOrder := uint64(orderEvery / l.gate.config.Quantum); w.seen/perOrder != seen/perOrder {
		w.order()
	}
	k := uint64(len(w.phases))
	for phase, due := range w.phases {
		if (w.steps+uint64(phase))%k >= passed {
			continue
		}
		for i := len(due) - 1; i >= 0; i-- { // from the end, for players may be removed
			l.pack(due[i])
		}
	}
	for _, session := range l.now {
		if c := l.playerOf(session, w); c != nil {
			l.pack(c)
		}
	}
	l.dispatch()
	g := l.gate
	g.counters.thinned.Add(l.replayer.Thinned)
	l.replayer.Thinned = 0
	flushed, _ := l.window.After(seen)
	now, unit := w.worldLink.port.NowMs(), uint64(g.config.Quantum/time.Millisecond)
	for _, f := range flushed {
		g.counters.serve(uint32(max(int32(now-uint32(f.Tick*unit)), 0))) // the clock of a world in another process is an estimate
	}
	l.window.Close()
	if w.inside > 0 {
		w.flushed.Store(w.seen)
	}
	return true
}

// scanFrames goes through the frames after a tick: players that must not wait are put into
// now, and those that have left are marked.
func (l *loop) scanFrames(w *watch, seen uint64) {
	l.now = l.now[:0]
	frames, _ := l.window.After(seen)
	l.traced.Frames(w.worldLink.id, frames)
	for _, f := range frames {
		l.now = append(l.now, f.Now...)
		for _, left := range f.Left {
			if c := l.playerOf(left.Session, w); c != nil && f.Tick > c.player.since {
				c.left = true
				if left.Away {
					c.bound = travellerOf(f.In(left.Character))
				}
			}
		}
		for _, mark := range f.Marks {
			if c := l.playerOf(mark.Session, w); c != nil && f.Tick > c.player.since {
				c.master = mark.Master
			}
		}
		for _, r := range f.Refusals {
			if c := l.playerOf(r.Session, w); c != nil && f.Tick > c.player.since {
				c.report(&session.Refusal{Reason: r.Reason, Op: uint32(r.Op), State: c.session.State()})
			}
		}
		for _, kick := range f.Kicks {
			if c := l.playerOf(kick.Session, w); c != nil && f.Tick > c.player.since {
				c.markClosing(kick.Reason)
			}
		}
	}
}

// travellerOf is a character on its way, nil if it is none.
func travellerOf(character []byte) *frame.Character {
	c := new(frame.Character)
	if msg.Decode(wire.V12340, character, c) != nil {
		return nil
	}
	return c
}

// playerOf is the connection of a session number, nil if it is not on this loop and in this world.
func (l *loop) playerOf(session uint32, w *watch) *conn {
	if session >= uint32(len(l.players)) {
		return nil
	}
	if c := l.players[session]; c != nil && c.player.worldLink == w.worldLink {
		return c
	}
	return nil
}

// attach has a player flushed from now on.
func (c *conn) attach(p *player) {
	l := c.loop
	w := &l.watches[p.worldLink.at]
	c.player, c.left, c.leftAt, c.bound, c.master = p, false, time.Time{}, nil, false
	c.cursor = frame.Cursor{Session: p.session, GUID: p.character.GUID, Tick: p.since}
	if w.inside == 0 {
		w.seen = p.since
		w.flushed.Store(p.since)
	}
	w.place(c)
	w.inside++
	w.worldLink.inside.Add(1)
	if n := int(p.session) + 1 - len(l.players); n > 0 {
		l.players = append(l.players, make([]*conn, n)...)
	}
	l.players[p.session] = c
}

// detach ends what attach began. It does nothing on the character screen. The player's number cannot be
// another's before all its input is posted.
func (c *conn) detach() {
	p, l := c.player, c.loop
	if p == nil {
		return
	}
	w := &l.watches[p.worldLink.at]
	phase := p.session % uint32(len(w.phases))
	list := w.phases[phase]
	last := len(list) - 1
	list[c.slot] = list[last]
	list[c.slot].slot = c.slot
	w.phases[phase] = slices.Delete(list, last, last+1)
	if w.inside--; w.inside == 0 {
		w.flushed.Store(0)
	}
	w.worldLink.inside.Add(-1)
	l.players[p.session] = nil
	c.player = nil
	w.gone = append(w.gone, p)
	l.post()
}

// comeOut returns a connection to the character screen after its player has left the world, or while it travels
// to another map. Gate.release hands it over: so nothing is lost of a player whose connection ends between the two, and a newer
// connection of its account waits until it is safe.
func (c *conn) comeOut() {
	if c.resuming {
		c.enterAgain(c.player)
		return
	}
	c.evicted = c.player.leaving && c.gate.closing.Load()
	c.detach()
	c.loop.turn.Begin(time.Now(), c.loop.drain)
	if to := c.bound; to != nil {
		c.session.Travel(&c.loop.turn, &msg.Place{Map: to.Map, Position: wire.Vec3{X: to.X, Y: to.Y, Z: to.Z}, Orientation: to.O})
	} else {
		c.gate.channels.leaveAll(c)
		c.session.Left(&c.loop.turn)
	}
	if c.session.State() != msg.Transfer {
		c.bound = nil
		c.drop()
	}
	c.obey()
}
