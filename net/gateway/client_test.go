package gateway

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A rig is a gateway with its worlds and its store.
type rig struct {
	t      testing.TB
	gate   *Gate
	store  *store.Memory
	worlds map[uint32]*fakeWorld
	metric *metric.Table
	log    *log
}

// newRig starts a gateway on a free port before a world that steps each 10 ms. The test's end shuts it
// down.
func newRig(t testing.TB, change func(*Config)) *rig {
	return newRigOn(t, store.NewMemory(store.MemoryConfig{}), new(sync.Map), change)
}

// newRigOn is newRig with a store and with worlds that others may have too: online has the characters in them.
func newRigOn(t testing.TB, kept *store.Memory, online *sync.Map, change func(*Config)) *rig {
	r := &rig{
		t: t, store: kept, metric: new(metric.Table), log: new(log),
		worlds: make(map[uint32]*fakeWorld),
	}
	config := Config{
		Exchanges: make(map[uint32]*frame.Exchange), Store: r.store, Metric: r.metric,
		Start:   func(n int) Place { return Place{Map: 1, Zone: 12, X: float32(n)} },
		Quantum: 10 * time.Millisecond, Templates: templates{}, MaxPerAddress: 10,
		Log: slog.New(slog.NewTextHandler(r.log, nil)),
	}
	config.Listen = loopback
	for id := range uint32(2) {
		r.worlds[id+1] = newFakeWorld(t, online)
		config.Exchanges[id+1] = r.worlds[id+1].port
	}
	if change != nil {
		change(&config)
	}
	var err error
	if r.gate, err = New(config); err != nil {
		t.Fatal(err)
	}
	if err := r.gate.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var worlds sync.WaitGroup
	for _, w := range r.worlds {
		worlds.Go(func() { w.run(ctx, r.gate.config.Quantum) })
	}
	t.Cleanup(func() {
		r.shutdown()
		stop()
		worlds.Wait()
	})
	return r
}

// patience is how long anything may take on a machine that is slow, and busy with other things.
const patience = 2 * time.Minute

func (r *rig) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := r.gate.Shutdown(ctx); err != nil {
		r.t.Errorf("shutdown: %v", err)
	}
}

// closed waits until a reason for closing has been counted n times.
func (r *rig) closed(reason string, n uint64) {
	r.t.Helper()
	until(r.t, fmt.Sprintf("%d connections were closed for %s", n, reason),
		func() bool { return r.metric.Value("closed."+reason) == n })
}

// onLoops runs something on every loop that has connections.
func (r *rig) onLoops(do func(*loop)) {
	for _, l := range *r.gate.loops.Load() {
		done := make(chan struct{})
		l.do(func() { do(l); close(done) })
		<-done
	}
}

