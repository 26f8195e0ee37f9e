package gateway

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent())
}

// TestSession is a whole stay: in, seen, out by its own wish, in again.
func TestSession(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	b := r.dial("BOB").login().character().enter()
	until(t, "both are in the world", func() bool { return r.gate.Stats().World == 2 })

	b.say(msg.OpMoveStop, &msg.Move{Mover: b.guid, Movement: msg.Movement{Time: 77}})
	want := msg.Append(nil, wire.V12340, &msg.Move{Mover: b.guid, Movement: msg.Movement{Time: 77}})
	if got := a.expect(msg.OpMoveStop); string(got) != string(want) {
		t.Errorf("saw % x, want % x", got, want)
	}
	a.say(msg.OpNameQuery, &msg.NameQuery{GUID: b.guid})
	if got := a.expect(msg.OpNameQueryResponse); !strings.Contains(string(got), "Bob\x00") {
		t.Errorf("the name of a player in a world is %q", got)
	}

	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	a.say(msg.OpCharEnumQuery, &msg.Empty{}) // at once: the client does not wait for the save
	a.list()
	a.enter()
	if c := r.stored(a.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("on the second way in, version %d at x = %v was stored, want 2 and 1", c.Version, c.X)
	}
	b.say(msg.OpNameQuery, &msg.NameQuery{GUID: 4711})
	if got := b.expect(msg.OpNameQueryResponse); got[len(got)-1] != 1 {
		t.Errorf("the name of an unknown GUID is %q", got)
	}
	if s := r.gate.Stats(); s.Packets < 10 || s.Flushes < 3 || s.Bytes < 500 || s.World != 2 {
		t.Errorf("counted %+v", s)
	}
}

// TestCharacters has where new characters begin, and that only their account may have them.
func TestCharacters(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character()
	b := r.dial("BOB").login().character()
	if x := r.stored(b.guid); x.Map != 1 || x.Zone != 12 || x.X != 1 {
		t.Errorf("the second character begins at %+v", x)
	}
	a.say(msg.OpCharCreate, &msg.CharCreate{Name: "bOB", Look: msg.Look{Race: 1, Class: 1}})
	if got := a.expect(msg.OpCharCreateResult); got[0] != uint8(msg.CharNameInUse) {
		t.Errorf("a name in use is answered with %#x", got)
	}
	a.say(msg.OpCharDelete, &msg.CharDelete{GUID: b.guid})
	if got := a.expect(msg.OpCharDeleteResult); got[0] != uint8(msg.CharDeleteFailed) {
		t.Errorf("another's character was deleted: %#x", got)
	}
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: b.guid})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoCharacter) {
		t.Errorf("another's character is answered with %#x", got)
	}
	a.say(msg.OpCharDelete, &msg.CharDelete{GUID: a.guid})
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	if list := a.list(); len(list) != 0 {
		t.Errorf("after the last was deleted there are %d characters", len(list))
	}
	a.say(msg.OpCharCreate, &msg.CharCreate{Name: "Alice", Look: msg.Look{Race: 1, Class: 1}})
	a.expect(msg.OpCharCreateResult)
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	a.list()
	if x := r.stored(a.guid); x.X != 2 {
		t.Errorf("the third character begins at x = %v: one that was not made counted", x.X)
	}
}

// TestWorldThatDoesNotOpen has a character on a map without a world, and one that its world refuses.
func TestWorldThatDoesNotOpen(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.Start = func(n int) Place { return Place{Map: uint32(1 + 8*n)} }
	})
	a := r.dial("ALICE").login().character()
	r.worlds[1].refuse.Store(true)
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
		t.Errorf("refused by the world: %#x", got)
	}
	r.worlds[1].refuse.Store(false)
	a.enter()
	b := r.dial("BOB").login().character()
	b.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: b.guid})
	if got := b.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoWorld) {
		t.Errorf("no world: %#x", got)
	}
}

// TestSleepingWorld enters a world that has slept for longer than its ring of frames.
func TestSleepingWorld(t *testing.T) {
	r := newRig(t, nil)
	until(t, "the world runs", func() bool { return r.worlds[1].port.Newest() > 0 })
	a := r.dial("ALICE").login().character()
	w := r.worlds[1]
	w.mu.Lock()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "the player waits for its world", func() bool { return !w.port.Empty() })
	w.tick += 10 * frame.RingFrames
	w.mu.Unlock()
	a.expect(msg.OpLoginVerifyWorld)
}

