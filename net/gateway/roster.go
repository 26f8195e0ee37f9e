package gateway

import (
	"sync"
	"sync/atomic"
	"time"

	"muster/loaders/store"
	"muster/net/replication/frame"
)

// A roster has the newest connection of each account, and the one player that an account may have in a
// world, on its way in or on its way out. A connection that wants to enter while there is one must wait
// until it is out and saved; so no character is ever in two worlds, and none is loaded before it is saved.
type roster struct {
	mu      sync.Mutex
	seats   map[uint32]*conn   // by account
	players map[uint32]*player // by account
	online  map[uint64]*player // by guid, those in a world
	byName  map[string]*player // by name, the same
	numbers []*player          // by session number; 0 is unused
	free    []uint32
	emptied chan struct{} // closed when there are no players; nil if nothing waits for it
}

// A player is a character on its way into a world, in it, or on its way out. Fields that are not marked
// as the roster's do not change once the player is in the world.
type player struct {
	conn      *conn
	account   uint32
	guid      uint64
	character frame.Character  // as it was loaded
	kept      *store.Character // as its world reported it last; Gate.keep's
	worldLink *worldLink
	session   uint32 // its number in the world
	since     uint64 // the world's newest tick when it was sent there
	leaving   bool   // OpLeave is on its way; the loop's
	resumed   bool   // it was in the world before this connection

	login uint64    // of its connection; 0 where there are no claims
	asked time.Time // when its account was first asked for
	fence uint64    // of the claim of its account; 0 if there is none

	handover *handover // as it comes from another world; nil from the character screen

	leave func() // is called when it is settled; nil if it is in no instance

	safe atomic.Bool // what its world has let go of is saved, or is not going to be

	out      bool  // its world has let go of it; the roster's
	linkDead bool  // its world has it without a connection; the roster's
	dropped  bool  // its connection waits for no other world; the roster's
	wanted   bool  // another gateway waits for its account; the roster's
	settled  uint8 // the roster's
	next     entry // the connection that waits until it is gone; the roster's
}

// An entry is a wish to enter a world.
type entry struct {
	conn  *conn
	guid  uint64
	login uint64 // of the connection
	asked time.Time
}

// What must have happened before a player's number and account are free.
const (
	detached uint8 = 1 << iota // its connection is done with it
	saved                      // the world has let go of it, and so has the store
	settled  = detached | saved
)

func (r *roster) init() {
	r.seats = make(map[uint32]*conn)
	r.players = make(map[uint32]*player)
	r.online = make(map[uint64]*player)
	r.byName = make(map[string]*player)
	r.numbers = make([]*player, 1)
}

// seat makes a connection the one of its account, and returns the previous one, if any. It is not ok if the login of that one is
// newer: then it stays.
func (r *roster) seat(c *conn) (old *conn, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	account := c.session.Account()
	old = r.seats[account]
	if old != nil && old.login > c.login {
		return nil, false
	}
	r.seats[account] = c
	return old, true
}

// unseat forgets a connection, and what it waits for.
func (r *roster) unseat(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	account := c.session.Account()
	if r.seats[account] == c {
		delete(r.seats, account)
	}
	if p := r.players[account]; p != nil && p.next.conn == c {
		p.next = entry{}
	}
}

// claim makes the player of an account, unless it is there and comes from another world: it has a handover then. It returns nil if there
// is another one, for which the request then waits, and if the connection is not that of the account any more. A player without a connection
// is stale, if it is of another character, and is taken over otherwise. All of it is one step: travel finds that the connection has asked, or
// has made the player that comes from another world.
func (r *roster) claim(e entry) (p, stale, taken *player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.arriving(e); p != nil {
		return p, nil, nil
	}
	account := e.conn.session.Account()
	if r.seats[account] != e.conn {
		return nil, nil, nil
	}
	if old := r.players[account]; old != nil {
		old.next = e
		if old.linkDead && old.guid != e.guid {
			stale = old
		}
		return nil, stale, r.takeOver(old)
	}
	return r.add(account, e), nil, nil
}

