package session

import (
	"slices"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// pings are packets with numbers from one to before another.
func (c *client) pings(from, to uint32) (all []byte) {
	for n := from; n < to; n++ {
		all = append(all, c.packet(msg.OpPing, &msg.Ping{Sequence: n})...)
	}
	return all
}

// pongs are the answers to those.
func (c *client) pongs(from, to uint32) (all []string) {
	for n := from; n < to; n++ {
		all = append(all, "SMSG_PONG "+hex([]byte{byte(n), byte(n >> 8), 0, 0}))
	}
	return all
}

// visit visits the session so long after an hour in which it was not, after a drain point, when it may have waited for
// so long.
func (c *client) visit(at time.Duration, drain uint64, lag time.Duration, do func(t *Turn)) []string {
	c.turn.Begin(testNow.Add(time.Hour+at), drain)
	c.turn.Lag = lag
	do(&c.turn)
	return c.gather()
}

// What arrived while nothing was read is read drain point by drain point, all of it and in its order, and in the
// rates of the time in which it was sent. After that too much is too much again.
func TestBacklog(t *testing.T) {
	c := newClient(t)
	c.enter()
	const drain = 1000
	first := c.pings(0, 400)
	if said := c.visit(0, drain, 5*time.Second, func(t *Turn) { c.session.Feed(t, first) }); !slices.Equal(said, c.pongs(0, 150)) || c.turn.Wait == 0 {
		t.Fatalf("%d answers, and it waits for %v", len(said), c.turn.Wait)
	}
	more := c.pings(400, 450)
	if said := c.visit(0, drain, 5*time.Second, func(t *Turn) { c.session.Feed(t, more) }); len(said) > 0 || c.turn.Wait != 0 {
		t.Errorf("before the next drain point: said %q, and waits twice", said)
	}
	if said := c.visit(time.Millisecond, drain, 0, c.session.Resume); len(said) > 0 || c.turn.Wait == 0 {
		t.Errorf("before the next drain point: said %q, and waits for %v", said, c.turn.Wait)
	}
	for i := range uint32(3) {
		from := 150 + 150*i
		if said := c.visit(time.Second, drain+1+uint64(i), 0, c.session.Resume); !slices.Equal(said, c.pongs(from, min(from+150, 450))) {
			t.Errorf("after drain point %d: %d answers, from %q", i+1, len(said), said[:min(len(said), 1)])
		}
	}
	if n, flood := c.metric.Value(Deferred), c.metric.Value(Flood); n != 1 || flood != 0 || c.turn.Wait != 0 || c.session.late != 0 {
		t.Errorf("%d backlogs, %d dropped, waits for %v, late by %v", n, flood, c.turn.Wait, c.session.late)
	}
	if said := c.feed(c.pings(0, 200)); len(said) != 150 || c.metric.Value(Flood) != 50 {
		t.Errorf("%d answers and %d dropped of what comes too fast", len(said), c.metric.Value(Flood))
	}
}

// A client that goes on sending as fast as it is read has no backlog for ever.
func TestBacklogEnds(t *testing.T) {
	c := newClient(t)
	c.enter()
	const drain = 1000
	c.visit(0, drain, time.Minute, func(t *Turn) { c.session.Feed(t, c.pings(0, 400)) })
	for i := uint64(1); c.session.late > 0; i++ {
		at := time.Duration(i) * 50 * time.Millisecond
		if at > backlogTime+time.Second {
			t.Fatalf("%v after it could be read there is a backlog", at)
		}
		c.visit(at, drain+i, 0, c.session.Resume)
		c.visit(at, drain+i, 0, func(t *Turn) { c.session.Feed(t, c.pings(0, 150)) })
	}
	if n, flood := c.metric.Value(Deferred), c.metric.Value(Flood); n != 1 || flood == 0 {
		t.Errorf("%d backlogs, and %d packets dropped at the end", n, flood)
	}
}

// A client that moved while nothing was read does not count as a flood, however long it takes until all is
// read.
func TestBacklogOfMoves(t *testing.T) {
	c := newClient(t)
	c.enter()
	const moves = 600
	var all []byte
	for range moves {
		all = append(all, c.packet(msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID})...)
	}
	for part := range slices.Chunk(all, MaxFeed) {
		c.visit(0, 1000, 30*time.Second, func(t *Turn) { c.session.Feed(t, part) })
	}
	for i := uint64(1); c.session.late > 0 && i < 10; i++ { // in one second, which is not that in which the first were read
		c.visit(time.Second+time.Duration(i)*time.Millisecond, 1000+i, 0, c.session.Resume)
	}
	if len(c.items) != moves || c.turn.Close != "" || c.metric.Value("flood.often") != 0 {
		t.Errorf("%d of %d moves reached the world, closed for %q", len(c.items), moves, c.turn.Close)
	}
}

// A backlog is never more than a session may have unread. What is beyond it is dropped, the oldest first, and no
// connection is closed for it.
func TestBacklogIsBounded(t *testing.T) {
	c := newClient(t)
	c.enter()
	const pings, drain = 12_000, 1000
	all := c.pings(0, pings)
	said := 0
	for len(all) > 0 {
		part := all[:min(MaxFeed, len(all))]
		all = all[len(part):]
		said += len(c.visit(0, drain, time.Hour, func(t *Turn) { c.session.Feed(t, part) }))
		if c.turn.Close != "" || len(c.session.unread)-c.session.read > maxUnread {
			t.Fatalf("closed for %q, with %d bytes unread", c.turn.Close, len(c.session.unread)-c.session.read)
		}
	}
	waits := len(c.session.unread) - c.session.read
	dropped := c.metric.Value(Flood)
	if said != 150 || dropped == 0 || waits > maxBacklog || waits < maxBacklog-MaxFeed {
		t.Errorf("%d answers, %d dropped, %d bytes wait", said, dropped, waits)
	}
	for i := uint64(1); c.session.late > 0 && i < pings; i++ {
		said += len(c.visit(time.Duration(i)*25*time.Millisecond, drain+i, 0, c.session.Resume))
	}
	if uint64(said)+dropped != pings || c.metric.Value(Flood) != dropped {
		t.Errorf("%d answers and %d dropped of %d", said, c.metric.Value(Flood), pings)
	}
}