// TestDelays has the moments that some clients need. protocol.md 7.4.
func TestDelays(t *testing.T) {
	const delay = 60 * time.Millisecond
	r := newRig(t, func(c *Config) { c.DelayAuthChallenge, c.DelayAuthResponse = delay, delay })
	began := time.Now()
	c := r.dial("ALICE")
	hello := c.hello(c.expect(msg.OpAuthChallenge))
	if took := time.Since(began); took < delay {
		t.Errorf("the challenge came after %v, want %v", took, delay)
	}
	began = time.Now()
	c.encrypt()
	c.Write(hello)
	c.expect(msg.OpAuthResponse)
	if took := time.Since(began); took < delay {
		t.Errorf("the response came after %v, want %v", took, delay)
	}
}

// TestShutdown takes players out, saves them and closes everything.
func TestShutdown(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	b := r.dial("BOB").login()
	half := r.dial("CAROL")
	r.shutdown()
	for _, c := range []*testClient{a, b, half} {
		c.ended()
	}
	if c := r.stored(a.guid); c.Version != 2 {
		t.Errorf("version %d is stored, want 2", c.Version)
	}
	if n := r.metric.Value("closed." + Shutdown); n != 3 {
		t.Errorf("%d connections were closed for the shutdown, want 3", n)
	}
	if err := half.connect(); err == nil {
		t.Error("a listener is still open")
	}
	if err := r.gate.Run(); err != nil {
		t.Errorf("run: %v", err)
	}
}

// TestShutdownUnsaved closes everything, on a listener of the caller's, and saves none of those that a world had.
func TestShutdownUnsaved(t *testing.T) {
	m := store.NewMemory(store.MemoryConfig{})
	port := frame.NewExchange()
	port.Now = func() time.Duration { return 0 }
	metric := new(metric.Table)
	g, err := New(Config{
		Store: m, Exchanges: map[uint32]*frame.Exchange{1: port}, Metric: metric,
		Start: func(int) Place { return Place{Map: 1} },
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g.Accept(l)
	if err := g.Listen(); err != nil {
		t.Fatal(err)
	}
	if g.Addr().String() != l.Addr().String() {
		t.Errorf("it listens at %v, want %v", g.Addr(), l.Addr())
	}
	r := &rig{t: t, gate: g, store: m}
	a := r.dial("ALICE").login().character()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "the player waits for its world", func() bool { return !port.Empty() })
	clients := []*testClient{a, r.dial("BOB").login(), r.dial("CAROL").login()}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := g.ShutdownUnsaved(ctx); err != nil {
		t.Error(err)
	}
	for _, c := range clients {
		c.ended()
	}
	if n := metric.Value("closed." + Reset); n != 3 {
		t.Errorf("%d connections were closed for the reset, want 3", n)
	}
	if c := r.stored(a.guid); c.Version != 1 {
		t.Errorf("version %d is stored, want the first", c.Version)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open: %v", err)
	}
}

// TestShutdownOfDeadWorlds: worlds that do not let go of their players do not keep the process.
func TestShutdownOfDeadWorlds(t *testing.T) {
	m := store.NewMemory(store.MemoryConfig{})
	port := frame.NewExchange()
	port.Now = func() time.Duration { return 0 }
	g, err := New(Config{
		Listen: loopback, Store: m, Exchanges: map[uint32]*frame.Exchange{1: port}, Metric: new(metric.Table),
		Start: func(int) Place { return Place{Map: 1} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Listen(); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, gate: g, store: m}
	a := r.dial("ALICE").login().character()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "the player waits for its world", func() bool { return !port.Empty() })
	clients := []*testClient{a, r.dial("BOB").login(), r.dial("CAROL").login()}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err = g.Shutdown(ctx)
	const want = "gateway: 1 players are left in their worlds or unsaved: context deadline exceeded"
	if !errors.Is(err, context.DeadlineExceeded) || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	for _, c := range clients {
		c.ended()
	}
	if n := g.config.Metric.Value("closed." + Shutdown); n != 3 {
		t.Errorf("%d connections were closed for the shutdown, want 3", n)
	}
}
