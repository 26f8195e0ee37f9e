package gateway

import (
	"context"
	"sync"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// handOver lets all players go to the world that follows this one, which steps no more and ends then.
func (w *fakeWorld) handOver() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tick++
	for session, c := range w.players {
		w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpTransferPending, &msg.TransferPending{Map: c.Map})
		w.builder.Send(session, frame.Last, w.builder.Cut())
		w.online.Delete(c.GUID)
		c.Y, c.Version = c.Y+1, c.Version+1
		w.builder.Bytes = msg.Append(w.builder.Bytes, wire.V12340, &c)
		w.builder.PlayerTransferred(session, w.builder.Cut())
	}
	clear(w.players)
	f := w.port.Write()
	w.builder.Build(f, w.tick)
	w.port.Publish(f)
}

// arrives has a client load the map that it is sent to: that of the world that it was in.
func (c *testClient) arrives(on uint32) {
	c.t.Helper()
	c.expect(msg.OpTransferPending)
	var to msg.Place
	if err := msg.Decode(wire.V12340, c.expect(msg.OpNewWorld), &to); err != nil {
		c.t.Fatal(err)
	}
	if to.Map != on || to.Position.Y != 1 {
		c.t.Errorf("sent to %+v, want map %d", to, on)
	}
	c.say(msg.OpMoveWorldportAck, &msg.Empty{})
}

// A world hands its players over, and ends: they wait for the world that follows it, also when they have loaded the map before the first has ended, and are in
// it as they left, without the store. None is closed.
func TestHandoverToNextWorld(t *testing.T) {
	s := new(loadedStore)
	r := newRig(t, func(c *Config) {
		s.Memory = c.Store.(*store.Memory)
		c.Store = s
	})
	a, b := r.dial("ALICE").login().character().enter(), r.dial("BOB").login().character().enter()
	loads := s.loads.Load()
	old := r.worlds[1]
	old.handOver()
	old.mu.Lock() // it steps no more
	t.Cleanup(old.mu.Unlock)
	a.arrives(1)
	r.kept(2)
	until(t, "it waits", func() bool { return r.gate.Stats().Entering == 1 })
	began := time.Now()
	until(t, "it has been looked for the next world again and again", func() bool { return time.Since(began) > 4*lookAgain })
	if n := r.metric.Value(HandoverDone); n != 0 {
		t.Errorf("%d players are sent into the world that ends", n)
	}
	old.port.Stop()
	ready := make(chan struct{})
	next := newFakeWorld(t, old.online)
	if !r.gate.Follow(t.Context(), 1, next.port, ready) {
		t.Fatal("the world does not follow")
	}
	b.arrives(1)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { next.run(ctx, r.gate.config.Quantum) })
	t.Cleanup(func() { // after the gateway has shut down, as the other worlds
		r.shutdown()
		stop()
		running.Wait()
	})
	close(ready)
	for _, c := range []*testClient{a, b} {
		c.expect(msg.OpTimeSyncReq)
		next.mu.Lock()
		for _, p := range next.players {
			if p.GUID == c.guid && (p.Map != 1 || p.Y != 1 || p.Version != 2 || p.Transfer == 0) {
				t.Errorf("it came to map %d at y = %v as version %d by hand-over %d", p.Map, p.Y, p.Version, p.Transfer)
			}
		}
		next.mu.Unlock()
		if n := next.times(c.guid); n != 1 {
			t.Errorf("it entered the next world %d times, want once", n)
		}
	}
	if n := s.loads.Load(); n != loads {
		t.Errorf("characters were loaded %d times on the way", n-loads)
	}
	r.closed(MapPanic, 0)
	if n := r.metric.Value(HandoverDone); n != 2 {
		t.Errorf("%d hand-overs were done, want 2", n)
	}
}

// No world follows the one that has handed a player over: after Config.StoreTime the client is on the character screen, and the character is stored as it left. One
// whose connection ends while it waits is let go of.
func TestNoWorldFollows(t *testing.T) {
	r := newRig(t, func(c *Config) { c.StoreTime = 300 * time.Millisecond })
	a, b := r.dial("ALICE").login().character().enter(), r.dial("BOB").login().character().enter()
	old := r.worlds[1]
	old.handOver()
	old.mu.Lock() // it steps no more
	t.Cleanup(old.mu.Unlock)
	b.arrives(1)
	until(t, "it waits", func() bool { return r.gate.Stats().Entering == 1 })
	b.Close()
	began := time.Now()
	a.arrives(1)
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoWorld) {
		t.Errorf("refused with %#x, want %#x", got[0], msg.LoginNoWorld)
	}
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("refused after %v, want 300 ms", took)
	}
	until(t, "both are let go of", func() bool { return r.gate.roster.count() == 0 })
	for _, c := range []*testClient{a, b} {
		if kept := r.stored(c.guid); kept.Map != 1 || kept.Y != 1 || kept.Version != 2 {
			t.Errorf("stored on map %d at y = %v as version %d", kept.Map, kept.Y, kept.Version)
		}
	}
}
