package gateway

import (
	"context"
	"crypto/rand"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// Reasons for closing that the gateway finds; the others are those of package session.
const (
	Peer             = "peer" // the client closed it, with or without a logout
	HandshakeTimeout = "handshake_timeout"
	Idle             = "idle"        // outside worlds
	IdleActive       = "idle_active" // in one
	SlowReader       = "slow_reader"
	Replaced         = "replaced"    // by a newer connection of the account
	Panic            = "panic"       // in our code, over this session
	MapPanic         = "map_panic"   // the world that the player was in has failed
	WorldMoved       = "world_moved" // it has ended in order, and another process is to have it
	Shutdown         = "shutdown"
	Reset            = "reset"        // the worlds begin anew
	Full             = "full"         // MaxConnections
	AddressFull      = "address_full" // MaxPerAddress
)

// Counted reasons that close nothing.
const (
	AcceptError = "accept_error"
	Unsynced    = "time_sync_missing" // SMSG_TIME_SYNC_REQ is not answered
	Panicked    = "gate.panic"        // over a session, which is closed for Panic, or over its work for a store
	InboxFull   = "inbox_full"
	Superseded  = "flush.superseded" // heartbeats that were not sent to a client that lags
	SaveFailed  = "save_failed"
	BanFailed   = "ban_failed"
	LeaseFailed = "lease_failed" // of GUIDs for items; it is tried again
	BatchFailed = "batch_failed" // a loop sends to one player at a time from here on
	TraceFull   = "trace_full"   // packets that a trace has left out
)

// maxPassed bounds what a client has for its world from one tick to the next, in bytes. More is dropped, and
// counted as session.Flood.
const maxPassed = 64 << 10

// maxRest bounds what a client has not taken yet, in bytes. All of it is encrypted, so none can be left out.
const maxRest = 1 << 20

// A conn is one connection. All of it belongs to its loop. A flush visits thousands, one after the other, and each is
// out of the caches by then: so the fields that a flush reads fill the first cache line and half of the second, and
// those that a read needs come next.
type conn struct {
	reason   string // for closing; empty while it stays
	rest     []byte // encrypted, and not yet taken by the kernel
	session  *session.Session
	fd       int
	closed   bool
	left     bool      // the world has let go of the player
	leftAt   time.Time // when its client was to be told that first; zero before
	resuming bool      // the player was in its world before, which has not answered yet
	counted  msg.State // the state under which the counters have it
	cursor   frame.Cursor
	sent     atomic.Uint64 // bytes, the loop's to write, readable from any goroutine

	player *player // in a world; nil on the character screen
	loop   *loop
	gate   *Gate
	master bool   // it shows that it is a game master
	passed int    // bytes for the world since its last tick
	ticked uint64 // the last tick when that was counted

	received atomic.Uint64 // bytes, as sent

	socket  gnet.Conn
	from    netip.Addr
	place   int              // in loop.conns
	slot    int              // in its phase of the watch
	since   time.Time        // connected
	queued  atomic.Int32     // the length of the rest, readable from any goroutine
	stalled time.Time        // since when there has been a rest
	waits   atomic.Int64     // the same in nanoseconds after processBegan, 0 without a rest, readable from any goroutine
	evicted bool             // the world has let go of the player because the gateway closes
	bound   *frame.Character // as it goes to another map, if it does

	id        uint64 // the number of the connection, from 1
	login     uint64 // its number among all logins of all gateways; 0 where there are no claims
	level     uint8  // of the account
	placed    bool   // it has a place; the queue's
	sentPlace int    // its place in the queue, as last sent to it
	tap       *tap   // nil while no trace follows the session
	unsynced  bool   // it is reported that it does not answer SMSG_TIME_SYNC_REQ
}

func (g *Gate) newConn(from netip.Addr) *conn {
	var seed [4]byte
	rand.Read(seed[:])
	now := time.Now()
	return &conn{gate: g, id: g.connections.Add(1), from: from, session: session.New(&g.session, seed), since: now}
}

// markClosing has the connection closed at the end of the loop's round. The first reason stays.
func (c *conn) markClosing(reason string) {
	if c.reason == "" && !c.closed {
		c.reason = reason
		c.loop.marked = append(c.loop.marked, c)
	}
}

// gone reports whether nothing more is to be done for the connection.
func (c *conn) gone() bool { return c.closed || c.reason != "" }

// obey does what a visit to the session asks for, and goes on visiting it for as long as its requests can
// be answered at once. What the session sends goes out in one piece.
func (c *conn) obey() {
	l, t := c.loop, &c.loop.turn
	c.note()
	l.out = append(l.out[:0], t.Bytes...)
	for {
		for i := range t.Refused {
			c.report(&t.Refused[i])
		}
		c.gate.counters.packets.Add(uint64(t.Packets))
		if len(t.Items) > 0 {
			c.pass(t.Items)
		}
		for _, line := range t.Verbs {
			c.gate.config.Log.Info("verb", "logger", "commands.gm", "account", c.session.Account(),
				"name", c.session.Character().Name, "line", line)
		}
		if t.Wait > 0 {
			l.after(t.Wait, c.resume)
		}
		if t.Asked.Kind == session.Nothing {
			break
		}
		if t.Asked.Kind == session.FindKey {
			c.followNow()
		}
		a, ok := c.gate.knows(c, &t.Asked)
		if !ok {
			c.gate.handle(c, t.Asked)
			break
		}
		t.Begin(t.Now, t.Drain)
		c.session.Answer(t, &a)
		l.out = append(l.out, t.Bytes...)
	}
	c.write(l.out)
	c.note()
	if t.Close != "" {
		c.markClosing(t.Close)
	}
	if t.Close == session.FloodBan {
		c.ban()
	}
}

// resume has a session read on that has sent too much for a second.
func (c *conn) resume() {
	if c.gone() {
		return
	}
	defer c.guard()
	c.loop.turn.Begin(time.Now(), c.loop.drain)
	c.session.Resume(&c.loop.turn)
	c.obey()
}

// banTime is how long an account is banned for a flood of packets.
//
// Source: PacketSpoof.BanDuration, worldserver.conf.dist, AzerothCore.
const banTime = 24 * time.Hour

// ban has a worker ban the account of a connection. A ban that is longer stays.
func (c *conn) ban() {
	g, id := c.gate, c.session.Account()
	if id == 0 {
		return
	}
	end := time.Now().Add(banTime).Unix()
	failed := func() { g.config.Metric.Count(BanFailed) }
	g.inTime(failed, func(ctx context.Context) (done func()) {
		defer g.guard("ban an account")
		_, err := g.config.Store.UpdateAccount(ctx, id, func(a *store.Proven) error {
			if a.BanEndUnix < end {
				a.BanEndUnix, a.BanReason = end, "flood of packets"
			}
			return nil
		})
		if err != nil {
			g.config.Log.Error("gateway: cannot ban an account", "account", id, "error", err)
			return failed
		}
		g.config.Log.Warn("gateway: an account is banned for a flood of packets", "account", id, "from", c.from)
		return func() {}
	})
}

// pass puts what a session has for the world into its inbox. It does nothing on the character screen.
func (c *conn) pass(items []session.Item) {
	if c.player == nil {
		return
	}
	if newest := c.player.worldLink.port.Newest(); c.ticked != newest {
		c.ticked, c.passed = newest, 0
	}
	for _, it := range items {
		if c.passed += len(it.Body); c.passed > maxPassed {
			c.ignore(session.Flood, it.Op, "bytes from one tick to the next")
		} else if !c.post(it.Op, it.Body) {
			c.ignore(InboxFull, it.Op, nil)
		}
	}
}

// post puts one item of the player into the inbox of its world, which gets it at the end of the round, if
// there is room: for OpLeave there always is.
func (c *conn) post(op uint16, body []byte) bool {
	w := &c.loop.watches[c.player.worldLink.at]
	c.loop.traced.Receive(op, body)
	return w.inbox.Add(frame.Item{Session: c.player.session, AtMs: w.worldLink.port.NowMs(), Op: op, Body: body}) == nil
}

// answer ends a request of the session.
func (c *conn) answer(a *session.Answer) {
	if c.gone() {
		return
	}
	defer c.guard()
	c.loop.turn.Begin(time.Now(), c.loop.drain)
	c.session.Answer(&c.loop.turn, a)
	c.obey()
}

// write encrypts packets with plain headers, in place, and sends them. Nothing else writes to the socket.
func (c *conn) write(packets []byte) {
	if len(packets) == 0 || c.gone() {
		return
	}
	c.session.Seal(packets, &c.loop.sent)
	if len(c.rest) == 0 {
		packets = packets[c.send(packets):]
	}
	c.keep(packets)
}

// resend sends as much of the rest as the client takes now, and reports whether nothing is left.
func (c *conn) resend() bool {
	c.rest = c.rest[:copy(c.rest, c.rest[c.send(c.rest):])]
	c.queued.Store(int32(len(c.rest)))
	if len(c.rest) > 0 {
		return false
	}
	c.rest = nil
	c.waits.Store(0)
	return true
}

// send is one call into the kernel, which takes as many bytes as it has room for.
func (c *conn) send(b []byte) (n int) {
	n, err := send(c.fd, b)
	if err != nil {
		c.markClosing(Peer)
	}
	c.gate.counters.bytes.Add(uint64(n))
	c.sent.Store(c.sent.Load() + uint64(n))
	return n
}

// note updates what the gateway knows of the session's state. A connection that has just been let in
// replaces the previous one of its account, unless its login is older.
func (c *conn) note() {
	s := c.session.State()
	if s == c.counted {
		return
	}
	if c.counted == msg.Fresh {
		old, newest := c.gate.roster.seat(c)
		if !newest {
			c.markClosing(Replaced)
			return
		}
		if old != nil {
			c.gate.queue.inherit(old, c)
			old.loop.do(func() { old.markClosing(Replaced) })
		}
		c.happen(Happening{Kind: LoggedIn})
		if c.login != 0 {
			account, login := c.session.Account(), c.login
			c.gate.requests.ask(func() { c.gate.config.Claims.LoggedIn(account, login) }) // else it is told at the claim
		}
	}
	c.gate.counters.move(c.counted, s)
	c.counted = s
}

// guard keeps a panic over one session from the others. It is to be deferred.
func (c *conn) guard() {
	if r := recover(); r != nil {
		tick := uint64(0)
		if c.player != nil {
			tick = c.player.worldLink.port.Newest()
		}
		opcode, _ := c.session.LastOpcode()
		c.gate.logPanic(r, "account", c.session.Account(), "from", c.from, "opcode", opcode, "tick", tick)
		c.markClosing(Panic)
	}
}
