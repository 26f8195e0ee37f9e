package session

import (
	"testing"
	"unsafe"

	"muster/net/protocol/msg"
)

// memory is what a session keeps, in bytes.
func memory(s *Session) int {
	return int(unsafe.Sizeof(*s)) + cap(s.unread) + cap(s.hello.AddonBlock) + len(s.hello.Account) + len(s.awayText) + len(s.character.Name)
}

// TestMemory has a session keep as much as it can be made to: while its key is looked for, while an answer is open, and
// while a class of messages waits.
func TestMemory(t *testing.T) {
	fill := func(c *client) (most int) {
		for n := 0; c.turn.Close == ""; n++ {
			c.feed(make([]byte, MaxFeed))
			most = max(most, memory(c.session))
			if n > 100 {
				t.Fatal("it keeps everything")
			}
		}
		return most
	}
	fresh, in, waits := newClient(t), newClient(t), newClient(t)
	fresh.do(fresh.session.Greet)
	m := hello()
	m.AddonSize, m.AddonBlock = 1, make([]byte, 10_000)
	fresh.say(msg.OpAuthSession, m)
	in.login()
	in.say(msg.OpCharEnumQuery, &msg.Empty{})
	waits.login()
	for range Rates[Bulk].PerSecond + 1 {
		waits.feed(waits.packet(msg.OpRequestAccountData, &msg.RequestAccountData{Cache: 1}))
	}
	for name, c := range map[string]*client{"its key is looked for": fresh, "an answer is open": in, "a class waits": waits} {
		if most := fill(c); most < maxUnread || most > MaxMemory {
			t.Errorf("while %s: %d bytes are kept, at most %d may be", name, most, MaxMemory)
		}
	}
}
