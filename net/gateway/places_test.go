package gateway

import (
	"context"
	"errors"
	"slices"
	"testing"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// Places implements Claims: the first logins are in, and a newer one of an account takes the place of the older.
func (c ledgerClaims) Places(_ context.Context, ended []EndedLogin, seekers []Seeker) (map[uint64]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away {
		return nil, errors.New("the ledger is away")
	}
	for _, e := range ended {
		c.seekers = slices.DeleteFunc(c.seekers, func(p place) bool { return p.Account == e.Account && p.Login <= e.Login })
	}
	at := make(map[uint64]int)
	for _, s := range seekers {
		i := slices.IndexFunc(c.seekers, func(p place) bool { return p.Account == s.Account })
		switch {
		case i < 0 && s.Exempt:
			c.seekers = slices.Insert(c.seekers, 0, place{s, c.gate})
		case i < 0:
			c.seekers = append(c.seekers, place{s, c.gate})
		case c.seekers[i].Login < s.Login:
			c.seekers[i] = place{s, c.gate}
		}
		i = slices.IndexFunc(c.seekers, func(p place) bool { return p.Login == s.Login && p.gate == c.gate })
		if i >= 0 {
			at[s.Login] = 0
			if c.most > 0 {
				at[s.Login] = max(0, i+1-c.most)
			}
		}
	}
	return at, nil
}

// Two gateways have one queue: clients come to them in turn, are told their positions in one order, and each that leaves lets the first in, at whichever
// gateway it waits. A newer connection of an account has its place, at the other gateway too.
func TestQueueOfRealm(t *testing.T) {
	one, two, l := newPair(t, nil)
	l.mu.Lock()
	l.most = 2
	l.mu.Unlock()
	rigs := []*rig{one, two}
	var clients []*testClient
	for i, name := range []string{"ANN", "BOB", "CID", "DAN", "EVE", "FAY"} {
		c := rigs[i%2].dial(name)
		if at := c.knock(); at != uint32(max(0, i-1)) {
			t.Fatalf("%s is at %d, want %d", name, at, max(0, i-1))
		}
		clients = append(clients, c)
	}
	steps := func(i int, want uint32) {
		t.Helper()
		if at := clients[i].step(); at != want {
			t.Errorf("%s is at %d, want %d", clients[i].name, at, want)
		}
	}
	clients[0].reset() // ANN, of the first gateway, as CID is
	steps(2, 0)
	steps(3, 1)
	steps(4, 2)
	steps(5, 3)
	clients[2].character().enter().reset()
	steps(3, 0) // DAN, of the second
	steps(4, 1)
	steps(5, 2)
	again := one.dial("FAY")
	if at := again.knock(); at != 2 {
		t.Errorf("FAY is back at %d, want her place in the queue", at)
	}
	clients[5].ended()
	two.closed(Replaced, 1)
	clients[5] = again
	clients[4].reset() // EVE, from the middle
	steps(5, 1)
	bob := one.dial("BOB")
	if at := bob.knock(); at != 0 {
		t.Errorf("BOB is back at %d, want his place", at)
	}
	clients[1].ended()
	account, _ := one.account("GAM")
	if _, err := one.store.UpdateAccount(t.Context(), account, func(a *store.Proven) error { a.Level = 2; return nil }); err != nil {
		t.Fatal(err)
	}
	gm := two.dial("GAM")
	if at := gm.knock(); at != 0 {
		t.Errorf("a game master is at %d", at)
	}
	steps(5, 2) // it has a place that FAY waits for
	gm.reset()
	bob.reset()
	steps(5, 0)
	clients[5].character().enter().ping(1)
}

// While nothing says where logins are, those that wait go on waiting, and new ones are refused. As many wait as the gateway has room for.
func TestQueueOfRealmAway(t *testing.T) {
	one, _, l := newPair(t, func(c *Config) { c.MaxQueue = 1 })
	set := func(most int, away bool) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.most, l.away = most, away
	}
	set(1, false)
	ann, bob := one.dial("ANN"), one.dial("BOB")
	ann.knock()
	if at := bob.knock(); at != 1 {
		t.Fatalf("BOB is at %d", at)
	}
	refused := func(name string, want msg.Result) {
		t.Helper()
		c := one.dial(name)
		hello := c.hello(c.expect(msg.OpAuthChallenge))
		c.encrypt()
		c.Write(hello)
		if body := c.expect(msg.OpAuthResponse); len(body) != 1 || body[0] != uint8(want) {
			t.Errorf("%s is sent % x, want %#x", name, body, want)
		}
		c.ended()
	}
	refused("CID", msg.AuthReject)
	one.closed(session.QueueFull, 1)
	one.gate.Change(Settings{MaxQueue: 2})
	set(1, true)
	refused("CID", msg.AuthFailed)
	one.closed(session.Busy, 1)
	ann.reset()
	until(t, "the registry is asked", func() bool { return one.metric.Value(PlacesFailed) > 1 })
	set(1, false)
	if at := bob.step(); at != 0 {
		t.Errorf("BOB is at %d when the place of ANN is free", at)
	}
}
