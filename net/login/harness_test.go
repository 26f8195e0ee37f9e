package login

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// accounts is a store in memory that can be made to fail.
type accounts struct {
	*store.Memory
	fail   map[string]error // by method
	before func()           // of every method
}

// newAccounts has an account for each name, with the password "secret".
func newAccounts(names ...string) *accounts {
	a := &accounts{Memory: store.NewMemory(store.MemoryConfig{}), fail: map[string]error{}, before: func() {}}
	for _, name := range names {
		salt := [32]byte{1, 2, 3}
		a.Memory.CreateAccount(context.Background(), store.Account{Name: name, Salt: salt, Verifier: crypt.Verifier(name, "secret", salt)})
	}
	return a
}

// of is an account that must exist, and its session key.
func (a *accounts) of(t *testing.T, name string) (store.Account, [40]byte) {
	t.Helper()
	account, err := a.Memory.Account(t.Context(), name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	key, _, err := a.Memory.SessionKey(t.Context(), account.ID)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return account, key
}

func (a *accounts) Account(ctx context.Context, name string) (store.Account, error) {
	if a.before(); a.fail["Account"] != nil {
		return store.Account{}, a.fail["Account"]
	}
	return a.Memory.Account(ctx, name)
}

func (a *accounts) CreateAccount(ctx context.Context, account store.Account) (store.Account, error) {
	if a.before(); a.fail["CreateAccount"] != nil {
		return store.Account{}, a.fail["CreateAccount"]
	}
	return a.Memory.CreateAccount(ctx, account)
}

func (a *accounts) UpdateAccount(ctx context.Context, id uint32, change func(*store.Proven) error) (store.Account, error) {
	if a.before(); a.fail["UpdateAccount"] != nil {
		return store.Account{}, a.fail["UpdateAccount"]
	}
	return a.Memory.UpdateAccount(ctx, id, change)
}

func (a *accounts) SessionKey(ctx context.Context, account uint32) ([40]byte, bool, error) {
	if a.before(); a.fail["SessionKey"] != nil {
		return [40]byte{}, false, a.fail["SessionKey"]
	}
	return a.Memory.SessionKey(ctx, account)
}

func (a *accounts) SetSessionKey(ctx context.Context, account uint32, key [40]byte) error {
	if a.before(); a.fail["SetSessionKey"] != nil {
		return a.fail["SetSessionKey"]
	}
	return a.Memory.SetSessionKey(ctx, account, key)
}

func (a *accounts) CountCharacters(ctx context.Context, account uint32) (int, error) {
	if a.before(); a.fail["CountCharacters"] != nil {
		return 0, a.fail["CountCharacters"]
	}
	return a.Memory.CountCharacters(ctx, account)
}

// pipes is a listener without a network.
type pipes struct {
	conns  chan net.Conn
	errs   chan error
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes {
	return &pipes{conns: make(chan net.Conn), errs: make(chan error, 100), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case err := <-p.errs:
		return nil, err
	default:
	}
	select {
	case err := <-p.errs:
		return nil, err
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return nil }

// addressed is a connection with a given remote address.
type addressed struct {
	net.Conn
	from net.Addr
}

func (c addressed) RemoteAddr() net.Addr { return c.from }

// A bubble is a server on pipes, in a bubble of fake time.
type bubble struct {
	*testing.T
	listener *pipes
	server   *Server
	metric   *metric.Table
	started  time.Time
}

var testRealms = []Realm{{Name: "Muster", Address: "127.0.0.1:8085"}}

// inBubble runs test against a server, which must be gone after it without a trace.
func inBubble(t *testing.T, config Config, accounts Store, test func(*bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		config.Metric = new(metric.Table)
		if config.Realms == nil {
			config.Realms = testRealms
		}
		s, err := New(config, accounts)
		if err != nil {
			t.Fatal(err)
		}
		s.answers.sleep = pass
		b := &bubble{T: t, listener: newPipes(), server: s, metric: config.Metric, started: time.Now()}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx, b.listener) }()
		test(b)
		cancel()
		if err := <-served; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
	})
}

// pass lets time pass in a bubble.
func pass(d time.Duration) { time.Sleep(d) }

