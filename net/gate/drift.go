package gate

import (
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/session"
	"muster/net/wire"
)

// lost are the reasons for which a connection ends without a word: its player stays in its world for as long as that
// wants to keep it, which is until its fight is over.
//
// Source: WorldSession::HandleSocketClosed, AzerothCore, which does not keep those that are kicked.
var lost = map[string]bool{Peer: true, Idle: true, SlowReader: true, Replaced: true}

// cutOff tells the world of the connection's player that there is no connection any more.
func (c *conn) cutOff() {
	p := c.player
	if !lost[c.reason] || c.gate.closing.Load() || p == nil || p.leaving {
		c.takeOut()
		return
	}
	c.gate.roster.drift(p)
	c.post(frame.OpDrop, nil)
}

// drift notes that a player has no connection any more.
func (r *roster) drift(p *player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.adrift = true
}

// rejoin gives a player who is still in its world to the connection, which comes from the character screen. The client is
// answered when the world has shown itself: it may have let go of the player meanwhile.
//
// Source: WorldSession::HandlePlayerLoginToCharInWorld, AzerothCore.
func (c *conn) rejoin(p *player) {
	defer c.guard()
	if closing := c.gate.closing.Load(); c.gone() || closing {
		c.gate.roster.drift(p)
		c.gate.settle(p, detached)
		if closing {
			c.loop.oust(p)
		}
		return
	}
	p.since = p.stand.port.Newest()
	c.attach(p)
	c.cursor.Anew = p.resumes                                                                 // which does not change while it has this connection
	if !c.post(frame.OpResume, msg.Append(nil, wire.V12340, &frame.Resume{Nth: p.resumes})) { // its world has not read for long
		c.gate.config.Metric.Count(InboxFull)
		c.gate.roster.drift(p)
		c.detach()
		c.answer(&session.Answer{Outcome: session.Failed})
		return
	}
	switch {
	case p.stand.port.Stopped():
		c.doom(MapPanic)
	case p.out.Load():
		c.restart()
	}
}

// resumed answers the client of a player that it has taken over.
func (c *conn) resumed() {
	if character, ok := c.gate.roster.find(c.player.guid); ok {
		c.answer(&session.Answer{Character: character})
	}
}

// restart has a connection wait for its character as if nobody had been there, after its world has let go of the one that
// it was to take over.
func (c *conn) restart() {
	guid := c.player.guid
	c.detach()
	c.bound = nil // its predecessor may have been on its way to another map: this client comes from the character screen
	c.gate.enter(c, guid)
}

// astray sees to it that nobody waits for the world to show itself to a player whom it has let go.
func (p *player) astray() {
	c := p.link.Load()
	c.loop.do(func() {
		if c.player == p && c.cursor.Anew != 0 && !c.gone() {
			c.restart()
		}
	})
}

// recall notes that a player without a connection is to be taken out of its world. It is not ok if the player has one, or
// if that is done already. Its number stays its own until its world has been told.
func (r *roster) recall(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !p.adrift || p.settled&saved != 0 {
		return false
	}
	p.adrift = false
	p.settled &^= detached
	return true
}

// drifters are the players without a connection whose last one was of a loop.
func (r *roster) drifters(l *loop) (players []*player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.players {
		if p.adrift && p.link.Load().loop == l {
			players = append(players, p)
		}
	}
	return players
}

// oust takes a player out of its world that is there without a connection.
func (p *player) oust() {
	l := p.link.Load().loop
	l.do(func() { l.oust(p) })
}

func (l *loop) oust(p *player) {
	if !l.gate.roster.recall(p) {
		return
	}
	w := &l.watches[p.stand.at]
	w.inbox.Add(frame.Item{Session: p.session, AtMs: w.stand.port.NowMs(), Op: frame.OpLeave})
	w.gone = append(w.gone, p)
	l.post()
}
