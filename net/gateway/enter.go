package gateway

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// enter begins the entry of a character into its world. One that comes from another world is known. Any other one is loaded as soon as no other
// player of the account is in a world. One that has lost its connection is taken over if it is of that character, also in a fight, and otherwise
// taken out.
//
// Source: WorldSession::HandlePlayerLoginOpcode and HandlePlayerLoginToCharInWorld, AzerothCore.
func (g *Gate) enter(c *conn, guid uint64) {
	e := entry{c, guid, c.login, g.clock()}
	p, stale, taken := g.roster.claim(e)
	if stale != nil {
		stale.evict()
	}
	switch {
	case taken != nil:
		taken.rejoin()
	case p != nil && p.handover != nil:
		c.loop.do(func() { g.goOn(p) }) // not within the request
	case p != nil:
		g.load(p)
	case g.config.Claims != nil: // the older player is there until its account is given back
		c.loop.after(g.config.ClaimTime, func() { c.giveUpEntry(e) })
	}
}

// giveUpEntry answers a connection that has waited in vain for the older player of its account.
func (c *conn) giveUpEntry(e entry) {
	if c.gate.roster.giveUp(e) {
		c.gate.config.Metric.Count(ClaimLost)
		c.answer(&session.Answer{Outcome: session.Failed})
	}
}

// load claims a player's account, if there are other gateways, and fetches its character; conn.arrive continues with it.
func (g *Gate) load(p *player) {
	if g.config.Claims == nil {
		g.fetch(p)
		return
	}
	p.asked = g.clock()
	g.claim(p)
}

// fetch fetches a player's character. If that is in an instance, another worker finds it.
func (g *Gate) fetch(p *player) {
	arrive := func(o session.Outcome) { p.conn.loop.do(func() { p.conn.arrive(p, o) }) }
	g.inTime(func() { arrive(session.Failed) }, func(ctx context.Context) (done func()) {
		defer g.guard("load a character")
		stored, err := g.config.Store.Character(ctx, p.guid)
		var caches []msg.UpdateAccountData
		if err == nil && stored.Account == p.account {
			caches, err = g.caches(ctx, p.account, p.guid)
		}
		switch {
		case err != nil:
			return func() { arrive(outcomeOf(err)) }
		case stored.Account != p.account:
			return func() { arrive(session.NotFound) }
		}
		if exit, ok := g.instanced(stored.Map); ok {
			return func() { g.fetchInstance(p, &stored, caches, exit) }
		}
		return func() { arrive(p.become(&stored, caches, g.linkOf(stored.Map))) }
	})
}

// fetchInstance finds the instance that a character which has been fetched is in, or puts it at the exit of its map if there is none for it. It has a
// time of its own. An instance that is found for one that does not enter after all, for the time is up, is left.
func (g *Gate) fetchInstance(p *player, stored *store.Character, caches []msg.UpdateAccountData, exit Place) {
	arrive := func(o session.Outcome) { p.conn.loop.do(func() { p.conn.arrive(p, o) }) }
	var ended atomic.Bool // the search has ended, or the time is up: whichever is first
	var leave func()
	leaveIfLast := func() {
		if !ended.CompareAndSwap(false, true) && leave != nil {
			leave()
		}
	}
	g.inTimeOf(g.entries, func() { leaveIfLast(); arrive(session.Failed) }, func(ctx context.Context) (done func()) {
		defer leaveIfLast()
		defer g.guard("load a character in an instance")
		var link *worldLink
		var err error
		if link, leave, err = g.enterInstance(ctx, p, stored.Map, true); err != nil {
			putAt(stored, exit)
			link = g.linkOf(stored.Map)
		}
		return func() { p.leave = leave; arrive(p.become(stored, caches, link)) }
	})
}

// become has a player be a stored character in a world, and returns whether it can be entered.
func (p *player) become(stored *store.Character, caches []msg.UpdateAccountData, link *worldLink) session.Outcome {
	if link == nil || !link.open() {
		return session.NoWorld
	}
	p.character, p.kept, p.worldLink = store.ToFrame(stored), stored, link
	p.character.NowUnix = uint32(time.Now().Unix())
	if stored.SavedUnix > 0 {
		p.character.AwaySec = uint32(min(max(time.Now().Unix()-stored.SavedUnix, 0), math.MaxUint32))
	}
	for _, d := range caches {
		p.character.Caches[d.Cache] = d.Time
	}
	return session.Done
}

// arrive sends a loaded character into its world, if its connection is still there, and otherwise lets go
// of it.
func (c *conn) arrive(p *player, outcome session.Outcome) {
	defer c.guard()
	op := frame.OpEnter
	if c.bound != nil {
		op = frame.OpArrive
		p.character.Flags, p.character.States = c.bound.Flags, c.bound.States
		c.bound = nil
	}
	if p.handover != nil {
		op = frame.OpArrive
	}
	if c.gate.closing.Load() {
		outcome = session.Failed
	}
	if c.gone() || outcome != session.Done {
		c.gate.letGo(p, settled) // it never was in a world
		c.answer(&session.Answer{Outcome: outcome})
		return
	}
	p.character.SecurityLevel = c.level
	p.since = p.worldLink.port.Newest()
	if !c.gate.roster.number(p) || !c.loop.follow(p.worldLink) {
		c.gate.letGo(p, settled)
		c.answer(&session.Answer{Outcome: session.NoWorld})
		return
	}
	defer c.followNow()                               // the session has the character's name from the answer on
	entered := session.Answer{Character: p.character} // before its world can report it anew
	c.attach(p)
	if !c.post(op, msg.Append(nil, wire.V12340, &p.character)) { // its world has not read for long
		c.ignore(InboxFull, msg.OpPlayerLogin, nil)
		c.detach()
		c.gate.letGo(p, saved)
		c.answer(&session.Answer{Outcome: session.Failed})
		return
	}
	c.answer(&entered)
}

// takeOut has the world let go of the connection's player. The world's answer is the player's name in a
// frame's Left.
func (c *conn) takeOut() {
	if p := c.player; p != nil && !p.leaving {
		p.leaving = true
		c.post(frame.OpLeave, nil)
	}
}
