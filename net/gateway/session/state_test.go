package session

import (
	"fmt"
	"testing"

	"muster/net/protocol/msg"
)

// states brings a client into each state.
var states = []struct {
	state msg.State
	reach func(*client)
}{
	{msg.Fresh, func(*client) {}},
	{msg.Queued, func(c *client) { c.waiting(1) }},
	{msg.Select, (*client).login},
	{msg.Entering, func(c *client) {
		c.login()
		c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: alice.GUID})
		c.answer(Answer{Character: alice})
	}},
	{msg.World, (*client).enter},
	{msg.Transfer, func(c *client) {
		c.enter()
		c.do(func(t *Turn) { c.session.Travel(t, &msg.Place{Map: 2}) })
	}},
}

// TestMatrix sends every opcode in every state, with a body that is right where there is one. Nothing but
// rows for a world, in a state that their row allows, may reach it; FAULTS.md row 10.
func TestMatrix(t *testing.T) {
	cells, toWorld := 0, 0
	for _, s := range states {
		for op := uint16(0); op < noOpcode; op++ {
			cells++
			c := newClient(t)
			s.reach(c)
			c.is(s.state)
			row := msg.Lookup(msg.ToServer, uint32(op))
			var body msg.Message = &msg.Empty{}
			switch {
			case row == nil:
			case op == msg.OpAuthSession:
				body = hello()
			default:
				body = row.New()
				switch m := body.(type) {
				case *msg.Move:
					m.Mover = alice.GUID
				case *msg.ChatMessage:
					*m = msg.ChatMessage{Type: uint32(msg.ChatSay), Text: "hello"}
				}
			}
			c.say(op, body)
			got := outcome(c)
			want := wanted(s.state, op, row)
			if got != want {
				t.Errorf("%#x in state %#x: %s, want %s", op, s.state, got, want)
			}
			if got == "to the world" {
				toWorld++
			}
		}
	}
	t.Logf("%d opcodes in %d states: %d cells, %d of them let through to the world", noOpcode, len(states), cells, toWorld)
}

// outcome is the result of the one packet that was sent.
func outcome(c *client) string {
	switch {
	case c.turn.Close != "":
		return "closed for " + c.turn.Close
	case len(c.items) > 0:
		return "to the world"
	}
	for _, reason := range []string{Flood, UnknownOpcode, WrongState, BadBody, LongBody, ForeignMover} {
		if c.metric.Value(reason) > 0 {
			return reason
		}
	}
	return "heard"
}

// wanted is the state table, written another way than the code does it.
func wanted(s msg.State, op uint16, row *msg.Row) string {
	if s == msg.Fresh {
		if op == msg.OpAuthSession || op == msg.OpPing {
			return "heard"
		}
		return "closed for " + BeforeLogin
	}
	if row == nil {
		return UnknownOpcode
	}
	if op == msg.OpAuthSession {
		return "closed for " + SecondLogin
	}
	if row.Allowed&s == 0 {
		return WrongState
	}
	switch op { // queries end in the session, whatever route they have
	case msg.OpNameQuery, msg.OpCreatureQuery, msg.OpGameObjectQuery:
		return "heard"
	}
	if row.Route == msg.ToWorld {
		return "to the world"
	}
	return "heard"
}

// TestHandlers shows that every message for a session has a handler.
func TestHandlers(t *testing.T) {
	for i := range msg.Table {
		r := &msg.Table[i]
		if r.Direction&msg.ToServer != 0 && r.Route == msg.ToSession && handlers[r.Op] == nil {
			t.Errorf("%s has no handler", r.Name)
		}
	}
}

// TestOutOfWorld has the requests that fail on the way into a world.
func TestOutOfWorld(t *testing.T) {
	for outcome, want := range map[Outcome]string{NotFound: "53", NoWorld: "4e", Failed: "51"} {
		c := newClient(t)
		c.login()
		c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: 99})
		if got, want := fmt.Sprint(c.answer(Answer{Outcome: outcome})), "[SMSG_CHARACTER_LOGIN_FAILED "+want+"]"; got != want {
			t.Errorf("outcome %d: said %s, want %s", outcome, got, want)
		}
		c.is(msg.Select)
	}
	c := newClient(t)
	c.login()
	c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: alice.GUID})
	c.answer(Answer{Character: alice})
	if got := fmt.Sprint(c.do(c.session.Left)); got != "[SMSG_CHARACTER_LOGIN_FAILED 51]" {
		t.Errorf("refused by the world: said %s", got)
	}
	c.is(msg.Select)
}

// TestNoList has a store that cannot list characters. An empty list would have the client make another.
func TestNoList(t *testing.T) {
	c := newClient(t)
	c.login()
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	if said := c.answer(Answer{Outcome: Failed}); len(said) > 0 || c.turn.Close != Busy {
		t.Errorf("said %s and closed for %q, want nothing and %q", said, c.turn.Close, Busy)
	}
}

// TestCreated has a code for each outcome.
func TestCreated(t *testing.T) {
	for outcome, code := range map[Outcome]string{
		Done: "2f", Failed: "31", Taken: "32", TooMany: "36", Full: "35", Unplayable: "3e",
		NameMissing: "59", NameLetters: "5c", NameShort: "5a", NameLong: "5b",
	} {
		c := newClient(t)
		c.login()
		c.say(msg.OpCharCreate, &msg.CharCreate{Name: "x"})
		if got, want := fmt.Sprint(c.answer(Answer{Outcome: outcome})), "[SMSG_CHAR_CREATE "+code+"]"; got != want {
			t.Errorf("outcome %d: said %s, want %s", outcome, got, want)
		}
	}
	c := newClient(t)
	c.login()
	c.say(msg.OpCharDelete, &msg.CharDelete{GUID: 8})
	if got := fmt.Sprint(c.answer(Answer{Outcome: NotFound})); got != "[SMSG_CHAR_DELETE 48]" {
		t.Errorf("not deleted: said %s", got)
	}
}
