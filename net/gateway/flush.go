package gateway

import (
	"cmp"
	"slices"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A watch is a world as one loop sees it.
type watch struct {
	worldLink *worldLink
	inbox     frame.Inbox // what has arrived since it was last posted
	posts     uint64      // how often it was
	gone      []*player   // players whose last frame is among them
	seen      uint64      // the newest tick of the last flush
	inside    int         // players
	phases    [][]*conn   // the players, by phase; conn.slot is the index
}

// flushAll flushes the players of all worlds, and takes note of how long that took.
func (l *loop) flushAll() {
	began, ticks := l.gate.clock(), uint64(0)
	for i := range l.watches {
		ticks = max(ticks, l.flush(&l.watches[i]))
	}
	if ticks > 0 {
		l.adjustFlushRate(ticks, l.gate.clock().Sub(began))
	}
}

// adjustFlushRate has players flushed more seldom if flushing takes too long, and more often when it no longer does.
func (l *loop) adjustFlushRate(ticks uint64, took time.Duration) {
	g := l.gate
	change := l.flushRate.note(ticks, took, g.config.Step)
	switch {
	case change > 0:
		g.config.Metric.Count(FlushSlower)
		g.config.Log.Warn("flushing takes too long: players wait for more ticks", "ticks", l.flushRate.phases, "last", took)
	case change < 0:
		g.config.Metric.Count(FlushFaster)
		g.config.Log.Info("flushing takes less: players wait for fewer ticks", "ticks", l.flushRate.phases, "last", took)
	default:
		return
	}
	for i := range l.watches {
		l.watches[i].divide(l.flushRate.phases)
	}
	l.phases.Store(int32(l.flushRate.phases))
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

// orderTicks is how often players are put in order: each second at the default step, in which no player moves
// far.
const orderTicks = 20

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
// is in a frame's Now. It returns how many ticks have passed since, 0 if there is no player.
func (l *loop) flush(w *watch) (ticks uint64) {
	newest, seen := w.worldLink.port.Newest(), w.seen
	if newest == seen {
		return 0
	}
	w.seen = newest
	if w.inside == 0 {
		return 0
	}
	l.window.Open(w.worldLink.port)
	newest = l.window.Newest
	w.seen = newest
	l.scanFrames(w, seen)
	if newest/orderTicks != seen/orderTicks {
		w.order()
	}
	k := uint64(len(w.phases))
	for phase, due := range w.phases {
		if (newest+uint64(phase))%k >= newest-seen {
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
	frames, _ := l.window.After(seen)
	now, step := w.worldLink.port.NowMs(), uint64(g.config.Step/time.Millisecond)
	for _, f := range frames {
		g.counters.serve(now - uint32(f.Tick*step))
	}
	l.window.Close()
	return newest - seen
}

// scanFrames goes through the frames after a tick: players that must not wait are put into now, and those that
// have left are marked.
func (l *loop) scanFrames(w *watch, seen uint64) {
	l.now = l.now[:0]
	frames, _ := l.window.After(seen)
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
	c.player, c.left, c.bound, c.master = p, false, nil, false
	c.cursor = frame.Cursor{Session: p.session, GUID: p.character.GUID, Tick: p.since}
	if w.inside == 0 {
		w.seen = p.since
	}
	w.place(c)
	w.inside++
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
	w.inside--
	l.players[p.session] = nil
	c.player = nil
	w.gone = append(w.gone, p)
	l.post()
}

// comeOut returns a connection to the character screen after its player has left the world, or while it travels
// to another map. That map is entered as the first was, once the player is saved: so nothing is lost of a player
// whose connection ends between the two, and a newer connection of its account waits until it is safe.
func (c *conn) comeOut() {
	c.evicted = c.player.leaving && c.gate.closing.Load()
	c.detach()
	c.loop.turn.Begin(time.Now(), c.loop.drain)
	if to := c.bound; to != nil {
		c.session.Travel(&c.loop.turn, &msg.Place{Map: to.Map, Position: wire.Vec3{X: to.X, Y: to.Y, Z: to.Z}, Orientation: to.O})
	} else {
		c.gate.channels.leaveAll(c)
		c.session.Left(&c.loop.turn)
	}
	c.obey()
}
