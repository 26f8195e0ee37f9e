package gateway

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// TestByteByByte is a client whose every byte arrives alone.
func TestByteByByte(t *testing.T) {
	r := newRig(t, nil)
	c := r.dial("ALICE")
	drip := func(b []byte) {
		for i := range b {
			c.Write(b[i : i+1])
		}
	}
	hello := c.hello(c.expect(msg.OpAuthChallenge))
	c.encrypt()
	drip(hello)
	c.expect(msg.OpAuthResponse)
	drip(c.packet(msg.OpCharEnumQuery, &msg.Empty{}))
	c.expect(msg.OpCharEnum)
	drip(c.packet(msg.OpPing, &msg.Ping{Sequence: 3}))
	c.expect(msg.OpPong)
}

// TestReset ends the connection by RST in every state. The player is out and saved, and the account may
// log in again at once. protocol.md 7.8.
func TestReset(t *testing.T) {
	r := newRig(t, nil)
	for n, reach := range []func(*testClient){
		func(*testClient) {},
		func(c *testClient) { c.login() },
		func(c *testClient) { c.login().character().say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: c.guid}) },
		func(c *testClient) { c.login().character().enter() },
	} {
		c := r.dial("ALICE")
		reach(c)
		c.reset()
		r.closed(Peer, uint64(n+1))
	}
	until(t, "no player is in the world", func() bool { return r.worlds[1].count() == 0 })
	<-r.gate.roster.whenEmpty()
	c := r.dial("ALICE").login().character()
	version := r.stored(c.guid).Version
	if version < 2 {
		t.Errorf("version %d is stored after the player was reset", version)
	}
	c.enter()
	if s := r.gate.Stats(); s.Fresh+s.Select+s.Entering+s.World != 1 {
		t.Errorf("%+v of one connection", s)
	}
}

// TestHalfOpen has connections that send nothing, and one that sends a little again and again: both end
// at the deadline of the whole handshake. FAULTS.md rows 7 and 8.
func TestHalfOpen(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Handshake = 150 * time.Millisecond })
	silent, slow, well := r.dial("ALICE"), r.dial("BOB"), r.dial("CAROL").login()
	slow.expect(msg.OpAuthChallenge)
	until(t, "the slow one is closed", func() bool {
		_, err := slow.Write(slow.packet(msg.OpPing, &msg.Ping{}))
		return err != nil
	})
	silent.ended()
	r.closed(HandshakeTimeout, 2)
	well.ping(1)
}

// TestDesync flips a bit in a header: that connection is lost, no other. FAULTS.md row 14.
func TestDesync(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.dial("ALICE").login().character().enter(), r.dial("BOB").login().character().enter()
	p := a.packet(msg.OpKeepAlive, &msg.Empty{})
	p[0] ^= 0x80
	a.Write(p)
	a.ended()
	r.closed(session.BadHeader, 1)
	b.ping(1)
	until(t, "the player is out", func() bool { return r.worlds[1].count() == 1 })
}

// TestPanic has our own code fail over one session. FAULTS.md row 19.
func TestPanic(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.dial("ALICE").login().character().enter(), r.dial("BOB").login().character().enter()
	until(t, "both are in the world", func() bool { return r.gate.Stats().World == 2 })
	a.say(msg.OpCreatureQuery, &msg.EntryQuery{Entry: poisoned})
	a.ended()
	r.closed(Panic, 1)
	b.ping(1)
	if log := r.log.String(); !strings.Contains(log, "this creature bites") || !strings.Contains(log, "creatureQuery") {
		t.Errorf("the log has no stack: %s", log)
	} else if !strings.Contains(log, "account=1 ") || !strings.Contains(log, fmt.Sprint("opcode=", msg.OpCreatureQuery)) || strings.Contains(log, "tick=0") {
		t.Errorf("the log lacks the session, the error or the time: %s", log)
	}
	if n := r.metric.Value(Panicked); n != 1 {
		t.Errorf("counted %d panics, want 1", n)
	}
	until(t, "the player is out", func() bool { return r.worlds[1].count() == 1 })
	r.dial("ALICE").login().character().enter()
}

