package gateway

import (
	"testing"

	"muster/net/protocol/msg"
)

// adrift is a client whose connection has ended in the middle of a fight, as its world sees it.
func (r *rig) adrift(name string) *testClient {
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

// gone waits until nobody is left, and checks that the one who was is saved as its world let it go.
func (r *rig) gone(guid uint64, x float32) {
	r.t.Helper()
	until(r.t, "nobody is left", func() bool { return r.gate.roster.count() == 0 })
	if c := r.stored(guid); c.Version != 2 || c.X != x {
		r.t.Errorf("version %d at x = %v is stored, want 2 and %v", c.Version, c.X, x)
	}
}

// Who fights when its connection ends stays until its world lets it go.
func TestDrift(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	w := r.worlds[1]
	w.mu.Lock()
	for session := range w.players {
		w.leave(session)
	}
	w.mu.Unlock()
	r.gone(a.guid, 1)
}

// Who comes back does not wait for the end of its fight: it is taken out, saved, and enters again.
func TestDriftAndReturn(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	b := r.dial("ALICE").login()
	b.guid = a.guid
	b.enter()
	if w := r.worlds[1]; w.count() != 1 || w.times(a.guid) != 2 {
		t.Errorf("%d players are in the world, and it has entered %d times, want 1 and 2", w.count(), w.times(a.guid))
	}
	if c := r.stored(a.guid); c.Version != 2 || c.X != 1 {
		t.Errorf("version %d at x = %v is stored, want 2 and 1", c.Version, c.X)
	}
}

// Whoever is kicked does not stay, with or without a connection.
func TestDriftAndKick(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	if !r.gate.Kick("alice") {
		t.Error("there is nobody to kick")
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
func TestDriftAndBan(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	id, _ := r.account("ALICE")
	if !r.gate.KickAccount(id) {
		t.Error("there is no account to kick")
	}
	r.gone(a.guid, 1)
	if r.gate.KickAccount(id) {
		t.Error("there still is")
	}
}

// Who has no connection is saved when the gateway closes.
func TestDriftAndShutdown(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	r.shutdown()
	r.gone(a.guid, 1)
}

// Another character of the account enters as soon as the one without a connection is out and saved, and one that is
// deleted does not stay.
func TestDriftAndAnother(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
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

func TestDriftAndDelete(t *testing.T) {
	r := newRig(t, nil)
	a := r.adrift("ALICE")
	b := r.dial("ALICE").login()
	b.say(msg.OpCharDelete, &msg.CharDelete{GUID: a.guid})
	if body := b.expect(msg.OpCharDeleteResult); body[0] != uint8(msg.CharDeleted) {
		t.Fatalf("the character was not deleted: %#x", body)
	}
	until(t, "nobody is left", func() bool { return r.gate.roster.count() == 0 })
	if b.say(msg.OpCharEnumQuery, &msg.Empty{}); len(b.list()) != 0 {
		t.Error("the character is there again")
	}
}
