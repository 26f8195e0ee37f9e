package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// sayAt sends n packets of an opcode at one moment, each of them in its own drain. The session's requests are
// answered.
func (c *client) sayAt(at time.Duration, n int, op uint16, m msg.Message) {
	for range n {
		b := c.packet(op, m)
		c.turn.Begin(testNow.Add(at), c.turn.Drain+1)
		c.session.Feed(&c.turn, b)
		c.gather()
		if c.turn.Asked.Kind != Nothing {
			c.turn.Begin(testNow.Add(at), c.turn.Drain)
			c.session.Answer(&c.turn, &Answer{})
			c.gather()
		}
	}
}

// TestRates sends each class as much as it may have in a second, twice, and then one more. FAULTS.md row 16.
func TestRates(t *testing.T) {
	messages := map[Class]struct {
		op uint16
		m  msg.Message
	}{
		Plain:   {msg.OpKeepAlive, &msg.Empty{}},
		Strange: {0x51E, &msg.Empty{}},
		Often:   {msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID}},
		Rare:    {msg.OpCharEnumQuery, &msg.Empty{}},
		Few:     {msg.OpCharDelete, &msg.CharDelete{}},
		Use:     {msg.OpGameObjectUse, &msg.GameObjectUse{}},
		Bulk:    {msg.OpUpdateAccountData, &msg.UpdateAccountData{Cache: caches}},
	}
	for class := range Class(Classes) {
		m, rate := messages[class], Rates[class]
		if got := ClassOf(m.op); got != class {
			t.Errorf("%#x is %s, want %s", m.op, Rates[got].Name, rate.Name)
		}
		for _, policy := range []Policy{Keep, Process, Drop, Throttle, Kick, Ban} {
			c := newClient(t)
			c.config().Policies[class] = policy
			if c.enter(); class == Rare || class == Few {
				c = newClient(t)
				c.config().Policies[class] = policy
				c.login()
			}
			c.session.pace = pace{} // what the login took
			name := fmt.Sprintf("%s, policy %v", rate.Name, policy)
			for second := range 2 {
				c.sayAt(time.Duration(second)*time.Second, rate.PerSecond, m.op, m.m)
			}
			if n := c.metric.Value("flood." + rate.Name); n != 0 || c.turn.Close != "" {
				t.Fatalf("%s: %d in a second are too many: counted %d, closed for %q", name, rate.PerSecond, n, c.turn.Close)
			}
			if policy == Keep {
				policy = rate.Policy
			}
			read := c.read
			c.sayAt(1500*time.Millisecond, 1, m.op, m.m)
			used := c.read - read
			if n := c.metric.Value("flood." + rate.Name); n != 1 {
				t.Errorf("%s: counted %d times, want 1", name, n)
			}
			want := map[Policy]string{Kick: Flooded, Ban: FloodBan}[policy]
			if c.turn.Close != want {
				t.Errorf("%s: closed for %q, want %q", name, c.turn.Close, want)
			}
			if policy == Throttle {
				if used != 0 || c.turn.Wait != 500*time.Millisecond {
					t.Errorf("%s: read %d more, and waits %v", name, used, c.turn.Wait)
				}
				c.sayAt(1900*time.Millisecond, 1, msg.OpPing, &msg.Ping{})
				if c.read != read {
					t.Errorf("%s: a ping overtook what waits", name)
				}
				c.turn.Begin(testNow.Add(2*time.Second), c.turn.Drain+1)
				c.session.Resume(&c.turn)
				if c.gather(); c.turn.Asked.Kind != Nothing {
					c.answer(Answer{})
				}
				if used := c.read - read; used != 2 || c.turn.Wait != 0 {
					t.Errorf("%s: read %d when the second was over, want 2", name, used)
				}
			} else if want == "" && used != 1 {
				t.Errorf("%s: read %d more, want 1", name, used)
			}
		}
	}
}

// TestRateOfMovement: a mover is Often, however it moves; what is beyond reaches no world.
func TestRateOfMovement(t *testing.T) {
	c := newClient(t)
	c.config().Policies[Often] = Drop
	c.enter()
	ops := []uint16{msg.OpMoveHeartbeat, msg.OpMoveStartForward, msg.OpMoveStop, msg.OpMoveSetFacing, msg.OpMoveJump}
	for i := range 1000 {
		c.sayAt(0, 1, ops[i%len(ops)], &msg.Move{Mover: alice.GUID})
	}
	if len(c.items) != 200 || c.metric.Value("flood.often") != 800 {
		t.Errorf("%d moves reached the world, and %d were too many, want 200 and 800", len(c.items), c.metric.Value("flood.often"))
	}
}

