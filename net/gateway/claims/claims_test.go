package claims_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
	"muster/net/gateway/claims"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) } // what gnet keeps for itself is not ours

// A bus delivers at once.
type bus struct {
	mu     sync.Mutex
	takers map[string][]func([]byte)
}

func (b *bus) Publish(subject string, message []byte) error {
	b.mu.Lock()
	takers := slices.Clone(b.takers[subject])
	b.mu.Unlock()
	for _, take := range takers {
		take(slices.Clone(message))
	}
	return nil
}

func (b *bus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.takers == nil {
		b.takers = make(map[string][]func([]byte))
	}
	b.takers[subject] = append(b.takers[subject], take)
	return func() {}, nil
}

// A member answers claims as the test says, and records what is given back and how it is renewed.
type member struct {
	number uint32
	fails  error // of Claim

	mu      sync.Mutex
	claimed int // how often
	back    []registry.Session
	renewed []registry.Gateway
	away    error // of Renew
	lapsed  bool
	located [][]registry.Location
}

func (m *member) Number() uint32                        { return m.number }
func (m *member) Login(context.Context) (uint64, error) { return 77, nil }

func (m *member) Claim(_ context.Context, account uint32, guid, login uint64) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.claimed++
	return uint64(account) + guid + login, m.fails
}

func (m *member) Places(_ context.Context, ended []registry.Ended, seekers []registry.Seeker) (map[uint64]int, error) {
	return map[uint64]int{seekers[0].Login: len(ended)}, nil
}

// Locate notes nothing of account 9.
func (m *member) Locate(_ context.Context, all []registry.Location) (noted []uint32, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.located = append(m.located, all)
	for _, l := range all {
		if l.Account != 9 {
			noted = append(noted, l.Account)
		}
	}
	return noted, m.away
}

func (m *member) GiveBack(_ context.Context, sessions []registry.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.back = append(m.back, sessions...)
	return nil
}

func (m *member) Renew(_ context.Context, address string, load int) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.renewed = append(m.renewed, registry.Gateway{Address: address, Load: load})
	return m.lapsed, m.away
}

// A gate records what it is told, and has some accounts.
type gate struct {
	mu         sync.Mutex
	has        map[uint32]bool
	superseded [][2]uint64
	wanted     [][2]uint64
	kicked     []uint32
	lines      []string
}

func (g *gate) KickAccount(account uint32) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kicked = append(g.kicked, account)
	return true
}

func (g *gate) Announce(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lines = append(g.lines, line)
}

func (g *gate) Supersede(account uint32, login uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.superseded = append(g.superseded, [2]uint64{uint64(account), login})
}

func (g *gate) LetGo(account uint32, login uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wanted = append(g.wanted, [2]uint64{uint64(account), login})
	return g.has[account]
}

// A rig is the claims of a gateway.
type rig struct {
	*claims.Claims
	member *member
	gate   *gate
	stored [][]uint64 // GUIDs that the store was asked for, and how often had been claimed and given back then
	broken error      // of the store
	metric *metric.Table
	ended  chan error
}

func newRig(ctx context.Context, b *bus, m *member) *rig {
	r := &rig{member: m, gate: &gate{has: make(map[uint32]bool)}, metric: new(metric.Table), ended: make(chan error, 1)}
	r.Claims = claims.New(claims.Config{
		Member: m, Bus: b, Realm: "test", Metric: r.metric,
		Store: func(_ context.Context, guids ...uint64) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			r.stored = append(r.stored, append(slices.Clone(guids), uint64(m.claimed), uint64(len(m.back))))
			return r.broken
		},
	})
	go func() { r.ended <- r.Run(ctx, r.gate, func() (string, int) { return "127.0.0.1:1", 5 }) }()
	return r
}

