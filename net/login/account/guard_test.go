package account

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/metric"
	"muster/loaders/store"
)

// A gatehouse is a guard with a clock and accounts.
type gatehouse struct {
	*testing.T
	*Guard
	store  store.Store
	now    time.Time
	log    bytes.Buffer
	metric metric.Table
}

func newGatehouse(t *testing.T, config GuardConfig, s store.Store, names ...string) *gatehouse {
	t.Helper()
	h := &gatehouse{T: t, store: s, now: time.Unix(1_000_000, 0)}
	config.Now, config.Metric = func() time.Time { return h.now }, &h.metric
	config.Log = slog.New(slog.NewTextHandler(&h.log, nil))
	h.Guard = NewGuard(config, s)
	for _, name := range names {
		if _, err := s.CreateAccount(t.Context(), store.Account{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *gatehouse) account(name string) *store.Account {
	h.Helper()
	a, err := h.store.Account(h.Context(), name)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		h.Fatal(err)
	}
	return &a
}

// try asks for a login, and gives a proof if it may; it returns the verdict as a letter.
func (h *gatehouse) try(name, from string, right bool) string {
	h.Helper()
	const letters = "awsBEP" // in the order of verdicts: admitted, wrong, suspended, Banned, Elsewhere, and its Place
	a, address := h.account(name), netip.MustParseAddr(from)
	if v := h.Status(a, name, address); v != Admitted {
		return letters[v : v+1]
	}
	v, err := h.Judge(h.Context(), a, name, address, right, nil)
	if err != nil {
		h.Fatal(err)
	}
	return letters[v : v+1]
}

// run tries a line of passwords: - is wrong and + is right.
func (h *gatehouse) run(name, from, passwords string) string {
	h.Helper()
	var said strings.Builder
	for _, p := range passwords {
		said.WriteString(h.try(name, from, p == '+'))
	}
	return said.String()
}

func (h *gatehouse) expect(name, from, passwords, want string) {
	h.Helper()
	if got := h.run(name, from, passwords); got != want {
		h.Errorf("%s from %s: %s was answered %s, want %s", name, from, passwords, got, want)
	}
}

// TestLockout is fault row 3 on each kind of store: the tenth wrong password in a row bans, for known and unknown
// names alike, for the configured time, and a right one before it resets the count.
func TestLockout(t *testing.T) {
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			h := newGatehouse(t, GuardConfig{}, s, "ANNA")
			h.expect("ANNA", "127.0.0.1", "---------+", "wwwwwwwwwa")
			for _, name := range []string{"ANNA", "NOBODY"} {
				h.expect(name, "127.0.0.1", "----------", "wwwwwwwwww")
				h.expect(name, "::1", "+-+", "sss")
				if name == "ANNA" {
					if a := h.account(name); a.BanEndUnix != 1_000_600 || a.BanReason != "10 wrong passwords in a row" || a.FailedLogins != 0 {
						t.Errorf("%+v", a)
					}
				}
			}
			h.now = h.now.Add(599 * time.Second)
			h.expect("ANNA", "127.0.0.1", "+", "s")
			h.expect("NOBODY", "127.0.0.1", "-", "s")
			h.now = h.now.Add(time.Second)
			for _, name := range []string{"ANNA", "NOBODY"} {
				h.expect(name, "127.0.0.1", "---------", "wwwwwwwww")
			}
			h.expect("ANNA", "127.0.0.1", "+", "a")
			if a := h.account("ANNA"); a.BanEndUnix != 0 || a.BanReason != "" || a.FailedLogins != 0 || a.LastAddress != "127.0.0.1" {
				t.Errorf("%+v", a)
			}
			if n := h.metric.Value("auth.lockout"); n != 2 || h.metric.Value("auth.address_lockout") != 0 {
				t.Errorf("%d lockouts, %d of addresses", n, h.metric.Value("auth.address_lockout"))
			}
			if want := `msg="account: too many wrong passwords in a row" name=ANNA known=true from=127.0.0.1 banned=account for=10m0s`; !strings.Contains(h.log.String(), want) {
				t.Errorf("the log is\n%swant %s", &h.log, want)
			}
		})
	}
}

