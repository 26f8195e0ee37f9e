package gateway

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// knock authenticates, and reads the answer: the client's place in the queue, 0 if it is in.
func (c *testClient) knock() (place uint32) {
	c.t.Helper()
	hello := c.hello(c.expect(msg.OpAuthChallenge))
	c.encrypt()
	c.Write(hello)
	switch body := c.expect(msg.OpAuthResponse); {
	case len(body) == 11 && body[0] == uint8(msg.AuthOK):
		return 0
	case len(body) == 16 && body[0] == uint8(msg.AuthWaitQueue):
		return binary.LittleEndian.Uint32(body[11:])
	default:
		c.t.Fatalf("%s: sent % x", c.name, body)
	}
	return 0
}

// step reads the next place in the queue, 0 when it is in.
func (c *testClient) step() (place uint32) {
	c.t.Helper()
	switch body := c.expect(msg.OpAuthResponse); {
	case len(body) == 1 && body[0] == uint8(msg.AuthOK):
		return 0
	case len(body) == 6 && body[0] == uint8(msg.AuthWaitQueue):
		return binary.LittleEndian.Uint32(body[1:])
	default:
		c.t.Fatalf("%s: sent % x", c.name, body)
	}
	return 0
}

// follow reads until the client is in, and returns all its places.
func (c *testClient) follow() (places []uint32) {
	c.t.Helper()
	for {
		at := c.step()
		places = append(places, at)
		if at == 0 {
			return places
		}
	}
}

// TestQueue lets two in; the next two wait and are sent their places, and the fifth is refused. As players leave they move up,
// in order, also when a waiting one leaves. None of the waiting clients sends anything.
func TestQueue(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.MaxQueue = 2, 3 })
	clients := make(map[string]*testClient)
	for i, name := range []string{"ANN", "BOB", "CID", "DAN", "EVE"} {
		c := r.dial(name)
		if place := c.knock(); place != uint32(max(0, i-1)) {
			t.Errorf("%s is at %d", name, place)
		}
		clients[name] = c
	}
	f := r.dial("FAY")
	hello := f.hello(f.expect(msg.OpAuthChallenge))
	f.encrypt()
	f.Write(hello)
	if body := f.expect(msg.OpAuthResponse); len(body) != 1 || body[0] != uint8(msg.AuthReject) {
		t.Errorf("the refused client is sent % x", body)
	}
	f.ended()
	r.closed(session.QueueFull, 1)
	until(t, "two are in and three wait", func() bool {
		s := r.gate.Stats()
		return s.Queued == 3 && s.Select == 2 && s.Peak == 2
	})
	if n := r.metric.Value(QueueWaited); n != 3 {
		t.Errorf("%d had to wait, want 3", n)
	}
	clients["DAN"].reset() // from the middle
	if at := clients["EVE"].step(); at != 2 {
		t.Errorf("EVE is at %d when one before her has gone, want 2", at)
	}
	clients["ANN"].character().enter().reset()
	if at := clients["CID"].step(); at != 0 {
		t.Errorf("CID is at %d when a place is free", at)
	}
	clients["CID"].character().enter()
	if at := clients["EVE"].step(); at != 1 {
		t.Errorf("EVE is at %d, want 1", at)
	}
	clients["BOB"].reset()
	if at := clients["EVE"].step(); at != 0 {
		t.Errorf("EVE is at %d when a place is free", at)
	}
	clients["EVE"].character().enter().ping(1)
	until(t, "no connection waits", func() bool { s := r.gate.Stats(); return s.Queued == 0 && s.Select+s.Entering+s.World == 2 })
}

// TestQueueOrder has thirty behind two, which leave as soon as they are in: all get in, in the order of arrival, and
// none goes back.
func TestQueueOrder(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.MaxPerAddress = 2, 100 })
	var line []*testClient
	for i := range 32 {
		c := r.dial(fmt.Sprintf("P%d", i))
		if place := c.knock(); place != uint32(max(0, i-1)) {
			t.Fatalf("client %d is at %d", i, place)
		}
		line = append(line, c)
	}
	for i, c := range line {
		if i >= 2 {
			places := c.follow()
			if !slices.IsSortedFunc(places, func(a, b uint32) int { return int(b) - int(a) }) || slices.Contains(places[:len(places)-1], 0) {
				t.Fatalf("client %d went through %v", i, places)
			}
		}
		waiting := 32 - 2 - max(0, i-1)
		if q := r.gate.Stats().Queued; i >= 1 && q != waiting {
			t.Fatalf("%d wait when client %d is in, want %d", q, i, waiting)
		}
		if i >= 1 {
			line[i-1].reset()
			r.closed(Peer, uint64(i))
		}
	}
}

// TestQueueHasNoDeadline waits for longer than the deadlines of a handshake and of silence.
func TestQueueHasNoDeadline(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers, c.Handshake, c.Idle = 1, 200*time.Millisecond, 300*time.Millisecond })
	a, b := r.dial("ANN"), r.dial("BOB")
	a.knock()
	if at := b.knock(); at != 1 {
		t.Fatalf("the second is at %d", at)
	}
	r.closed(Idle, 1) // ANN, and BOB has sent as little
	if at := b.step(); at != 0 {
		t.Errorf("BOB is at %d", at)
	}
	b.ping(1)
	if n := r.metric.Value("closed." + HandshakeTimeout); n != 0 {
		t.Errorf("%d were closed for their handshake", n)
	}
}

// TestQueueOfAccounts: a newer connection has the place of the older one, in and in the queue, and game masters do
// not wait.
func TestQueueOfAccounts(t *testing.T) {
	r := newRig(t, func(c *Config) { c.MaxPlayers = 1 })
	r.dial("ANN").knock()
	r.dial("BOB").knock()
	if at := r.dial("CID").knock(); at != 2 {
		t.Fatalf("CID is at %d", at)
	}
	again := r.dial("ANN")
	if at := again.knock(); at != 0 {
		t.Errorf("ANN is back at %d, want her place", at)
	}
	r.closed(Replaced, 1)
	bob := r.dial("BOB")
	if at := bob.knock(); at != 1 {
		t.Errorf("BOB is back at %d, want his place in the queue", at)
	}
	r.closed(Replaced, 2)
	account, _ := r.account("GAM")
	_, err := r.store.UpdateAccount(context.Background(), account, func(a *store.Proven) error { a.Level = 2; return nil })
	if err != nil {
		t.Fatal(err)
	}
	gm := r.dial("GAM")
	if at := gm.knock(); at != 0 {
		t.Errorf("a game master is at %d", at)
	}
	again.reset()
	r.closed(Peer, 1)
	if s := r.gate.Stats(); s.Queued != 2 {
		t.Errorf("%+v while a game master has the only place", s)
	}
	gm.reset()
	if at := bob.step(); at != 0 {
		t.Errorf("BOB is at %d", at)
	}
}
