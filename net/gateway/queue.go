package gateway

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"muster/net/protocol/command"
)

// QueueWaited counts connections that have to wait. Those without room in the queue are closed for
// session.QueueFull.
const QueueWaited = "queue.waited"

// A queue has the places of connections that are let in. When all are taken, further ones wait, and are let in in the
// order of arrival as others leave. A newer connection of an account takes the place of the older one, or waits in
// its stead. Every method may be called from any goroutine.
type queue struct {
	places int // 0 is no limit

	mu      sync.Mutex
	longest int // so many may wait
	taken   int
	waiting []*conn // in the order of arrival
}

// enter gives a connection a place: 0 if it is let in, or its position among those that wait, from 1. It is not ok
// if there is no room for it. An account above player level does not wait.
//
// Source: WorldSessionMgr::AddSession_, AzerothCore.
func (q *queue) enter(c *conn) (at int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := 1 + slices.Index(q.waiting, c); c.placed || at > 0 {
		return at, true
	}
	switch {
	case q.places == 0 || c.level > command.Player || q.taken < q.places && len(q.waiting) == 0:
		c.placed = true
		q.taken++
		return 0, true
	case len(q.waiting) >= q.longest:
		return 0, false
	}
	q.waiting = append(q.waiting, c)
	return len(q.waiting), true
}

// resize changes how many may wait. Those that wait already go on waiting.
func (q *queue) resize(longest int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.longest = longest
}

// leave removes a connection, and returns the one that gets its place, if any.
func (q *queue) leave(c *conn) (next *conn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !c.placed {
		if at := slices.Index(q.waiting, c); at >= 0 {
			q.waiting = slices.Delete(q.waiting, at, at+1)
		}
		return nil
	}
	c.placed = false
	q.taken--
	if q.taken >= q.places || len(q.waiting) == 0 {
		return nil
	}
	next = q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	next.placed = true
	q.taken++
	return next
}

// inherit gives a newer connection what the older one of its account has.
func (q *queue) inherit(from, to *conn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if from.placed {
		from.placed, to.placed = false, true
	} else if at := slices.Index(q.waiting, from); at >= 0 {
		q.waiting[at] = to
	}
}

// A position is a place in the queue, as it is logged.
type position int

func (p position) String() string { return fmt.Sprintf("place %d", int(p)) }

// A step is a move in the queue.
type step struct {
	conn *conn
	at   int
}

// steps lists the connections of a loop whose place has changed since it was last sent to them.
func (q *queue) steps(l *loop, into []step) []step {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, c := range q.waiting {
		if c.loop == l && c.sentPlace != i+1 {
			into = append(into, step{c, i + 1})
		}
	}
	return into
}

// advance sends a connection its place in the queue, or lets it in if that is 0.
func (c *conn) advance(at int) {
	if c.gone() {
		return
	}
	defer c.guard()
	now := time.Now()
	c.sentPlace = at
	c.loop.turn.Begin(now, c.loop.drain)
	c.session.Advance(&c.loop.turn, at)
	c.obey()
}

// advance sends the waiting connections of a loop their places.
func (l *loop) advance() {
	l.steps = l.gate.queue.steps(l, l.steps[:0])
	for _, s := range l.steps {
		s.conn.advance(s.at)
	}
	clear(l.steps)
}

// giveUp frees the place of a connection that closes, for the next one.
func (c *conn) giveUp() {
	if c.gate.config.Claims != nil {
		c.gate.realmQueue.leave(c)
		return
	}
	if next := c.gate.queue.leave(c); next != nil {
		next.loop.do(func() { next.advance(0) })
	}
}