// TestManyAtOnce gives many proofs at once, all after they were admitted to it: no more than ten of all wrong ones
// are checked, and the right one among the later ones is refused. TestKeyOfProof keeps the key of a proof if it is
// admitted, and of no other.
func TestKeyOfProof(t *testing.T) {
	h := newGatehouse(t, GuardConfig{MaxCount: 2}, store.NewMemory(store.MemoryConfig{}), "ANNA")
	from, key := netip.MustParseAddr("127.0.0.1"), [40]byte{1, 39: 2}
	for _, c := range []struct {
		right bool
		key   *[40]byte
		want  Verdict
		kept  bool
	}{
		{false, &key, Wrong, false},
		{true, nil, Admitted, false},
		{true, &key, Admitted, true},
		{true, nil, Admitted, true}, // a client that reconnects with it
		{false, &[40]byte{}, Wrong, true},
		{false, &[40]byte{}, Wrong, true},
		{true, &[40]byte{}, Suspended, true},
	} {
		v, err := h.Judge(t.Context(), h.account("ANNA"), "ANNA", from, c.right, c.key)
		a, err2 := h.store.Proven(t.Context(), "ANNA")
		if err != nil || err2 != nil || v != c.want || a.HasKey != c.kept || c.kept && a.Key != key {
			t.Errorf("%v with %v: %v, %v, %v, and the key is %v % x, want %v, %v", c.right, c.key, v, err, err2, a.HasKey, a.Key,
				c.want, c.kept)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			h := newGatehouse(t, GuardConfig{}, s, "ANNA")
			a := h.account("ANNA")
			from := netip.MustParseAddr("127.0.0.1")
			var said [Barred + 1]atomic.Int64
			var crowd sync.WaitGroup
			for range 100 {
				crowd.Go(func() {
					v, err := h.Judge(t.Context(), a, a.Name, from, false, nil)
					if err != nil {
						t.Error(err)
					}
					said[v].Add(1)
				})
			}
			crowd.Wait()
			if said[Wrong].Load() != 10 || said[Suspended].Load() != 90 {
				t.Errorf("%d were answered wrong, %d suspended", said[Wrong].Load(), said[Suspended].Load())
			}
			if v, err := h.Judge(t.Context(), a, a.Name, from, true, nil); v != Suspended || err != nil {
				t.Errorf("the right password: %v, %v", v, err)
			}
		})
	}
}

// TestDistributed guesses at one account from many addresses, and at many accounts from one.
func TestDistributed(t *testing.T) {
	h := newGatehouse(t, GuardConfig{}, store.NewMemory(store.MemoryConfig{}), "ANNA", "BEA")
	for i := range 10 {
		h.expect("ANNA", fmt.Sprint("192.0.2.", i), "-", "w")
	}
	h.expect("ANNA", "192.0.2.99", "+", "s")
	for i := range 10 {
		h.expect(fmt.Sprint("NAME", i), "2001:db8::1", "-", "w")
	}
	h.expect("BEA", "2001:db8::2", "+", "P") // the same subscriber
	h.expect("BEA", "2001:db8:0:1::2", "+", "a")
	h.expect("BEA", "192.0.2.1", "+", "a")
	h.now = h.now.Add(10 * time.Minute)
	h.expect("BEA", "2001:db8::2", "+", "a")
	if n := h.metric.Value("auth.address_lockout"); n != 1 {
		t.Errorf("%d addresses were locked out", n)
	}
}

// TestLoopback counts addresses of this host only where the config asks for it.
func TestLoopback(t *testing.T) {
	for limited, want := range map[bool]string{false: "a", true: "P"} {
		h := newGatehouse(t, GuardConfig{Loopback: limited}, store.NewMemory(store.MemoryConfig{}), "ANNA")
		for i := range 10 {
			h.expect(fmt.Sprint("NAME", i), "127.0.0.2", "-", "w")
		}
		h.expect("ANNA", "127.0.0.2", "+", want)
		h.expect("ANNA", "127.0.0.3", "+", "a")
	}
}

// TestSlowGuesses forgets what an address did more than a term ago.
func TestSlowGuesses(t *testing.T) {
	h := newGatehouse(t, GuardConfig{}, store.NewMemory(store.MemoryConfig{}))
	for i := range 100 {
		h.expect(fmt.Sprint("NAME", i), "192.0.2.1", "-", "w")
		h.now = h.now.Add(time.Minute + 7*time.Second)
	}
}

