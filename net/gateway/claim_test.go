package gateway

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"muster/internal/testseed"
	"muster/loaders/store"
	"muster/net/protocol/msg"
)

// A ledger is what gateways have claimed. It is in memory, and fails the test when an account is given back by a gateway that has it
// not.
type ledger struct {
	t       testing.TB
	mu      sync.Mutex
	logins  uint64
	fences  uint64
	newest  map[uint32]uint64 // logins that have claimed, by account
	held    map[uint32]holding
	gates   map[int]*Gate
	deaf    bool   // no gateway hears of logins
	failing int    // so many times accounts are not given back
	stuck   uint32 // the account that never is; 0 none

	most    int     // logins that are let in at a time; 0 any
	away    bool    // nothing says where logins are
	seekers []place // that are let in, or wait, in the order in which they came
}

// A place is that of a login at a gateway.
type place struct {
	Seeker
	gate int
}

type holding struct {
	gate  int
	fence uint64
}

func newLedger(t testing.TB) *ledger {
	return &ledger{t: t, newest: make(map[uint32]uint64), held: make(map[uint32]holding), gates: make(map[int]*Gate)}
}

// count is how many accounts are claimed.
func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.held)
}

// by is which gateway has an account, 0 none.
func (l *ledger) by(account uint32) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[account].gate
}

// A ledgerClaims is the ledger as one gateway has it.
type ledgerClaims struct {
	*ledger
	gate int
}

func (c ledgerClaims) Login(context.Context) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logins++
	return c.logins, nil
}

func (c ledgerClaims) LoggedIn(account uint32, login uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, g := range c.gates {
		if n != c.gate && !c.deaf {
			g.Supersede(account, login)
		}
	}
}

func (c ledgerClaims) Claim(_ context.Context, account uint32, guid, login uint64) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h, ok := c.held[account]
	switch {
	case login < c.newest[account]:
		return 0, ErrSuperseded
	case ok && h.gate != c.gate:
		if g := c.gates[h.gate]; g != nil && !g.LetGo(account, login) {
			c.t.Errorf("gateway %d has account %d, and no player of it", h.gate, account)
		}
		return 0, ErrHeld
	}
	c.fences++
	c.newest[account], c.held[account] = login, holding{c.gate, c.fences}
	return c.fences, nil
}

func (c ledgerClaims) GiveBack(_ context.Context, claims []Claim) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failing > 0 {
		c.failing--
		return errors.New("the ledger is away")
	}
	if slices.ContainsFunc(claims, func(s Claim) bool { return s.Account == c.stuck }) {
		return errors.New("a character cannot be stored")
	}
	for _, claim := range claims {
		if h := c.held[claim.Account]; h != (holding{c.gate, claim.Fence}) {
			c.t.Errorf("gateway %d gives account %d back with fence %d, it is gateway %d's with %d", c.gate, claim.Account, claim.Fence, h.gate, h.fence)
		}
		delete(c.held, claim.Account)
	}
	return nil
}

// newPair starts two gateways with the same accounts, each before worlds of its own. A character is in one of them at a time, or the
// test fails.
func newPair(t testing.TB, change func(*Config)) (one, two *rig, l *ledger) {
	l = newLedger(t)
	kept, online := store.NewMemory(store.MemoryConfig{}), new(sync.Map)
	var rigs []*rig
	for n := 1; n <= 2; n++ {
		r := newRigOn(t, kept, online, func(c *Config) {
			c.Claims = ledgerClaims{l, n}
			if change != nil {
				change(c)
			}
		})
		l.mu.Lock()
		l.gates[n] = r.gate
		l.mu.Unlock()
		rigs = append(rigs, r)
	}
	return rigs[0], rigs[1], l
}

// account is the ID of the account of a client.
func (c *testClient) account() uint32 {
	c.t.Helper()
	id, _ := c.rig.account(c.name)
	return id
}

// An account that logs in through another gateway is closed at the first: on the character screen at once, and in a world as soon as
// the other connection wants to enter, which finds the character as the first world left it. At the end nothing is claimed.
func TestClaim(t *testing.T) {
	one, two, l := newPair(t, nil)
	first := one.dial("ALICE").login().character()
	second := two.dial("ALICE").login()
	first.ended()
	one.closed(Replaced, 1)
	second.character().enter()
	id := second.account()
	if by := l.by(id); by != 2 {
		t.Errorf("gateway %d has the account, want 2", by)
	}
	third := one.dial("ALICE").login().character().enter()
	second.ended()
	two.closed(Replaced, 1)
	if by := l.by(id); by != 1 {
		t.Errorf("gateway %d has the account, want 1", by)
	}
	if c := one.stored(third.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("version %d at x = %v was stored before the second time, want 2 and 1", c.Version, c.X)
	}
	third.say(msg.OpPlayerLogout, &msg.Empty{})
	third.expect(msg.OpLogoutComplete)
	until(t, "the account is free", func() bool { return l.by(id) == 0 })
	third.enter()
	third.reset()
	until(t, "the account is free", func() bool { return l.by(id) == 0 })
}

