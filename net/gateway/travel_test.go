package gateway

import (
	"bytes"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// travel has a client in a world sent to the other map, as far as the loading screen.
func (c *testClient) travel() (to msg.Place) {
	c.t.Helper()
	c.say(opTravel, &msg.Move{Mover: c.guid})
	c.expect(msg.OpTransferPending)
	if err := msg.Decode(wire.V12340, c.expect(msg.OpNewWorld), &to); err != nil {
		c.t.Fatal(err)
	}
	return to
}

// TestTravel sends a player to another map and back: by the packets of protocol.md 4.3, and on the same connection.
func TestTravel(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	for i, on := range []uint32{2, 1} {
		want := msg.Place{Map: on, Position: wire.Vec3{Y: float32(i + 1)}}
		if to := a.travel(); to != want {
			t.Errorf("sent to %+v, want %+v", to, want)
		}
		until(t, "the gateway knows", func() bool { return r.gate.Stats().Transfer == 1 })
		a.say(msg.OpMoveStop, &msg.Move{Mover: a.guid}) // its last steps, out of place
		a.say(msg.OpMoveWorldportAck, &msg.Empty{})
		a.expect(msg.OpTimeSyncReq)
		until(t, "it is in the world", func() bool { return r.gate.Stats().World == 1 })
		if n := r.worlds[on].count(); n != 1 {
			t.Errorf("%d players are on map %d", n, on)
		}
		if c := r.stored(a.guid); c.Map != on || c.Y != float32(i+1) {
			t.Errorf("stored on map %d at y = %v", c.Map, c.Y)
		}
	}
	b := r.dial("BOB").login().character().enter()
	stop := msg.Move{Mover: a.guid, Movement: msg.Movement{Time: 5}}
	a.say(msg.OpMoveStop, &stop)
	if got, want := b.expect(msg.OpMoveStop), msg.Append(nil, wire.V12340, &stop); !bytes.Equal(got, want) {
		t.Errorf("saw % x, want % x", got, want)
	}
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	until(t, "it is saved", func() bool { return r.stored(a.guid).Version == 4 })
}

// TestReplacedWhileTravelling: the account logs in a second time while its player is between two maps. It finds
// its character at its destination. FAULTS.md row 17.
func TestReplacedWhileTravelling(t *testing.T) {
	r := newRig(t, nil)
	first := r.dial("ALICE").login().character().enter()
	first.travel()
	second := r.dial("ALICE").login()
	first.ended()
	r.closed(Replaced, 1)
	second.character().enter()
	if n, m := r.worlds[1].count(), r.worlds[2].count(); n != 0 || m != 1 {
		t.Errorf("%d players on the first map and %d on the second", n, m)
	}
	if c := r.stored(second.guid); c.Map != 2 || c.Y != 1 || c.Version != 2 {
		t.Errorf("stored on map %d at y = %v as version %d", c.Map, c.Y, c.Version)
	}
}

// TestTravelToNowhere: the map to which a player travels has ended meanwhile. The player is back on the
// character screen, and nothing of it is lost.
func TestTravelToNowhere(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	w := r.worlds[2]
	w.mu.Lock() // it steps no more
	t.Cleanup(w.mu.Unlock)
	w.port.Stop()
	until(t, "the gateway knows", func() bool {
		r.gate.roster.mu.Lock()
		defer r.gate.roster.mu.Unlock()
		return r.gate.linkOf(2).ended
	})
	a.travel()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginNoWorld) {
		t.Errorf("refused with %#x, want %#x", got[0], msg.LoginNoWorld)
	}
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	if n := len(a.list()); n != 1 {
		t.Errorf("%d characters", n)
	}
	if c := r.stored(a.guid); c.Map != 2 || c.Version != 2 {
		t.Errorf("stored on map %d as version %d", c.Map, c.Version)
	}
}

// TestKick: a world asks for a connection to be closed. The player is saved as after any other end.
func TestKick(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	b := r.dial("BOB").login().character().enter()
	a.say(opCheat, &msg.Move{Mover: a.guid})
	a.ended()
	r.closed("cheat", 1)
	until(t, "it is saved", func() bool { return r.stored(a.guid).Version == 2 })
	b.say(msg.OpPlayerLogout, &msg.Empty{})
	b.expect(msg.OpLogoutComplete)
}
