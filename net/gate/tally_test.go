package gate

import (
	"testing"

	"muster/net/msg"
)

// Packets are counted by name both ways, those that nobody knows together, and queues by player.
func TestPacketsAreCounted(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	a.say(0x51E, &msg.Empty{})
	a.say(msg.OpNameQuery, &msg.NameQuery{GUID: a.guid})
	a.expect(msg.OpNameQueryResponse)
	var counted map[string]uint64
	until(t, "all is counted", func() bool {
		counted = make(map[string]uint64)
		r.gate.Packets(func(_ msg.Direction, name string, n uint64) { counted[name] += n })
		return counted["CMSG_NAME_QUERY"] == 1
	})
	for name, n := range map[string]uint64{
		"CMSG_AUTH_SESSION": 1, "SMSG_AUTH_CHALLENGE": 1, "SMSG_AUTH_RESPONSE": 1, "SMSG_NAME_QUERY_RESPONSE": 1, Unknown: 1,
	} {
		if counted[name] != n {
			t.Errorf("%s is counted %d times, want %d", name, counted[name], n)
		}
	}
	queues := 0
	r.gate.Queues(func(bytes int) { queues++ })
	if queues != 1 {
		t.Errorf("%d players have a queue, want 1", queues)
	}
}