// The player of a connection that is lost in a fight is let go when another gateway wants its account, before its fight is over.
func TestClaimOfLinkDead(t *testing.T) {
	one, two, _ := newPair(t, nil)
	a := one.linkDead("ALICE")
	b := two.dial("ALICE").login()
	b.guid = a.guid
	b.enter()
	if n, m := one.worlds[1].count(), two.worlds[1].count(); n != 0 || m != 1 {
		t.Errorf("%d and %d players are in the worlds, want 0 and 1", n, m)
	}
}

// A connection that fights when its account is wanted elsewhere does not stay in its world without one.
func TestWantedIsNotLinkDead(t *testing.T) {
	one, two, l := newPair(t, nil)
	l.deaf = true
	a := one.dial("ALICE").login().character().enter()
	one.worlds[1].busy.Store(true)
	b := two.dial("ALICE").login()
	b.guid = a.guid
	b.enter()
	a.ended()
	if n := one.worlds[1].dropped.Load(); n != 0 {
		t.Errorf("%d players were left in their world without a connection, want 0", n)
	}
}

// A connection of which a newer login has the account is closed when it wants to enter, although it has not heard of that.
func TestSupersededLogin(t *testing.T) {
	one, two, l := newPair(t, nil)
	l.deaf = true
	older := one.dial("ALICE").login().character()
	newer := two.dial("ALICE").login().character().enter()
	older.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: older.guid})
	older.ended()
	one.closed(Replaced, 1)
	id := newer.account()
	two.gate.Supersede(id, 1) // the older one's
	if !two.gate.LetGo(id, 1) || !two.gate.LetGo(id, 2) {
		t.Error("the gateway says that it has not the account")
	}
	for range 2 { // whatever is to be closed is closed after the first round
		two.onLoops(func(*loop) {})
	}
	newer.ping(1)
	if by := l.by(id); by != 2 {
		t.Errorf("gateway %d has the account, want 2", by)
	}
	two.worlds[1].busy.Store(true)
	newer.reset()
	until(t, "the world knows", func() bool { return two.worlds[1].dropped.Load() == 1 })
	if one.gate.LetGo(id, 3) {
		t.Error("the other gateway says that it has the account")
	}
}

// Who waits for an account that is not let go is told so, and may try again.
func TestClaimIsLost(t *testing.T) {
	r, _, l := newPair(t, func(c *Config) { c.ClaimTime = 50 * time.Millisecond })
	a := r.dial("ALICE").login().character()
	l.mu.Lock()
	l.held[a.account()] = holding{gate: 9} // which does not answer
	l.mu.Unlock()
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
		t.Errorf("answered with %#x, want %#x", got, uint8(msg.LoginFailed))
	}
	if n := r.metric.Value(ClaimLost); n != 1 || r.metric.Value(ClaimHeld) == 0 {
		t.Errorf("%d claims were lost, want 1, after %d tries", n, r.metric.Value(ClaimHeld))
	}
	l.mu.Lock()
	delete(l.held, a.account())
	l.mu.Unlock()
	a.enter()
}

// An account is given back until that succeeds; its next connection at the same gateway waits for that too.
func TestReturnIsTriedAgain(t *testing.T) {
	r, _, l := newPair(t, nil)
	a := r.dial("ALICE").login().character().enter()
	l.mu.Lock()
	l.failing = 2
	l.mu.Unlock()
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	a.enter()
	if n := r.metric.Value(ReturnFailed); n != 2 {
		t.Errorf("giving back failed %d times, want 2", n)
	}
}

// A connection that waits for the older player of its account, which is not given back, is told so after a time, and may try again.
func TestEntryIsGivenUp(t *testing.T) {
	r, _, l := newPair(t, func(c *Config) { c.ClaimTime = 50 * time.Millisecond })
	a := r.dial("ALICE").login().character().enter()
	l.mu.Lock()
	l.stuck = a.account()
	l.mu.Unlock()
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	for range 2 {
		a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
		if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
			t.Errorf("answered with %#x, want %#x", got, uint8(msg.LoginFailed))
		}
	}
	if n := r.metric.Value(ClaimLost); n != 2 {
		t.Errorf("%d entries were given up, want 2", n)
	}
	l.mu.Lock()
	l.stuck = 0
	l.mu.Unlock()
	until(t, "the account has no player", func() bool { return r.gate.roster.count() == 0 })
	a.enter()
}