func TestGuardConfig(t *testing.T) {
	for name, c := range map[string]struct {
		config GuardConfig
		tries  string
		want   string
	}{
		"three":      {GuardConfig{MaxCount: 3}, "---+", "wwws"},
		"one":        {GuardConfig{MaxCount: 1}, "-+", "ws"},
		"never":      {GuardConfig{MaxCount: -1}, strings.Repeat("-", 50) + "+", strings.Repeat("w", 50) + "a"},
		"for ever":   {GuardConfig{MaxCount: 3, BanTime: -1}, "---+", "wwwB"},
		"by address": {GuardConfig{MaxCount: 3, ByAddress: true}, "---+", "wwwP"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGatehouse(t, c.config, store.NewMemory(store.MemoryConfig{}), "ANNA")
			from := "127.0.0.1"
			if c.config.ByAddress {
				from = "192.0.2.1"
			}
			h.expect("ANNA", from, c.tries, c.want)
			if c.config.ByAddress {
				h.expect("ANNA", "192.0.2.2", "+", "a")
				h.expect("NOBODY", "192.0.2.3", "---+", "wwwP")
			}
			if c.config.BanTime < 0 {
				h.now = h.now.Add(1000 * time.Hour)
				h.expect("ANNA", from, "+", "B")
			}
		})
	}
}

// TestStanding has accounts as operators may have left them.
func TestStanding(t *testing.T) {
	const now = 1_000_000
	for name, c := range map[string]struct {
		account store.Account
		from    string
		tries   string
		want    string
	}{
		"banned":             {store.Account{BanEndUnix: now + 1}, "::1", "+-", "ss"},
		"banned for ever":    {store.Account{BanEndUnix: math.MaxInt64}, "::1", "+-", "BB"},
		"was banned":         {store.Account{BanEndUnix: now}, "::1", "+", "a"},
		"locked, here":       {store.Account{Locked: true, LastAddress: "192.0.2.1"}, "::ffff:192.0.2.1", "+", "a"},
		"locked, elsewhere":  {store.Account{Locked: true, LastAddress: "192.0.2.1"}, "192.0.2.2", "+-+", "EwE"},
		"locked, IPv6":       {store.Account{Locked: true, LastAddress: "2001:db8::1"}, "2001:db8::ffff:2%eth0", "+", "a"},
		"locked, other IPv6": {store.Account{Locked: true, LastAddress: "2001:db8::1"}, "2001:db8:1::1", "+", "E"},
		"locked, loopback":   {store.Account{Locked: true, LastAddress: "::1"}, "::2", "+", "E"},
		"locked to nothing":  {store.Account{Locked: true}, "::1", "+", "a"},
		"locked to nonsense": {store.Account{Locked: true, LastAddress: "home"}, "::1", "+", "E"},
		"locked and banned":  {store.Account{Locked: true, LastAddress: "::2", BanEndUnix: math.MaxInt64}, "::1", "+-", "BB"},
	} {
		t.Run(name, func(t *testing.T) {
			s := store.NewMemory(store.MemoryConfig{})
			c.account.Name = "ANNA"
			if _, err := s.CreateAccount(t.Context(), c.account); err != nil {
				t.Fatal(err)
			}
			h := newGatehouse(t, GuardConfig{}, s)
			h.expect("ANNA", c.from, c.tries, c.want)
		})
	}
}

// TestPlacesAreBounded fills the table of addresses, and finds the first forgotten and no other.
func TestPlacesAreBounded(t *testing.T) {
	var p places
	at := func(i int) netip.Prefix {
		return Place(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	for i := range maxPlaces + 3 {
		p.make(at(i)).count = uint32(i)
	}
	for i := range maxPlaces + 3 {
		if tally := p.of(at(i)); (tally == nil) != (i < 3) || tally != nil && tally.count != uint32(i) {
			t.Fatalf("%d has %+v", i, tally)
		}
	}
	if len(p.ring) != maxPlaces || len(p.index) != maxPlaces {
		t.Errorf("%d and %d addresses", len(p.ring), len(p.index))
	}
}

// TestStoreAway decides nothing, for known names and for others.
func TestStoreAway(t *testing.T) {
	s := store.NewMemory(store.MemoryConfig{})
	h := newGatehouse(t, GuardConfig{}, s, "ANNA")
	a := h.account("ANNA")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, a := range []*store.Account{a, nil} {
		if v, err := h.Judge(t.Context(), a, "ANNA", netip.Addr{}, false, nil); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%v, %v", v, err)
		}
	}
}