// TestPanicOfStart has the same for work that is done elsewhere.
func TestPanicOfStart(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Start = func(int) Place { panic("no start") } })
	c := r.dial("ALICE").login()
	c.say(msg.OpCharCreate, &msg.CharCreate{Name: "Alice", Look: msg.Look{Race: 1, Class: 1}})
	if got := c.expect(msg.OpCharCreateResult); got[0] != uint8(msg.CharCreateFailed) {
		t.Errorf("answered with %#x", got)
	}
	c.ping(1)
	if n := r.metric.Value(Panicked); n != 1 {
		t.Errorf("counted %d panics, want 1", n)
	}
}

// TestFlood drops what is too much, and answers what is not. It is more than may wait, should the gate have stood still.
func TestFlood(t *testing.T) {
	r := newRig(t, nil)
	c := r.dial("ALICE").login()
	const packets = 20_000
	var all []byte
	for range packets {
		all = append(all, c.packet(msg.OpKeepAlive, &msg.Empty{})...)
	}
	c.Write(all)
	until(t, "all are read", func() bool { return r.gate.Stats().Packets >= packets })
	if n := r.metric.Value(session.Flood) + r.metric.Value("flood.plain"); n < 1000 {
		t.Errorf("%d of %d packets were dropped", n, packets)
	}
	until(t, "pings are answered again", func() bool {
		c.say(msg.OpPing, &msg.Ping{})
		c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		defer c.SetReadDeadline(time.Now().Add(patience))
		_, err := c.await(msg.OpPong)
		return err == nil
	})
}

// TestFloodPolicies has one client kicked, one banned, and one made to wait until it may go on. FAULTS.md row 16.
func TestFloodPolicies(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Policies[session.Use] = session.Ban })
	flood := func(c *testClient, n int, op uint16, m msg.Message) {
		var all []byte
		for range n {
			all = append(all, c.packet(op, m)...)
		}
		c.Write(all)
	}
	waits := r.dial("CAROL").login()
	flood(waits, 5, msg.OpCharEnumQuery, &msg.Empty{})
	for range 3 {
		waits.expect(msg.OpCharEnum)
	}
	waits.expect(msg.OpCharEnum)
	waits.expect(msg.OpCharEnum)
	if n := r.metric.Value("flood.rare"); n != 1 {
		t.Errorf("counted %d times, want 1", n)
	}

	kicked := r.dial("ALICE").login().character().enter()
	flood(kicked, 300, msg.OpMoveHeartbeat, &msg.Move{Mover: kicked.guid})
	kicked.ended()
	r.closed(session.Flooded, 1)
	r.dial("ALICE").login()

	banned := r.dial("BOB").login().character().enter()
	flood(banned, 60, msg.OpGameObjectUse, &msg.GameObjectUse{})
	banned.ended()
	r.closed(session.FloodBan, 1)
	until(t, "the account is banned", func() bool {
		a, err := r.store.Account(t.Context(), "BOB")
		return err == nil && a.BanReason == "flood of packets" && a.BanEndUnix > time.Now().Add(23*time.Hour).Unix()
	})
	waits.ping(1)
}

// TestFull closes connections beyond the limit, and accepts others when there is room.
func TestFull(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxConnections = 2 })
	a := r.dial("ALICE").login()
	r.dial("BOB").login()
	r.dial("CAROL").ended()
	r.closed(Full, 1)
	a.reset()
	r.closed(Peer, 1)
	r.dial("CAROL").login()
}

func TestAddressFull(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPerAddress, c.LimitLoopback = 2, true })
	r.dial("ALICE").login()
	r.dial("BOB").login()
	r.dial("CAROL").ended()
	r.closed(AddressFull, 1)
}

// limitDescriptors lets the process have no more than n descriptors until restore is called.
func limitDescriptors(t *testing.T, n uint64) (restore func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	low := old
	low.Cur = n
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	return func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old) }
}