// stored is a character as the store has it.
func (r *rig) stored(guid uint64) store.Character {
	c, err := r.store.Character(context.Background(), guid)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// A log keeps what was logged.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// poisoned is an entry about which templates panic.
const poisoned = 666

type templates struct{}

func (templates) Item(uint32) *defs.Item { return nil }

func (templates) NPCText(uint32) *defs.NPCText { return nil }

func (templates) GameObject(uint32) *defs.GameObject { return nil }

func (templates) Creature(entry uint32) *defs.Creature {
	if entry == poisoned {
		panic("this creature bites")
	}
	return nil
}

// A player at the other end of a TCP connection.
type testClient struct {
	t   testing.TB
	rig *rig
	net.Conn
	name     string
	key      [40]byte
	keyed    bool
	toServer crypt.Cipher
	fromHere crypt.Cipher
	guid     uint64
}

// account makes an account with a proven session key.
func (r *rig) account(name string) (id uint32, key [40]byte) {
	r.t.Helper()
	ctx := context.Background()
	a, err := r.store.CreateAccount(ctx, store.Account{Name: name})
	if errors.Is(err, store.ErrAccountExists) {
		a, err = r.store.Account(ctx, name)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	copy(key[:], name)
	if err := r.store.SetSessionKey(ctx, a.ID, key); err != nil {
		r.t.Fatal(err)
	}
	return a.ID, key
}

// dial connects for an account, which is made if need be.
func (r *rig) dial(name string) *testClient {
	r.t.Helper()
	_, key := r.account(name)
	c := &testClient{t: r.t, rig: r, name: name, key: key}
	if err := c.connect(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

func (c *testClient) connect() error {
	conn, err := net.Dial("tcp", c.rig.gate.Addr().String())
	if err != nil {
		return err
	}
	c.Conn, c.keyed = conn, false
	return conn.SetDeadline(time.Now().Add(patience))
}

// read is the next packet, or the error that ends the connection.
func (c *testClient) read() (op uint16, body []byte, err error) {
	header := make([]byte, 4)
	if _, err := io.ReadFull(c, header); err != nil {
		return 0, nil, err
	}
	if c.keyed {
		c.fromHere.XOR(header)
	}
	op, n, _, ok := wire.ServerHeader(header)
	if !ok || n < 0 {
		c.t.Errorf("%s: the stream is lost at header % x", c.name, header)
		return 0, nil, io.ErrUnexpectedEOF
	}
	body = make([]byte, n)
	_, err = io.ReadFull(c, body)
	return op, body, err
}

// await reads up to a packet.
func (c *testClient) await(want uint16) ([]byte, error) {
	for {
		op, body, err := c.read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w while waiting for %#x", c.name, err, want)
		}
		if op == want {
			return body, nil
		}
	}
}

// expect is await for the test's own goroutine.
func (c *testClient) expect(want uint16) []byte {
	c.t.Helper()
	body, err := c.await(want)
	if err != nil {
		c.t.Fatal(err)
	}
	return body
}

// ended reads until the server closes the connection.
func (c *testClient) ended() {
	c.t.Helper()
	for {
		if _, _, err := c.read(); err != nil {
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				c.t.Fatalf("%s: the connection was not closed", c.name)
			}
			return
		}
	}
}

func (c *testClient) packet(op uint16, m msg.Message) []byte {
	b := msg.ClientPacket(nil, wire.V12340, op, m)
	if c.keyed {
		c.toServer.XOR(b[:wire.ClientHeaderLen])
	}
	return b
}

func (c *testClient) say(op uint16, m msg.Message) {
	c.t.Helper()
	if _, err := c.Write(c.packet(op, m)); err != nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
}

// hello is the CMSG_AUTH_SESSION that answers a challenge.
func (c *testClient) hello(challenge []byte) []byte {
	m := msg.AuthSession{Build: 12340, Account: c.name, Realm: 1, ClientSeed: [4]byte{1, 2, 3, 4}}
	m.Digest = crypt.WorldProof(c.name, m.ClientSeed, [4]byte(challenge[4:8]), c.key)
	return c.packet(msg.OpAuthSession, &m)
}

func (c *testClient) encrypt() {
	c.toServer, c.fromHere, c.keyed = crypt.ClientToServer(c.key), crypt.ServerToClient(c.key), true
}

// tryLogin brings the client to the character screen, unless it is refused.
func (c *testClient) tryLogin() error {
	challenge, err := c.await(msg.OpAuthChallenge)
	if err != nil {
		return err
	}
	hello := c.hello(challenge)
	c.encrypt()
	c.Write(hello)
	body, err := c.await(msg.OpAuthResponse)
	if err == nil && body[0] != uint8(msg.AuthOK) {
		err = fmt.Errorf("%s: the login ended with %#x", c.name, body)
	}
	return err
}

// login is tryLogin for the test's own goroutine.
func (c *testClient) login() *testClient {
	c.t.Helper()
	if err := c.tryLogin(); err != nil {
		c.t.Fatal(err)
	}
	return c
}

// character makes the account's character, unless it has one.
func (c *testClient) character() *testClient {
	c.t.Helper()
	if c.say(msg.OpCharEnumQuery, &msg.Empty{}); len(c.list()) > 0 {
		return c
	}
	c.say(msg.OpCharCreate, &msg.CharCreate{Name: c.name, Look: msg.Look{Race: 1, Class: 1}})
	if body := c.expect(msg.OpCharCreateResult); body[0] != uint8(msg.CharCreated) {
		c.t.Fatalf("%s: the character was refused with %#x", c.name, body)
	}
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	c.list()
	return c
}

func (c *testClient) list() []msg.Character {
	var m msg.CharEnum
	if err := msg.Decode(wire.V12340, c.expect(msg.OpCharEnum), &m); err != nil {
		c.t.Fatal(err)
	}
	if len(m.Characters) > 0 {
		c.guid = m.Characters[0].GUID
	}
	return m.Characters
}

// enter brings the client into the world.
func (c *testClient) enter() *testClient {
	c.t.Helper()
	c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: c.guid})
	c.expect(msg.OpLoginVerifyWorld)
	return c
}

func (c *testClient) ping(n uint32) {
	c.t.Helper()
	c.say(msg.OpPing, &msg.Ping{Sequence: n})
	if got := binary.LittleEndian.Uint32(c.expect(msg.OpPong)); got != n {
		c.t.Fatalf("%s: pong %d for ping %d", c.name, got, n)
	}
}

// reset ends the connection with RST.
func (c *testClient) reset() {
	c.Conn.(*net.TCPConn).SetLinger(0)
	c.Close()
}
