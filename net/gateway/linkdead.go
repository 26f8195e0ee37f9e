package gateway

import (
	"muster/net/replication/frame"
)

// lost are the reasons for which a connection ends without a logout: its player stays in its world until that lets
// it go, which is when its fight is over.
//
// Source: WorldSession::HandleSocketClosed, AzerothCore, which does not keep those that are kicked.
var lost = map[string]bool{Peer: true, Idle: true, IdleActive: true, SlowReader: true, Replaced: true}

// cutOff reports to the world of the connection's player that there is no connection any more.
func (c *conn) cutOff() {
	p := c.player
	if !lost[c.reason] || c.gate.closing.Load() || p == nil || p.leaving || !c.gate.roster.markLinkDead(p) {
		c.takeOut()
		return
	}
	c.post(frame.OpDrop, nil)
}

// markLinkDead notes that a player has no connection any more. It is not ok if another player of its account waits to
// enter, here or at another gateway.
func (r *roster) markLinkDead(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.linkDead = p.next.conn == nil && !p.wanted
	return p.linkDead
}

// recall notes that a player without a connection is to be taken out of its world. It is not ok if the player has one, or
// if that is done already. Its number stays its own until it is reported to its world.
func (r *roster) recall(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !p.linkDead || p.settled&saved != 0 {
		return false
	}
	p.linkDead = false
	p.settled &^= detached
	return true
}

// linkDead are the players without a connection whose last one was of a loop.
func (r *roster) linkDead(l *loop) (players []*player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.players {
		if p.linkDead && p.conn.loop == l {
			players = append(players, p)
		}
	}
	return players
}

// evict takes a player out of its world that is there without a connection.
func (p *player) evict() {
	l := p.conn.loop
	l.do(func() { l.evict(p) })
}

func (l *loop) evict(p *player) {
	if !l.gate.roster.recall(p) {
		return
	}
	w := &l.watches[p.worldLink.at]
	if w.worldLink != p.worldLink { // another world is in its place
		l.gate.settle(p, detached)
		return
	}
	w.inbox.Add(frame.Item{Session: p.session, AtMs: w.worldLink.port.NowMs(), Op: frame.OpLeave})
	w.gone = append(w.gone, p)
	l.post()
}