// TestDescriptors takes the process to its last descriptor: accepting fails, and nothing else does.
func TestDescriptors(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login()

	restore := limitDescriptors(t, 256)
	defer restore()
	if n := maxSockets(); n != 256-spareDescriptors {
		t.Errorf("with 256 descriptors there may be %d connections, want %d", n, 256-spareDescriptors)
	}

	// Descriptors of clients are taken before the last ones are; the server finds none for its end. One that another
	// part of the process gives back meanwhile may let a client in: then it is the next one's turn.
	var clients, taken []int
	for range 8 {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, fd)
	}
	addr, called := r.gate.Addr(), 0
	until(t, "an accept fails", func() bool {
		for fd, err := syscall.Dup(clients[0]); err == nil; fd, err = syscall.Dup(clients[0]) {
			taken = append(taken, fd)
		}
		if called < len(clients) && r.gate.Stats().Fresh == called {
			err := syscall.Connect(clients[called], &syscall.SockaddrInet4{Port: int(addr.Port()), Addr: addr.Addr().As4()})
			if err != nil {
				t.Fatal(err)
			}
			called++
		}
		return r.metric.Value(AcceptError) > 0
	})
	a.ping(1)
	restore() // all at once: a connection takes two, and is closed if it has one
	until(t, "it is accepted after all, or closed", func() bool {
		fresh := r.gate.Stats().Fresh
		return fresh == called || fresh == called-1 && closedByPeer(clients[called-1])
	})
	for _, fd := range append(taken, clients...) {
		syscall.Close(fd)
	}
	r.dial("BOB").login()
}

// closedByPeer reports whether the other end of a socket has been closed, and nothing waits to be read.
func closedByPeer(fd int) bool {
	var b [1]byte
	n, _, err := syscall.Recvfrom(fd, b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return err == nil && n == 0 || err == syscall.ECONNRESET
}

// TestConnectionsBeyondDescriptors opens more connections than a gateway has descriptors for that was made
// with few: the excess is closed. Descriptors come back before the clients need theirs, in the same process.
func TestConnectionsBeyondDescriptors(t *testing.T) {
	restore := limitDescriptors(t, spareDescriptors+40)
	r := newRig(t, func(c *Config) { c.MaxPerAddress = 1000 })
	restore()
	a := r.dial("ALICE").login()
	var socks []net.Conn
	for range 200 {
		c, err := net.Dial("tcp", r.gate.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		socks = append(socks, c)
	}
	r.closed(Full, 200-39)
	a.ping(1)
	for _, c := range socks {
		c.Close()
	}
	r.closed(Peer, 39)
	r.dial("BOB").login()
}

// A slowStore does not answer until it is let.
type slowStore struct {
	store.Store
	gate    chan struct{}
	waiting atomic.Int32
}

func (s *slowStore) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	s.waiting.Add(1)
	<-s.gate
	return s.Store.Characters(ctx, account)
}

// TestBusyStore: a request that finds too many waiting fails at once.
func TestBusyStore(t *testing.T) {
	slow := &slowStore{gate: make(chan struct{})}
	r := newRig(t, func(c *Config) {
		slow.Store = c.Store
		c.Store, c.Workers, c.Requests = slow, 1, 1
	})
	a, b, c := r.dial("ALICE").login(), r.dial("BOB").login(), r.dial("CAROL").login()
	c.say(msg.OpCharCreate, &msg.CharCreate{Name: "Carol", Look: msg.Look{Race: 1, Class: 1}})
	c.expect(msg.OpCharCreateResult)
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	until(t, "the worker is busy", func() bool { return slow.waiting.Load() == 1 })
	b.say(msg.OpCharEnumQuery, &msg.Empty{})
	until(t, "one waits", func() bool { return len(r.gate.requests.asked) == 1 })
	c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: 1})
	if got := c.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
		t.Errorf("answered with %#x", got)
	}
	d := r.dial("DAVE") // no key can be had, so nothing can be sent to it
	d.Write(d.hello(d.expect(msg.OpAuthChallenge)))
	d.ended()
	r.closed(session.Busy, 1)
	close(slow.gate)
	a.expect(msg.OpCharEnum)
	b.expect(msg.OpCharEnum)
}