// A gateway that wants an account that another one has tells that one, and no other. What that one has no player of, an earlier
// process with its number has left behind: it is given back, when the store has what was saved.
func TestWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		b := new(bus)
		one, two, three := newRig(ctx, b, &member{number: 1}), newRig(ctx, b, &member{number: 2}), newRig(ctx, b, &member{number: 3})
		synctest.Wait()
		one.gate.has[5] = true
		two.member.fails = &registry.HeldError{Gateway: 1, GUID: 44, Fence: 9}
		for _, account := range []uint32{5, 6} {
			if _, err := two.Claim(ctx, account, 7, 8); !errors.Is(err, gateway.ErrHeld) {
				t.Errorf("claimed with %v, want ErrHeld", err)
			}
		}
		synctest.Wait()
		if want := [][2]uint64{{5, 8}, {6, 8}}; !slices.Equal(one.gate.wanted, want) || len(two.gate.wanted)+len(three.gate.wanted) > 0 {
			t.Errorf("wanted of the first %v, of others %v and %v; want %v and nothing", one.gate.wanted, two.gate.wanted, three.gate.wanted, want)
		}
		if want := []registry.Session{{Account: 6, GUID: 44, Fence: 9}}; !slices.Equal(one.member.back, want) {
			t.Errorf("given back %+v, want %+v", one.member.back, want)
		}
		if len(one.stored) != 1 || !slices.Equal(one.stored[0], []uint64{44, 0, 0}) {
			t.Errorf("the store was asked for %v, want 44 before anything was given back", one.stored)
		}
		two.member.fails = registry.ErrSuperseded
		if _, err := two.Claim(ctx, 5, 7, 8); !errors.Is(err, gateway.ErrSuperseded) {
			t.Errorf("claimed with %v, want ErrSuperseded", err)
		}
		two.member.fails = nil
		if fence, err := two.Claim(ctx, 5, 7, 8); fence != 20 || err != nil {
			t.Errorf("claimed with fence %d, %v, want 20", fence, err)
		}
		if err := two.GiveBack(ctx, []gateway.Claim{{Account: 5, GUID: 7, Fence: 20}, {Account: 6, GUID: 8, Fence: 21}}); err != nil {
			t.Error(err)
		}
		if want := []registry.Session{{Account: 5, GUID: 7, Fence: 20}, {Account: 6, GUID: 8, Fence: 21}}; !slices.Equal(two.member.back, want) ||
			!slices.Equal(two.stored[len(two.stored)-1], []uint64{7, 8, 4, 0}) {
			t.Errorf("given back %+v after the store was asked for %v", two.member.back, two.stored)
		}
		stop()
		for _, r := range []*rig{one, two, three} {
			if err := <-r.ended; err != nil {
				t.Error(err)
			}
		}
	})
}

// What an earlier process has saved is stored before the claim, which raises the version of what is stored. If that fails nothing
// is claimed.
func TestStoredBeforeClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		r := newRig(ctx, new(bus), &member{number: 1})
		synctest.Wait()
		if _, err := r.Claim(ctx, 5, 7, 8); err != nil || len(r.stored) != 1 || !slices.Equal(r.stored[0], []uint64{7, 0, 0}) {
			t.Errorf("claimed with %v after the store was asked for %v, want 7 before anything was claimed", err, r.stored)
		}
		r.broken = errors.New("broken")
		if _, err := r.Claim(ctx, 5, 7, 8); !errors.Is(err, r.broken) || r.member.claimed != 1 {
			t.Errorf("claimed %d times, the last with %v; want once and %v", r.member.claimed, err, r.broken)
		}
	})
}

// All other gateways hear of a login, of a kick and of an announcement.
func TestAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		b := new(bus)
		one, two := newRig(ctx, b, &member{number: 1}), newRig(ctx, b, &member{number: 2})
		synctest.Wait()
		if n, err := one.Login(ctx); n != 77 || err != nil {
			t.Errorf("login %d, %v, want 77", n, err)
		}
		one.LoggedIn(5, 77)
		one.KickAccount(6)
		one.Announce("hear, hear")
		one.Announce(strings.Repeat("x", 5000))
		if want := [][2]uint64{{5, 77}}; !slices.Equal(two.gate.superseded, want) || len(two.gate.wanted) > 0 {
			t.Errorf("superseded %v, want %v", two.gate.superseded, want)
		}
		if !slices.Equal(two.gate.kicked, []uint32{6}) || !slices.Equal(two.gate.lines, []string{"hear, hear", strings.Repeat("x", 4096)}) {
			t.Errorf("kicked %d, said %.100q", two.gate.kicked, two.gate.lines)
		}
		if n := len(one.gate.superseded) + len(one.gate.kicked) + len(one.gate.lines); n > 0 {
			t.Errorf("a gateway has heard itself %d times", n)
		}
	})
}

