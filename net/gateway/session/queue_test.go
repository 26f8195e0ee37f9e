package session

import (
	"slices"
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// waiting brings a client to a place in the queue, and returns what it was sent.
func (c *client) waiting(place int) []string {
	c.waits = true
	c.do(c.session.Greet)
	c.say(msg.OpAuthSession, hello())
	c.answer(Answer{Account: 3, Key: testKey, Expansion: 2})
	if c.turn.Asked.Kind != TakePlace {
		c.t.Fatalf("asks %+v", c.turn.Asked)
	}
	return c.answer(Answer{Place: place})
}

// TestQueue waits, and is let in, with the bytes of protocol.md 2.3.
func TestQueue(t *testing.T) {
	c := newClient(t)
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Fatalf("%s: got %q, want %q", what, got, want)
		}
	}
	expect("first", c.waiting(17), "SMSG_AUTH_RESPONSE 1b"+"00000000"+"00"+"00000000"+"02"+"11000000"+"00")
	c.is(msg.Queued)
	expect("ping", c.say(msg.OpPing, &msg.Ping{Sequence: 9}), "SMSG_PONG 09000000")
	expect("keep alive", c.say(msg.OpKeepAlive, &msg.Empty{}))
	expect("update", c.do(func(t *Turn) { c.session.Advance(t, 16) }), "SMSG_AUTH_RESPONSE 1b"+"10000000"+"00")
	expect("a waiting client gets no list", c.say(msg.OpCharEnumQuery, &msg.Empty{}))
	if c.turn.Asked.Kind != Nothing || c.metric.Value(WrongState) != 1 || c.turn.Close != "" {
		t.Errorf("asks %+v, closed for %q", c.turn.Asked, c.turn.Close)
	}
	expect("its turn", c.do(func(t *Turn) { c.session.Advance(t, 0) }),
		"SMSG_AUTH_RESPONSE 0c",
		"SMSG_ADDON_INFO 00000000",
		"SMSG_CLIENTCACHE_VERSION 01000000",
		"SMSG_TUTORIAL_FLAGS "+strings.Repeat("ff", 32))
	c.is(msg.Select)
	expect("it is in", c.do(func(t *Turn) { c.session.Advance(t, 3) }))
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	expect("its list", c.answer(Answer{}), "SMSG_CHAR_ENUM 00")
}

// TestQueueFull is refused with an answer.
func TestQueueFull(t *testing.T) {
	c := newClient(t)
	c.waits = true
	c.do(c.session.Greet)
	c.say(msg.OpAuthSession, hello())
	c.answer(Answer{Account: 3, Key: testKey})
	if said := c.answer(Answer{Outcome: Full}); !slices.Equal(said, []string{"SMSG_AUTH_RESPONSE 0e"}) || c.turn.Close != QueueFull {
		t.Errorf("said %q, closed for %q", said, c.turn.Close)
	}
}