// TestThrottledInputIsBounded: a client that goes on sending meanwhile is closed.
func TestThrottledInputIsBounded(t *testing.T) {
	c := newClient(t)
	c.enter()
	for n := 0; c.turn.Close == "" && n < 1000; n++ {
		c.sayAt(0, 1, msg.OpUpdateAccountData, &msg.UpdateAccountData{Size: 1, Stream: make([]byte, 1000)})
	}
	if c.turn.Close != TooMuchInput || len(c.session.unread) > maxUnread+2000 {
		t.Errorf("closed for %q with %d bytes unread", c.turn.Close, len(c.session.unread))
	}
}

// TestClosedSessionAsksNothing: what waited for its second makes a request, and too much is behind it. The answer
// must not come in the way of the close.
func TestClosedSessionAsksNothing(t *testing.T) {
	c := newClient(t)
	c.login()
	for range Rates[Bulk].PerSecond + 1 {
		c.say(msg.OpRequestAccountData, &msg.RequestAccountData{Cache: 1})
	}
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	c.feed(make([]byte, maxUnread-100))
	if c.turn.Close != "" {
		t.Fatalf("closed for %q", c.turn.Close)
	}
	c.turn.Begin(testNow.Add(time.Second), c.turn.Drain+1)
	c.session.Feed(&c.turn, make([]byte, MaxFeed))
	if c.turn.Close != TooMuchInput || c.turn.Asked.Kind != Nothing {
		t.Errorf("closed for %q, and asks %+v", c.turn.Close, c.turn.Asked)
	}
}

// TestMute: a player that sends more than ten messages in a second is muted for ten more, and notified
// once.
func TestMute(t *testing.T) {
	c := newClient(t)
	c.enter()
	var sent []string
	say := func(at time.Time) int {
		before := len(c.items)
		b := c.packet(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Text: "a"})
		c.turn.Begin(at, c.turn.Drain+1)
		c.session.Feed(&c.turn, b)
		sent = append(sent, c.gather()...)
		return len(c.items) - before
	}
	now := testNow
	for range 10 {
		if say(now) != 1 {
			t.Fatal("one of ten words was too many")
		}
	}
	if say(now.Add(100*time.Millisecond)) != 0 {
		t.Error("the eleventh word in a second passes")
	}
	if say(now.Add(9*time.Second)) != 0 || say(now.Add(10200*time.Millisecond)) != 1 {
		t.Error("a muted player is not muted for ten seconds")
	}
	if want := "SMSG_NOTIFICATION " + hex([]byte("You must wait 10 seconds before you speak again.\x00")); !slices.Equal(sent, []string{want}) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if n := c.metric.Value(ChatFlood); n != 2 {
		t.Errorf("counted %d, want 2", n)
	}
}

func TestParsePolicies(t *testing.T) {
	got, err := ParsePolicies("rare=ban,often=drop")
	if want := [Classes]Policy{Rare: Ban, Often: Drop}; got != want || err != nil {
		t.Errorf("parsed %v, %v", got, err)
	}
	for _, text := range []string{"rare", "rare=", "none=drop", "rare=drop;often=drop", "rare=no"} {
		if _, err := ParsePolicies(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestRateAfterAGap: what waited while the owner read nothing is not too much for the second in which it is read, up to
// a bound; in the next second the rate is what it always is.
func TestRateAfterAGap(t *testing.T) {
	for _, g := range []struct {
		lag   time.Duration
		times int
	}{{0, 1}, {999 * time.Millisecond, 1}, {20500 * time.Millisecond, 21}, {time.Hour, 61}} {
		c := newClient(t)
		c.enter()
		move := func(at time.Duration) bool {
			b := c.packet(msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID})
			c.turn.Begin(testNow.Add(at), c.turn.Drain+1)
			if at < 2*time.Hour+time.Second {
				c.turn.Lag = g.lag
			}
			c.session.Feed(&c.turn, b)
			return c.turn.Close == ""
		}
		for i := range 200 * g.times {
			if !move(2 * time.Hour) {
				t.Fatalf("after %v move %d closes for %q", g.lag, i+1, c.turn.Close)
			}
		}
		for range 200 {
			if !move(2*time.Hour + time.Second) {
				t.Fatalf("after %v the next second closes for %q", g.lag, c.turn.Close)
			}
		}
		if move(2*time.Hour+1900*time.Millisecond) || c.turn.Close != Flooded {
			t.Errorf("after %v the 201st move of the next second closes for %q", g.lag, c.turn.Close)
		}
	}
	c := newClient(t)
	c.enter()
	c.turn.Begin(testNow, c.turn.Drain)
	for i := range 200*21 + 1 {
		b := c.packet(msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID})
		c.turn.Begin(testNow.Add(time.Hour), c.turn.Drain+1)
		c.turn.Lag = 20 * time.Second
		if c.session.Feed(&c.turn, b); (c.turn.Close != "") != (i == 200*21) {
			t.Fatalf("move %d after a gap of 20 s closes for %q", i+1, c.turn.Close)
		}
	}
}
