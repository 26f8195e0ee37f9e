package session

import (
	"slices"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestTravel: NEW_WORLD, and after WORLDPORT_ACK the way into a world again, by the bytes of protocol.md 4.3.
func TestTravel(t *testing.T) {
	c := newClient(t)
	c.enter()
	got := c.do(func(t *Turn) {
		c.session.Travel(t, &msg.Place{Map: 571, Position: wire.Vec3{X: 100, Y: -200, Z: 30}, Orientation: 1.5})
	})
	if want := []string{"SMSG_NEW_WORLD 3b020000" + "0000c842" + "000048c3" + "0000f041" + "0000c03f"}; !slices.Equal(got, want) {
		t.Fatalf("sent %q, want %q", got, want)
	}
	c.is(msg.Transfer)
	c.items = nil
	c.say(msg.OpMoveStop, &msg.Move{Mover: alice.GUID})
	if len(c.items) != 0 || c.metric.Value(WrongState) != 1 {
		t.Errorf("its last steps went to %v, and %d were counted", c.items, c.metric.Value(WrongState))
	}
	if got := c.say(msg.OpMoveWorldportAck, &msg.Empty{}); len(got) != 0 {
		t.Errorf("sent %q", got)
	}
	if want := (Request{Kind: EnterWorld, GUID: alice.GUID}); c.turn.Asked.Kind != want.Kind || c.turn.Asked.GUID != want.GUID {
		t.Fatalf("asks %+v", c.turn.Asked)
	}
	c.is(msg.Entering)
	c.answer(Answer{Character: alice})
	c.session.Entered()
	c.is(msg.World)
}

// TestTravelFails: a character that cannot enter the other map is back among the others of its account.
func TestTravelFails(t *testing.T) {
	c := newClient(t)
	c.enter()
	c.do(func(t *Turn) { c.session.Travel(t, &msg.Place{Map: 571}) })
	c.say(msg.OpMoveWorldportAck, &msg.Empty{})
	got := c.answer(Answer{Outcome: NoWorld})
	if want := []string{"SMSG_CHARACTER_LOGIN_FAILED 4e"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	c.is(msg.Select)
	if c.session.Character().GUID != 0 {
		t.Error("it still plays a character")
	}
	if c.do(func(t *Turn) { c.session.Travel(t, &msg.Place{}) }); c.session.State() != msg.Select {
		t.Error("travel from the character screen is accepted")
	}
}