// An account whose character cannot be stored keeps no other one from being given back.
func TestReturnsAreApart(t *testing.T) {
	r, _, l := newPair(t, nil)
	a, b := r.dial("ALICE").login().character().enter(), r.dial("BERT").login().character().enter()
	l.mu.Lock()
	l.stuck = a.account()
	l.mu.Unlock()
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	until(t, "it is tried again", func() bool { return r.metric.Value(ReturnFailed) > 1 })
	b.say(msg.OpPlayerLogout, &msg.Empty{})
	b.expect(msg.OpLogoutComplete)
	until(t, "the other account is free", func() bool { return l.by(b.account()) == 0 })
	if by := l.by(a.account()); by != 1 {
		t.Errorf("gateway %d has the first account, want 1", by)
	}
	l.mu.Lock()
	l.stuck = 0
	l.mu.Unlock()
	until(t, "both accounts are free", func() bool { return l.count() == 0 })
}

// All accounts that wait to be given back are, however many wait at once.
func TestManyReturns(t *testing.T) {
	r, _, l := newPair(t, nil)
	again := &r.gate.returnsAgain
	again.mu.Lock() // they are woken once for all
	for n := range uint32(2*maxReturns + 1) {
		l.mu.Lock()
		l.held[1000+n] = holding{1, 1}
		l.mu.Unlock()
		again.waiting = append(again.waiting, giving{player: &player{account: 1000 + n, fence: 1}, what: saved})
	}
	again.mu.Unlock()
	signal(again.wake)
	until(t, "all accounts are free", func() bool { return l.count() == 0 })
}

// Of the logins of an account the newest stays, in whichever order they reach the gateways: otherwise each of several could be closed
// by another.
func TestNewestLoginStays(t *testing.T) {
	one, two, l := newPair(t, nil)
	draw := func(number uint64) {
		l.mu.Lock()
		l.logins = number - 1
		l.mu.Unlock()
	}
	draw(7)
	newest := one.dial("ALICE").login().character()
	draw(6)
	if one.dial("ALICE").tryLogin() == nil {
		t.Error("an older login is let in")
	}
	one.closed(Replaced, 1)
	draw(5)
	if two.dial("ALICE").tryLogin() == nil {
		t.Error("an older login is let in by another gateway")
	}
	newest.enter()
	if by := l.by(newest.account()); by != 1 {
		t.Errorf("gateway %d has the account, want 1", by)
	}
	newest.ping(1)
}

// A gateway that ends while nothing can be given back gives up after a few tries.
func TestReturnIsGivenUp(t *testing.T) {
	r, _, l := newPair(t, nil)
	r.dial("ALICE").login().character().enter()
	l.mu.Lock()
	l.failing = 1000
	l.mu.Unlock()
	r.shutdown()
	if tries, left := r.metric.Value(ReturnFailed), r.metric.Value(ReturnGivenUp); tries != returnTries || left != 1 {
		t.Errorf("%d tries, and %d accounts given up, want %d and 1", tries, left, returnTries)
	}
}

// A gateway that has been closing for long does not try again: each try can take 2 s.
func TestReturnIsNotTriedForEver(t *testing.T) {
	r, _, l := newPair(t, nil)
	l.mu.Lock()
	l.failing = 1000
	l.mu.Unlock()
	long := time.Now().Add(-returnEnd)
	r.gate.closingSince.Store(&long)
	r.gate.returnsAgain.add(giving{player: &player{account: 1000, fence: 1}, what: saved})
	until(t, "the account is given up", func() bool { return r.metric.Value(ReturnGivenUp) == 1 })
	if n := r.metric.Value(ReturnFailed); n != 0 {
		t.Errorf("it was tried %d times, want 0", n)
	}
}

// Clients of a few accounts connect to two gateways and disconnect in every way, at random. The worlds check that no character is in
// one twice, and the ledger that no account is given back by another; what is left must be as if nothing had been.
func TestClaimInterleavings(t *testing.T) {
	const rivals, visits = 3, 12
	seed := testseed.Of(t)
	one, two, l := newPair(t, func(c *Config) { c.Loops = 2 })
	rigs := []*rig{one, two}
	names := []string{"ALICE", "BOB", "CAROL"}
	var wg sync.WaitGroup
	for a := range names {
		one.dial(names[a]).login().character().reset()
		for n := range rivals {
			wg.Go(func() {
				dice := rand.New(rand.NewPCG(seed, uint64(a*rivals+n)))
				for range visits {
					rigs[dice.IntN(2)].visit(names[a], dice)
				}
			})
		}
	}
	wg.Wait()
	for _, r := range rigs {
		<-r.gate.roster.whenEmpty()
		if n := r.worlds[1].count() + r.worlds[2].count(); n != 0 {
			t.Errorf("%d players are left in the worlds", n)
		}
	}
	if n := l.count(); n != 0 {
		t.Errorf("%d accounts are claimed, want 0", n)
	}
	for a := range names {
		guid, entered := uint64(a+1), 0
		for _, r := range rigs {
			entered += r.worlds[1].times(guid) + r.worlds[2].times(guid)
		}
		if version := one.stored(guid).Version; version != uint64(entered)+1 {
			t.Errorf("character %d entered %d times and was saved %d times", guid, entered, version-1)
		}
	}
}
