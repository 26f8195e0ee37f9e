package gateway

import (
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// linkDead is a client whose connection has ended in the middle of a fight, as its world sees it.
func (r *rig) linkDead(name string) *testClient {
	c := r.dial(name).login().character().enter()
	until(r.t, "it is in the world", func() bool { return r.gate.Stats().World == 1 })
	w := r.worlds[1]
	before := w.dropped.Load()
	w.busy.Store(true)
	c.reset()
	r.closed(Peer, 1)
	until(r.t, "the world knows", func() bool { return w.dropped.Load() == before+1 })
	if w.count() != 1 || len(r.gate.OnlinePlayers()) != 1 {
		r.t.Errorf("%d players are in the world and %d known, want 1 and 1", w.count(), len(r.gate.OnlinePlayers()))
	}
	return c
}

// gone waits until no player is left, and checks that the last one is saved as its world let it go.
func (r *rig) gone(guid uint64, x float32) {
	r.t.Helper()
	until(r.t, "no player is left", func() bool { return r.gate.roster.count() == 0 })
	if c := r.stored(guid); c.Version != 2 || c.X != x {
		r.t.Errorf("version %d at x = %v is stored, want 2 and %v", c.Version, c.X, x)
	}
}

// A player that fights when its connection ends stays until its world lets it go.
func TestLinkDead(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	w := r.worlds[1]
	w.mu.Lock()
	for session := range w.players {
		w.leave(session)
	}
	w.mu.Unlock()
	r.gone(a.guid, 1)
}

// A player that comes back in its fight goes on with it: it neither leaves nor enters. When it loses that connection too, it
// can come back again.
func TestLinkDeadAndReturn(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	w := r.worlds[1]
	for n := 1; n <= 3; n++ {
		b := r.dial("ALICE").login()
		b.guid = a.guid
		b.enter()
		w.mu.Lock()
		resumed := w.resumed[a.guid]
		w.mu.Unlock()
		if w.count() != 1 || w.times(a.guid) != 1 || resumed != n {
			t.Errorf("%d players are in the world, and it has entered %d times, resumed %d times; want 1, 1 and %d", w.count(), w.times(a.guid), resumed, n)
		}
		until(t, "the roster has its connection", func() bool { return r.gate.Stats().World == 1 })
		b.reset()
		r.closed(Peer, uint64(n)+1)
		until(t, "the world knows", func() bool { return w.dropped.Load() == int32(n)+1 })
	}
	if c := r.stored(a.guid); c.Version != 1 {
		t.Errorf("version %d is stored, want 1: it has not left", c.Version)
	}
	r.shutdown()
	r.gone(a.guid, 1)
}

// A player that its world lets go of while it comes back enters as any other.
func TestLinkDeadAndTooLate(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	w := r.worlds[1]
	b := r.dial("ALICE").login()
	b.guid = a.guid
	w.mu.Lock()
	b.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	until(t, "it is on its way", func() bool {
		r.gate.roster.mu.Lock()
		defer r.gate.roster.mu.Unlock()
		return r.gate.roster.players[1] != nil && r.gate.roster.players[1].resumed
	})
	for session := range w.players {
		w.leave(session) // in the next frame, before what is in the inbox
	}
	w.mu.Unlock()
	b.expect(msg.OpLoginVerifyWorld)
	if w.count() != 1 || w.times(a.guid) != 2 {
		t.Errorf("%d players are in the world, and it has entered %d times, want 1 and 2", w.count(), w.times(a.guid))
	}
	if c := r.stored(a.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("version %d at x = %v is stored, want 2 and 1", c.Version, c.X)
	}
}

// A player that its world lets go of before its new connection has it enters as any other, too.
func TestLinkDeadAndTooEarly(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	w := r.worlds[1]
	b := r.dial("ALICE").login()
	b.guid = a.guid
	r.gate.roster.mu.Lock()
	c := r.gate.roster.seats[1]
	r.gate.roster.mu.Unlock()
	done := make(chan struct{})
	c.loop.do(func() { // as Gate.enter, and the world is faster
		defer close(done)
		_, _, taken := r.gate.roster.claim(entry{conn: c, guid: a.guid, login: c.login})
		if taken == nil {
			t.Error("it is not taken over")
			return
		}
		w.mu.Lock()
		for session := range w.players {
			w.leave(session)
		}
		w.mu.Unlock()
		until(t, "it is stored", func() bool { return r.stored(a.guid).Version == 2 })
		taken.rejoin()
	})
	<-done
	until(t, "it has entered", func() bool { return w.times(a.guid) == 2 })
	if w.count() != 1 || r.gate.roster.count() != 1 {
		t.Errorf("%d players are in the world and %d in the roster, want 1 and 1", w.count(), r.gate.roster.count())
	}
}

// A connection that takes over a player is not sent what its world sent to the one before. Here the player enters and leaves in the tick in which it
// is to be resumed, so that its view is in the frame: it enters again, and is sent that alone.
func TestLinkDeadAndEnteredInOneTick(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	w := r.worlds[1]
	b := r.dial("ALICE").login()
	b.guid = a.guid
	w.mu.Lock()
	b.Write(b.packet(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid}))
	until(t, "it is taken over", func() bool {
		r.gate.roster.mu.Lock()
		defer r.gate.roster.mu.Unlock()
		return r.gate.roster.players[1].resumed
	})
	attached := make(chan struct{})
	r.gate.roster.players[1].conn.loop.do(func() { close(attached) })
	<-attached
	for session := range w.players {
		w.builder.SetView(session, grid.ViewFrom(w.home), false)
		w.builder.Bytes = msg.Packet(w.builder.Bytes, wire.V12340, msg.OpLoginVerifyWorld, &msg.Place{Map: 99})
		w.builder.SendNow(session, frame.First, w.builder.Cut())
		w.leave(session)
	}
	w.mu.Unlock()
	var at msg.Place
	if err := msg.Decode(wire.V12340, b.expect(msg.OpLoginVerifyWorld), &at); err != nil || at.Map != 1 {
		t.Errorf("it is sent to map %d: %v", at.Map, err)
	}
	if w.times(a.guid) != 2 || w.count() != 1 {
		t.Errorf("it has entered %d times, %d are in the world; want 2 and 1", w.times(a.guid), w.count())
	}
}