// TestSlowReader has a client that does not read while much happens around it. First the rest of a flush is
// kept, and its cursor waits; when it reads on it finds every packet whole. When it does not, it is closed.
// FAULTS.md row 15.
func TestSlowReader(t *testing.T) {
	r := newRig(t, nil)
	w := r.worlds[1]
	c := r.dial("ALICE")
	c.Conn.(*net.TCPConn).SetReadBuffer(256 << 10)
	c.login().character().enter()
	r.onLoops(func(l *loop) { l.conns[0].socket.SetWriteBuffer(64 << 10) })
	other := r.dial("BOB").login().character().enter()

	kept := func() (rest int, behind uint64) {
		r.onLoops(func(l *loop) {
			for _, c := range l.unsent {
				rest = len(c.rest)
				behind = w.port.Newest() - c.cursor.Tick
			}
		})
		return rest, behind
	}
	noise := func(n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.noise = w.noise[:0]
		for range n {
			w.noise = wire.AppendServerHeader(w.noise, msg.OpNotification, 32000)
			w.noise = append(w.noise, make([]byte, 32000)...)
		}
	}
	go io.Copy(io.Discard, other) // it keeps up
	began := time.Now()
	noise(1)
	until(t, "a rest is kept and the cursor waits", func() bool {
		rest, behind := kept()
		return rest > 0 && behind > 3
	})
	until(t, "operators see what waits, and for how long", func() bool {
		p := r.gate.OnlinePlayers()[0]
		return p.Queued > 0 && p.Waits > 0 && p.Waits < time.Since(began)
	})
	noise(0)
	until(t, "the client has caught up", func() bool {
		c.say(msg.OpPing, &msg.Ping{Sequence: 5})
		for {
			switch op, body, err := c.read(); {
			case err != nil:
				t.Fatal(err)
			case op == msg.OpNotification && len(body) != 32000, op != msg.OpNotification && op != msg.OpPong:
				t.Fatalf("read %#x with %d bytes", op, len(body))
			case op == msg.OpPong:
				rest, _ := kept()
				return rest == 0
			}
		}
	})
	noise(1)
	r.closed(SlowReader, 1)
	until(t, "only the client that reads is left", func() bool { return r.gate.Stats().World == 1 })
}

// TestStall has a client that is in no world, where no ring ends its stay, and does not read: it is closed in time, and
// not while it reads. FAULTS.md row 15.
func TestStall(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Stall = 500 * time.Millisecond })
	slow, other := r.dial("ALICE").login(), r.dial("BOB").login()
	var much []byte // more than the kernel takes, and less than may be kept
	for range 30 {
		much = wire.AppendServerHeader(much, msg.OpNotification, 32000)
		much = append(much, make([]byte, 32000)...)
	}
	r.onLoops(func(l *loop) {
		for _, c := range l.conns {
			c.socket.SetWriteBuffer(64 << 10)
			c.write(bytes.Clone(much))
		}
	})
	for range 30 {
		if body := other.expect(msg.OpNotification); len(body) != 32000 {
			t.Fatalf("read %d bytes", len(body))
		}
	}
	r.closed(SlowReader, 1)
	slow.ended()
	other.ping(1)
	if rest := r.gate.Stats().Rest; rest < 32000 || rest > maxRest {
		t.Errorf("%d bytes were kept", rest)
	}
}

// TestRestIsBounded closes a client at once that would have too much kept for it.
func TestRestIsBounded(t *testing.T) {
	r := newRig(t, nil)
	w := r.worlds[1]
	c := r.dial("ALICE")
	c.Conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	c.login().character().enter()
	until(t, "the player is in", func() bool { return r.gate.Stats().World == 1 })
	w.mu.Lock()
	for range 200 { // 6.4 MB, more than the kernel takes and we keep
		w.builder.Bytes = wire.AppendServerHeader(w.builder.Bytes, msg.OpNotification, 32000)
		w.builder.Bytes = append(w.builder.Bytes, make([]byte, 32000)...)
	}
	w.builder.Send(1, frame.Last, w.builder.Cut())
	w.mu.Unlock()
	r.closed(SlowReader, 1)
}