func (b *bubble) counted(want map[string]uint64) {
	b.Helper()
	synctest.Wait()
	b.metric.Each(func(name string, n uint64) {
		if n != want[name] {
			b.Errorf("counted %d of %s, want %d", n, name, want[name])
		}
	})
	for name, n := range want {
		if b.metric.Value(name) != n {
			b.Errorf("counted %d of %s, want %d", b.metric.Value(name), name, n)
		}
	}
}

// A peer is the client's end of a connection.
type peer struct {
	*testing.T
	net.Conn
	senders sync.WaitGroup // of trickle
}

func (b *bubble) dial() *peer { return b.dialFrom(nil) }

func (b *bubble) dialFrom(from net.Addr) *peer {
	client, server := net.Pipe()
	b.Cleanup(func() { client.Close() })
	if from != nil {
		server = addressed{server, from}
	}
	b.listener.conns <- server
	return &peer{T: b.T, Conn: client}
}

func (p *peer) send(b []byte) {
	p.Helper()
	if _, err := p.Write(b); err != nil {
		p.Fatalf("send % x: %v", b, err)
	}
}

// sendSlowly sends one byte at a time, and reports whether all were taken.
func (p *peer) sendSlowly(b []byte, every time.Duration) bool {
	for i := range b {
		time.Sleep(every)
		if _, err := p.Write(b[i : i+1]); err != nil {
			return false
		}
	}
	return true
}

// trickle is sendSlowly in the background.
func (p *peer) trickle(b []byte, every time.Duration) {
	p.senders.Go(func() { p.sendSlowly(b, every) })
}

// reply reads what the server wrote with one Write.
func (p *peer) reply() []byte {
	p.Helper()
	b := make([]byte, 70_000)
	n, err := p.Read(b)
	if err != nil {
		p.Fatalf("no reply: %v", err)
	}
	return b[:n]
}

// expect sends a packet and compares the reply.
func (p *peer) expect(request []byte, want string) {
	p.Helper()
	p.send(request)
	if got := p.reply(); !bytes.Equal(got, unhex(p, want)) {
		p.Errorf("% x: reply % x, want %s", request, got, want)
	}
}

// expectClosed waits for the server to hang up.
func (p *peer) expectClosed() {
	p.Helper()
	if n, err := p.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		p.Errorf("read %d bytes, error %v, want a closed connection", n, err)
	}
}

// challenge opens a login.
func (p *peer) challenge(name string) ChallengeReply {
	p.Helper()
	p.send(AppendChallenge(nil, name))
	return whole(p, ParseChallengeReply)
}

// prove answers a challenge.
func (p *peer) prove(name, pass string, challenge ChallengeReply) (r ProofReply, K [40]byte) {
	p.Helper()
	A, M1, K, M2 := answer(p.T, name, pass, challenge)
	p.send(AppendProof(nil, A, M1))
	r = whole(p, ParseProofReply)
	if r.Result == Success && r.Proof != M2 {
		p.Errorf("%s: the server's proof is wrong", name)
	}
	return r, K
}

// login is a whole login, which must succeed.
func (p *peer) login(name, pass string) (K [40]byte) {
	p.Helper()
	r, K := p.prove(name, pass, p.challenge(name))
	if r.Result != Success {
		p.Fatalf("%s: login ended with %d", name, r.Result)
	}
	return K
}

func (p *peer) realms() []Realm {
	p.Helper()
	p.send(AppendRealmListRequest(nil))
	return whole(p, ParseRealmList)
}

// whole parses one reply that must be complete and alone.
func whole[R any](p *peer, parse func([]byte) (R, int, error)) R {
	p.Helper()
	b := p.reply()
	r, n, err := parse(b)
	if err != nil || n != len(b) {
		p.Fatalf("reply % x: %d of %d bytes read, error %v", b, n, len(b), err)
	}
	return r
}

func answer(t *testing.T, name, pass string, challenge ChallengeReply) (A [32]byte, M1 [20]byte, K [40]byte, M2 [20]byte) {
	t.Helper()
	c, err := crypt.NewClient(rand.Reader, name, pass)
	if err != nil {
		t.Fatal(err)
	}
	A, M1, K, M2, err = c.Answer(challenge.Public, challenge.Salt)
	if err != nil {
		t.Fatal(err)
	}
	return A, M1, K, M2
}

// challengeOf is a challenge for another build.
func challengeOf(command Command, build wire.Version, name string) []byte {
	return appendPacket(nil, build, &Challenge{Command: command, Build: build, Name: name})
}