// A player that is kicked does not stay, with or without a connection.
func TestLinkDeadAndKick(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	if !r.gate.Kick("alice") {
		t.Error("there is no player to kick")
	}
	r.gone(a.guid, 1)

	b := r.dial("BOB").login().character().enter()
	if !r.gate.Kick("bob") {
		t.Error("there is no Bob to kick")
	}
	r.closed(Kicked, 1)
	r.gone(b.guid, 2)
	if n := r.worlds[1].dropped.Load(); n != 1 {
		t.Errorf("%d were dropped, want 1", n)
	}
}

// An account that is banned is out, wherever it is.
func TestLinkDeadAndBan(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	id, _ := r.account("ALICE")
	if !r.gate.KickAccount(id) {
		t.Error("there is no account to kick")
	}
	r.gone(a.guid, 1)
	if r.gate.KickAccount(id) {
		t.Error("there still is")
	}
}

// A player without a connection is saved when the gateway closes.
func TestLinkDeadAndShutdown(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	r.shutdown()
	r.gone(a.guid, 1)
}

// Another character of the account enters as soon as the one without a connection is out and saved, and one that is
// deleted does not stay.
func TestLinkDeadAndAnother(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	r.worlds[1].busy.Store(false)
	b := r.dial("ALICE").login()
	b.say(msg.OpCharCreate, &msg.CharCreate{Name: "Alina", Look: msg.Look{Race: 1, Class: 1}})
	if body := b.expect(msg.OpCharCreateResult); body[0] != uint8(msg.CharCreated) {
		t.Fatalf("the second character was refused with %#x", body)
	}
	b.say(msg.OpCharEnumQuery, &msg.Empty{})
	b.guid = b.list()[1].GUID
	b.enter()
	if w := r.worlds[1]; w.count() != 1 || w.times(b.guid) != 1 {
		t.Errorf("%d players are in the world, and the second has entered %d times", w.count(), w.times(b.guid))
	}
	if c := r.stored(a.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("version %d at x = %v is stored, want 2 and 1", c.Version, c.X)
	}
}

func TestLinkDeadAndDelete(t *testing.T) {
	r := newRig(t, nil)
	a := r.linkDead("ALICE")
	b := r.dial("ALICE").login()
	b.say(msg.OpCharDelete, &msg.CharDelete{GUID: a.guid})
	if body := b.expect(msg.OpCharDeleteResult); body[0] != uint8(msg.CharDeleted) {
		t.Fatalf("the character was not deleted: %#x", body)
	}
	until(t, "no player is left", func() bool { return r.gate.roster.count() == 0 })
	if b.say(msg.OpCharEnumQuery, &msg.Empty{}); len(b.list()) != 0 {
		t.Error("the character is there again")
	}
}
