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
