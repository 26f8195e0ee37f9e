package gateway

import (
	"testing"

	"muster/net/protocol/msg"
)

// Packets are counted by name both ways, unknown ones together, and queues by player.
func TestPacketsAreCounted(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	a.say(0x51E, &msg.Empty{})
	a.say(msg.OpNameQuery, &msg.NameQuery{GUID: a.guid})
	a.expect(msg.OpNameQueryResponse)
	for _, name := range []string{
		"CMSG_NAME_QUERY", "CMSG_AUTH_SESSION", "SMSG_AUTH_CHALLENGE", "SMSG_AUTH_RESPONSE", "SMSG_NAME_QUERY_RESPONSE", Unknown,
	} {
		counted := uint64(0)
		until(t, name+" is counted", func() bool { // loops report their counts when they have nothing else to do
			counted = 0
			r.gate.Packets(func(_ msg.Direction, of string, n uint64) {
				if of == name {
					counted += n
				}
			})
			return counted > 0
		})
		if counted != 1 {
			t.Errorf("%s is counted %d times, want 1", name, counted)
		}
	}
	queues := 0
	r.gate.Queues(func(bytes int) { queues++ })
	if queues != 1 {
		t.Errorf("%d players have a queue, want 1", queues)
	}
}

// What a session has received and sent is its own, to the byte, and its name is known while it is in a world.
func TestBytesOfSessions(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	online := func() OnlinePlayer { return r.gate.OnlinePlayers()[0] }
	until(t, "all that was sent is of the one session", func() bool { return online().Out > 0 && online().Out == r.gate.Stats().Bytes })
	before := online().In
	a.say(msg.OpNameQuery, &msg.NameQuery{GUID: a.guid})
	a.expect(msg.OpNameQueryResponse)
	if got := online().In - before; got != 6+8 { // a header, and a GUID
		t.Errorf("a query of 14 bytes counts %d", got)
	}
	if p := online(); p.Queued != 0 || p.Waits != 0 {
		t.Errorf("one that reads has %d bytes that wait for %v", p.Queued, p.Waits)
	}
	if name := r.gate.NameOf(a.guid); name == "" || name != online().Name || r.gate.NameOf(a.guid+1) != "" {
		t.Errorf("it is called %q", name)
	}
}