// giveUp forgets that a connection waits for the player of its account. It is not ok if it does not wait any more.
func (r *roster) giveUp(e entry) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.players[e.conn.session.Account()]
	if p == nil || p.next != e {
		return false
	}
	p.next = entry{}
	return true
}

func (r *roster) add(account uint32, e entry) *player {
	p := &player{conn: e.conn, account: account, guid: e.guid, login: e.login}
	r.players[account] = p
	return p
}

// number gives a player that is to enter a world its number there. It is not ok if the world has ended.
func (r *roster) number(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.worldLink.ended {
		return false
	}
	if n := len(r.free); n > 0 {
		p.session, r.free = r.free[n-1], r.free[:n-1]
	} else {
		p.session = uint32(len(r.numbers))
		r.numbers = append(r.numbers, nil)
	}
	r.numbers[p.session] = p
	r.online[p.guid] = p
	r.byName[p.character.Name] = p
	return true
}

// evict returns the players of a world that has ended. No player gets a number there any more.
func (r *roster) evict(s *worldLink) (players []*player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.ended = true
	for _, p := range r.numbers {
		if p != nil && p.worldLink == s {
			players = append(players, p)
		}
	}
	return players
}

// letGo notes that the world of a player has let go of it. It is nil if there is none of that number, and not ok if it was noted before.
func (r *roster) letGo(session uint32) (p *player, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if session >= uint32(len(r.numbers)) || r.numbers[session] == nil {
		return nil, false
	}
	p = r.numbers[session]
	ok, p.out = !p.out, true
	return p, ok
}

// markOut is letGo for a player that may have been let go of, and its number be another's.
func (r *roster) markOut(p *player) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ok = !p.out
	p.out = true
	return ok
}

// inWorld is the player of a guid, nil if it is in no world.
func (r *roster) inWorld(guid uint64) *player {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.online[guid]
}

// find is the character of a guid, if it is in a world.
func (r *roster) find(guid uint64) (frame.Character, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.online[guid]; p != nil {
		return p.character, true
	}
	return frame.Character{}, false
}

// settle notes what has happened to a player. When all has, its number and account are free, and the
// waiting player, if any, is returned. If another connection can have the player, it is taken over.
func (r *roster) settle(p *player, what uint8) (next, taken *player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := p.settled
	if p.settled |= what; p.settled != settled || before == settled {
		return nil, r.takeOver(p)
	}
	if p.leave != nil {
		p.leave()
	}
	if p.session != 0 {
		if r.online[p.guid] == p {
			delete(r.online, p.guid)
		}
		if r.byName[p.character.Name] == p {
			delete(r.byName, p.character.Name)
		}
		r.numbers[p.session] = nil
		r.free = append(r.free, p.session)
	}
	if r.players[p.account] != p { // it is on its way to another world
		return nil, nil
	}
	delete(r.players, p.account)
	if p.next.conn != nil {
		return r.add(p.account, p.next), nil
	}
	if len(r.players) == 0 && r.emptied != nil {
		close(r.emptied)
		r.emptied = nil
	}
	return nil, nil
}

// count is how many players there are.
func (r *roster) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.players)
}

// whenEmpty is closed when there are no players.
func (r *roster) whenEmpty() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := make(chan struct{})
	if len(r.players) == 0 {
		close(c)
	} else {
		r.emptied = c
	}
	return c
}

// settle notes what has happened to a player. An account that was claimed is given back before it counts as saved.
func (g *Gate) settle(p *player, what uint8) {
	if what&saved != 0 {
		p.safe.Store(true)
		p.conn.loop.do(func() { p.conn.flushLast(p) })
	}
	if what&saved != 0 && p.fence != 0 {
		g.returns.add(giving{player: p, what: what})
		return
	}
	g.free(p, what)
}

// free is roster.settle; it lets the waiting connection enter.
func (g *Gate) free(p *player, what uint8) {
	next, taken := g.roster.settle(p, what)
	if next != nil {
		g.load(next)
	}
	if taken != nil {
		taken.rejoin()
	}
}
