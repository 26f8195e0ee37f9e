package gateway

import (
	"maps"
	"slices"
	"sync"
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
)

// A Seeker is a login that wants to be let into the realm, or waits for it.
type Seeker struct {
	Account uint32
	Login   uint64
	Exempt  bool // it does not wait: its account is above player level
}

// An EndedLogin is a login that needs no place any more.
type EndedLogin struct {
	Account uint32
	Login   uint64
}

// PlacesFailed counts tries to have the registry say which clients are let in. Those that have just logged in are closed, others go on waiting.
const PlacesFailed = "queue.failed"

const (
	// askEvery is between two times that the places of waiting clients are asked for.
	askEvery = time.Second
	// maxEnded are told of at a time.
	maxEnded = 1000

	untold = -1
)

// A realmQueue has the places of connections where several gateways share those of a realm: the first that comes is let in first, through whichever
// gateway. Its run alone asks for places; every other method may be called from any goroutine.
type realmQueue struct {
	gate *Gate
	wake chan struct{} // holds a token if there is something to tell or to ask at once

	mu      sync.Mutex
	longest int
	seeking map[uint64]*seeker // by login; those that are not let in
	fresh   []uint64           // of them those that have not been told anything
	ended   []EndedLogin
}

// A seeker is a connection that is not let in.
type seeker struct {
	Seeker
	conn *conn
	at   int // as last told to it; untold before
}

func (q *realmQueue) init(g *Gate) {
	q.gate, q.wake, q.longest, q.seeking = g, make(chan struct{}, 1), g.config.MaxQueue, make(map[uint64]*seeker)
}

// enter has a connection be answered with its place. It is not ok if too many wait.
func (q *realmQueue) enter(c *conn) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	exempt := c.level > command.Player
	if !exempt && len(q.seeking) >= q.longest {
		return false
	}
	q.seeking[c.login] = &seeker{Seeker: Seeker{Account: c.session.Account(), Login: c.login, Exempt: exempt}, conn: c, at: untold}
	q.fresh = append(q.fresh, c.login)
	signal(q.wake)
	return true
}

// leave frees the place of a connection. One that a newer login of its account has replaced leaves it to that.
func (q *realmQueue) leave(c *conn) {
	if c.login == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.seeking, c.login)
	if c.reason != Replaced {
		q.ended = append(q.ended, EndedLogin{c.session.Account(), c.login})
		signal(q.wake)
	}
}

func (q *realmQueue) resize(longest int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.longest = longest
}

// run asks for places until the gateway ends: for a connection that logs in at once, and for those that wait every second.
func (q *realmQueue) run() {
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for {
		select {
		case <-q.wake:
			q.round(false)
		case <-ask.C:
			q.round(true)
		case <-q.gate.done:
			return
		}
	}
}

// take takes what is to be told, and who is to be asked for: all that wait, or those that have just come.
func (q *realmQueue) take(all bool) (ended []EndedLogin, ask []Seeker) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.ended), maxEnded)
	ended, q.ended = q.ended[:n:n], q.ended[n:]
	if len(q.ended) > 0 {
		signal(q.wake)
	}
	logins := q.fresh
	if all {
		logins = slices.Sorted(maps.Keys(q.seeking))
	}
	for _, login := range logins {
		if s := q.seeking[login]; s != nil {
			ask = append(ask, s.Seeker)
		}
	}
	q.fresh = nil
	return ended, ask
}

// round asks once, and tells connections what has changed.
func (q *realmQueue) round(all bool) {
	ended, ask := q.take(all)
	if len(ended) == 0 && len(ask) == 0 {
		return
	}
	ctx, cancel := q.gate.storeTime()
	defer cancel()
	at, err := q.gate.config.Claims.Places(ctx, ended, ask)
	if err != nil {
		q.gate.config.Metric.Count(PlacesFailed)
		q.gate.config.Log.Debug("gateway: places of the realm are not known", "error", err)
	}
	told := make(map[*loop][]func())
	q.mu.Lock()
	if err != nil {
		q.ended = append(ended, q.ended...) // with the next round
	}
	for _, s := range ask {
		if found := q.seeking[s.Login]; found != nil {
			place, known := at[s.Login]
			if tell := q.tell(found, place, known, err); tell != nil {
				told[found.conn.loop] = append(told[found.conn.loop], tell)
			}
		}
	}
	q.mu.Unlock()
	for l, some := range told {
		l.do(func() {
			for _, tell := range some {
				tell()
			}
		})
	}
}

// tell is what a connection's loop is to do about its place, nil if nothing has changed.
func (q *realmQueue) tell(s *seeker, place int, known bool, err error) func() {
	c, first := s.conn, s.at == untold
	switch {
	case err != nil && first:
		delete(q.seeking, s.Login)
		return func() { c.answer(&session.Answer{Outcome: session.Failed}) }
	case err != nil || known && place == s.at:
		return nil
	case !known: // a newer login of the account has its place
		delete(q.seeking, s.Login)
		return func() { c.markClosing(Replaced) }
	case place == 0:
		delete(q.seeking, s.Login)
	}
	s.at = place
	if !first {
		return func() { c.advance(place) }
	}
	return func() {
		if place > 0 {
			c.ignore(QueueWaited, msg.OpAuthSession, position(place))
		}
		c.answer(&session.Answer{Place: place})
	}
}
