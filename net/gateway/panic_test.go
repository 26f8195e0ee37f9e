package gateway

import (
	"reflect"
	"testing"

	"muster/net/protocol/msg"
)

// TestMapPanic has one of two worlds end. The connections of its players are closed, later entries are refused, and
// what is stored of its players is what they entered with. The players of the other world are not affected.
func TestMapPanic(t *testing.T) {
	r := newRig(t, nil)
	a, b := r.dial("ALICE").login().character(), r.dial("BOB").login().character()
	moved := r.stored(b.guid)
	moved.Map, moved.Version = 2, moved.Version+1
	if err := r.store.SaveCharacter(t.Context(), moved); err != nil {
		t.Fatal(err)
	}
	before := r.stored(a.guid)
	a.enter()
	b.enter()

	w := r.worlds[1]
	w.mu.Lock() // it steps no more
	t.Cleanup(w.mu.Unlock)
	w.port.Stop()
	a.ended()
	r.closed(MapPanic, 1)
	until(t, "the account is free", func() bool { return r.gate.roster.count() == 1 })
	if after := r.stored(a.guid); !reflect.DeepEqual(after, before) {
		t.Errorf("stored %+v, entered with %+v", after, before)
	}

	again := r.dial("ALICE").login()
	again.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	if got := again.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoWorld) {
		t.Errorf("refused with %#x, want %#x", got[0], msg.LoginNoWorld)
	}
	b.say(msg.OpMoveHeartbeat, &msg.Move{Mover: b.guid, Movement: msg.Movement{X: 1}})
	b.say(msg.OpPlayerLogout, &msg.Empty{})
	b.expect(msg.OpLogoutComplete)
	until(t, "the other player is saved", func() bool { return r.stored(b.guid).X == moved.X+1 })
}

// TestMovedWorld has a world end in order, for another process to have it. The connections of its players are closed for that reason, and what is
// stored of them is what they entered with.
func TestMovedWorld(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character()
	before := r.stored(a.guid)
	a.enter()
	w := r.worlds[1]
	w.mu.Lock() // it steps no more
	t.Cleanup(w.mu.Unlock)
	w.port.Move()
	a.ended()
	r.closed(WorldMoved, 1)
	until(t, "the account is free", func() bool { return r.gate.roster.count() == 0 })
	if after := r.stored(a.guid); !reflect.DeepEqual(after, before) || r.metric.Value("closed."+MapPanic) != 0 {
		t.Errorf("stored %+v, entered with %+v; %d are closed as if it had failed", after, before, r.metric.Value("closed."+MapPanic))
	}
}
