package gateway

import (
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/replication/frame"
)

// What is counted of players that go from one world to another.
const (
	HandoverBegun   = "handover.begun"      // they have left a world, and are kept for the other one
	HandoverDone    = "handover.done"       // they were sent into the other one, without a store
	HandoverRefused = "handover.refused"    // the other one cannot be entered
	HandoverDropped = "handover.dropped"    // the connection has ended between the two
	LeftTwice       = "handover.left_twice" // a world has reported again that a player has left it; that is not used
)

// A handover is what is known of a player between two worlds. The world that it has left has given its character, which is saved as that of any
// player that leaves. When the client has loaded the map, the other world is given the same character, and no store is asked. Until then
// the account stays the player's, with its claim. A player that does not enter the other world is let go of when the save is safe: its
// character is where it was going. All of it is the roster's.
type handover struct {
	player        *player    // that is to enter the other world; the one that has left, if none is
	since         time.Time  // when it left, by the monotonic clock: the worlds' clocks are those of their machines
	from          *worldLink // that it has left, if it goes to the world that follows that: it does not enter it again
	asked         time.Time  // when it was to enter the other world first; its connection's
	flags, states uint32     // as frame.Character has them
	safe          bool       // the character is
	begun         bool       // the player enters the other world, or has tried to
	waits         uint8      // what has happened to the player that does not count until the character is safe
}

// travel makes a player that has left its world the one that is to enter another, in the place of the first, which is free when its
// connection is done with it. It is not ok if the connection has ended, or does not wait for the other world, or another gateway wants the account; then the first is
// let go of when the character is safe, or now if it is. Asked is what the connection has asked for already, if it has.
func (r *roster) travel(old *player, h *handover) (asked entry, safe, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seats[old.account] != old.conn || r.players[old.account] != old || old.wanted || old.linkDead || old.dropped {
		if !h.safe {
			h.waits |= saved
		}
		return entry{}, h.safe, false
	}
	kept := *old.kept
	p := &player{
		conn: old.conn, account: old.account, guid: old.guid, login: old.login, fence: old.fence,
		character: old.character, kept: &kept, handover: h, next: old.next,
	}
	old.fence, old.next = 0, entry{}
	if p.next.conn == p.conn {
		asked, p.next = p.next, entry{}
	}
	h.player, r.players[p.account] = p, p
	return asked, h.safe, true
}

// arriving is the player of a connection that is to enter another world, which it begins to do. It is nil if there is none. The caller has
// locked the roster.
func (r *roster) arriving(e entry) *player {
	p := r.players[e.conn.session.Account()]
	if p == nil || p.conn != e.conn || p.guid != e.guid || p.handover == nil || p.handover.begun {
		return nil
	}
	p.handover.begun = true
	return p
}

// drop notes that a connection waits for no other world, also for when its player leaves one later. It returns the player that was to
// enter one, nil if there is none.
func (r *roster) drop(c *conn) *player {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.players[c.session.Account()]
	if p == nil || p.conn != c {
		return nil
	}
	p.dropped = true
	if p.handover == nil || p.handover.begun {
		return nil
	}
	p.handover.begun = true
	return p
}

// ifSafe is what has happened to a player, or nothing if that does not count yet.
func (r *roster) ifSafe(p *player, what uint8) uint8 {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := p.handover
	if h == nil || h.safe || what&saved == 0 {
		return what
	}
	h.waits |= saved
	return what &^ saved
}

// safe notes that the character of a hand-over is safe, and returns what has happened to its player before.
func (r *roster) safe(h *handover) (p *player, what uint8) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.safe = true
	return h.player, h.waits
}

// letGo is settle for a player that has not been in the world that it was to enter.
func (g *Gate) letGo(p *player, what uint8) {
	if what = g.roster.ifSafe(p, what); what != 0 {
		g.settle(p, what)
	}
}

// handOver has a player that has left its world enter another one as soon as its connection asks for that. The character has been given to be
// saved before: so what that world reports of it is saved later.
func (g *Gate) handOver(old *player, h *handover) {
	asked, safe, ok := g.roster.travel(old, h)
	if !ok {
		if safe {
			g.settle(old, saved)
		}
		return
	}
	g.config.Metric.Count(HandoverBegun)
	g.settle(old, saved)
	if asked.conn != nil { // it has loaded the map already
		asked.conn.loop.do(func() { g.enter(asked.conn, asked.guid) })
	}
}

// drop lets go of the connection's player between two worlds, if there is one.
func (c *conn) drop() {
	if p := c.gate.roster.drop(c); p != nil {
		c.gate.config.Metric.Count(HandoverDropped)
		c.gate.letGo(p, settled)
	}
}

// goOn sends a player that has left a world into the one where it is now.
func (g *Gate) goOn(p *player) {
	if exit, ok := g.instanced(p.kept.Map); ok {
		g.goIntoInstance(p, exit)
		return
	}
	g.goInto(p, g.linkOf(p.kept.Map))
}

// lookAgain is how often it is looked whether the world that a player is to enter is there, our own choice: a step of 50 ms.
const lookAgain = 50 * time.Millisecond

// awaits reports whether a player is to wait for the world that it is to enter: that follows the one that it has left, or another one that has ended. It waits for
// Config.StoreTime, as for an instance.
func (g *Gate) awaits(p *player, link *worldLink) bool {
	c, h := p.conn, p.handover
	if h.asked.IsZero() {
		h.asked = time.Now()
	}
	if c.gone() || g.closing.Load() || time.Since(h.asked) >= g.config.StoreTime {
		return false
	}
	return link == h.from || !link.open() || !c.loop.follow(link)
}

// goInto sends a player that has left a world into another one, as soon as that is there.
func (g *Gate) goInto(p *player, link *worldLink) {
	if link != nil {
		link = g.worldLinks()[link.at]
		if g.awaits(p, link) {
			p.conn.loop.after(lookAgain, func() { g.goInto(p, link) })
			return
		}
	}
	if link == nil || link == p.handover.from || !link.open() {
		g.config.Metric.Count(HandoverRefused)
		p.conn.arrive(p, session.NoWorld)
		return
	}
	caches, now := p.character.Caches, time.Now()
	p.character, p.worldLink = store.ToFrame(p.kept), link
	p.character.Caches, p.character.NowUnix = caches, uint32(now.Unix())
	p.character.AwaySec = uint32(now.Sub(p.handover.since).Round(time.Second) / time.Second)
	p.character.Flags, p.character.States = p.handover.flags, p.handover.states
	p.character.Transfer = g.transfers.Add(1)
	p.handover.from = nil // with the frames that it has kept
	g.config.Metric.Count(HandoverDone)
	p.conn.arrive(p, session.Done)
}

// handoverOf is the hand-over of a player that a world has let go of, to be saved.
func handoverOf(old *player, c *frame.Character) *handover {
	h := &handover{player: old, since: time.Now(), flags: c.Flags, states: c.States}
	if c.Map == old.worldLink.id {
		h.from = old.worldLink
	}
	return h
}
