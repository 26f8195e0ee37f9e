package gateway

import (
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
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

// markLinkDead notes that a player has no connection any more. It is not ok if another character of its account waits to
// enter, or the account is wanted at another gateway.
func (r *roster) markLinkDead(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.linkDead = (p.next.conn == nil || p.next.guid == p.guid) && !p.wanted
	return p.linkDead
}

// takeOver gives a player without a connection to the connection that waits for its character: it is another player in the roster from
// then on, with the same number. It returns nil if it cannot. The caller has locked the roster.
func (r *roster) takeOver(old *player) *player {
	if !old.linkDead || old.settled != detached || old.out || old.wanted || r.players[old.account] != old || old.worldLink.ended ||
		old.next.conn == nil || old.next.guid != old.guid {
		return nil
	}
	p := &player{
		conn: old.next.conn, account: old.account, guid: old.guid, character: old.character, kept: old.kept, worldLink: old.worldLink,
		session: old.session, resumed: true, login: old.next.login, asked: old.next.asked, fence: old.fence,
		leave: old.leave,
	}
	old.linkDead, old.next = false, entry{}
	r.players[p.account], r.online[p.guid], r.byName[p.character.Name], r.numbers[p.session] = p, p, p, p
	return p
}

// giveUpResume notes that a player that was taken over has no connection after all. It is not ok if it must not stay then.
func (r *roster) giveUpResume(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.linkDead = true
	return !p.wanted && (p.next.conn == nil || p.next.guid == p.guid)
}

// over reports whether the world of a player has ended.
func (r *roster) over(p *player) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.worldLink.ended
}

// isOut reports whether the world of a player has let go of it.
func (r *roster) isOut(p *player) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.out
}

// rejoin has the connection of a player that was taken over go on with it.
func (p *player) rejoin() {
	c := p.conn
	c.loop.do(func() { c.resumePlayer(p) })
}

// resumePlayer attaches a player that is in its world. The session is answered when the world has resumed it, which may have let go of it
// meanwhile: then the character enters as any other does.
func (c *conn) resumePlayer(p *player) {
	defer c.guard()
	g := c.gate
	if c.gone() || g.closing.Load() || g.roster.over(p) || !c.loop.follow(p.worldLink) {
		stays := g.roster.giveUpResume(p)
		g.settle(p, detached)
		if !stays || g.closing.Load() {
			p.evict()
		}
		c.answer(&session.Answer{Outcome: session.NoWorld})
		return
	}
	if g.roster.isOut(p) { // Gate.release was before this: nothing more is heard of the player
		g.settle(p, detached)
		c.drop()
		g.enter(c, p.guid)
		return
	}
	p.since = p.worldLink.port.Newest()
	character, _ := g.roster.find(p.guid)
	character.NowUnix, character.SecurityLevel = uint32(time.Now().Unix()), c.level
	character.Transfer = g.transfers.Add(1)
	c.resuming = true
	c.attach(p)
	c.cursor.Waits = character.Transfer
	if !c.post(frame.OpResume, msg.Append(nil, wire.V12340, &character)) { // its world has not read for long
		c.ignore(InboxFull, msg.OpPlayerLogin, nil)
		c.resuming = false
		stays := g.roster.giveUpResume(p)
		c.detach()
		if !stays {
			p.evict()
		}
		c.answer(&session.Answer{Outcome: session.Failed})
	}
}

// resumed answers the session when its world has resumed its player.
func (c *conn) resumed() {
	c.resuming = false
	c.loop.dispatch() // nothing is written to a player that has a pending send
	defer c.followNow()
	character, _ := c.gate.roster.find(c.player.guid)
	c.answer(&session.Answer{Character: character})
}

// enterAgain has a character enter that its world had let go of before it could be resumed.
func (c *conn) enterAgain(p *player) {
	if c.gone() || c.player != p || !c.resuming {
		return
	}
	c.resuming, c.left, c.bound = false, false, nil
	c.detach()
	c.drop() // one that was going to another map is there when it is stored
	c.gate.enter(c, p.guid)
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