// While the store does not answer, the lease is renewed all the same, and an account that others ask for again waits once.
func TestRenewBesideReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		b, counters, m := new(bus), new(metric.Table), &member{number: 1}
		tried := 0
		one := claims.New(claims.Config{
			Member: m, Bus: b, Realm: "test", Metric: counters,
			Store: func(ctx context.Context, _ ...uint64) error {
				tried++
				<-ctx.Done()
				return ctx.Err()
			},
		})
		go one.Run(ctx, &gate{has: make(map[uint32]bool)}, func() (string, int) { return "", 0 })
		two := newRig(ctx, b, &member{number: 2, fails: &registry.HeldError{Gateway: 1}})
		synctest.Wait()
		for range 30 {
			two.Claim(ctx, 5, 7, 8)
			<-time.After(100 * time.Millisecond)
		}
		synctest.Wait()
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.renewed) != 4 || tried != 2 {
			t.Errorf("in 3 s the lease was renewed %d times, and one account tried %d times; want 4, and 2 of 2 s", len(m.renewed), tried)
		}
	})
}

// The lease is renewed each second with the state of the gateway, and is tried again while the database is away. It ends when another
// process has the number.
func TestRenew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &member{number: 1, away: errors.New("away")}
		r := newRig(t.Context(), new(bus), m)
		<-time.After(2500 * time.Millisecond)
		m.mu.Lock()
		want := slices.Repeat([]registry.Gateway{{Address: "127.0.0.1:1", Load: 5}}, 3)
		if !slices.Equal(m.renewed, want) || r.metric.Value(claims.RenewFailed) != 3 {
			t.Errorf("renewed with %+v, %d failed; want %+v and 3", m.renewed, r.metric.Value(claims.RenewFailed), want)
		}
		m.away, m.lapsed = nil, true
		m.mu.Unlock()
		<-time.After(time.Second)
		synctest.Wait()
		if n := r.metric.Value(claims.Lapsed); n != 1 {
			t.Errorf("%d leases were over, want 1", n)
		}
		m.mu.Lock()
		m.away = registry.ErrReplaced
		m.mu.Unlock()
		if err := <-r.ended; !errors.Is(err, registry.ErrReplaced) {
			t.Errorf("ended with %v, want ErrReplaced", err)
		}
	})
}

// What is not a message is counted, and changes nothing.
func TestMalformed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		b := new(bus)
		r := newRig(ctx, b, &member{number: 1})
		synctest.Wait()
		good := []byte{1, 1, 9, 5, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0}
		bad := [][]byte{nil, {1, 1}, good[:14], append(slices.Clone(good), 0), append([]byte{1, 4, 9}, make([]byte, 4097)...)}
		for _, change := range [][2]byte{{0, 2}, {1, 0}, {1, 2}, {1, 3}, {1, 5}} {
			other := slices.Clone(good)
			other[change[0]] = change[1]
			bad = append(bad, other)
		}
		for _, m := range bad {
			b.Publish("muster.test.gateways", m)
		}
		if n := r.metric.Value(claims.Malformed); n != uint64(len(bad)) || len(r.gate.superseded) > 0 {
			t.Errorf("%d messages were malformed, and %v superseded; want %d and none", n, r.gate.superseded, len(bad))
		}
		b.Publish("muster.test.gateways", good)
		if want := [][2]uint64{{5, 77}}; !slices.Equal(r.gate.superseded, want) {
			t.Errorf("superseded %v, want %v", r.gate.superseded, want)
		}
	})
}

// While accounts of an earlier process cannot be given back, so many wait; others are asked for again.
func TestWantsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		b, counters := new(bus), new(metric.Table)
		one := claims.New(claims.Config{
			Member: &member{number: 1}, Bus: b, Realm: "test", Metric: counters,
			Store: func(ctx context.Context, _ ...uint64) error {
				<-ctx.Done()
				return ctx.Err()
			},
		})
		go one.Run(ctx, &gate{has: make(map[uint32]bool)}, func() (string, int) { return "", 0 })
		two := newRig(ctx, b, &member{number: 2, fails: &registry.HeldError{Gateway: 1}})
		synctest.Wait()
		most := claims.Limits()[0].Value.(int)
		for account := range most + 3 {
			two.Claim(ctx, uint32(account), 7, 8)
			if account == 0 {
				synctest.Wait() // it is being given back, and waits no more
			}
		}
		if n := counters.Value(claims.WantDropped); n != 2 {
			t.Errorf("%d were dropped, want 2 of %d", n, most+3)
		}
	})
}
