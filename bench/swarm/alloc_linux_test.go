package swarm

import (
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A client in the world that walks, pings and reads what others do allocates nothing.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := socket(pair[0]), socket(pair[1])
	defer theirs.close()
	r, err := newRun(Config{Clients: 1, Behaviour: Walk, Ramp: 1}.withDefaults(), netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()

	const self, other = 100, 101
	c := &r.clients[0]
	c.checker.Reset(r.decoder)
	c.guid, c.stage, c.socket = self, stageEntering, ours
	c.checker.Enter(self)
	hand := func(op uint16, body []byte) { r.packet(c, op, body) }
	hand(0x1EE, []byte{0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2})
	hand(0x236, make([]byte, 20))
	hand(0x0A9, createBlock(&session{guid: self}, true))
	hand(0x0A9, createBlock(&session{guid: other, x: 1}, false))
	if c.stage != stageInWorld {
		t.Fatalf("the client is %v", c.stage)
	}
	c.encrypted = true
	cipher := crypt.ServerToClient(c.key)
	c.fromThem, c.toThem = cipher, crypt.ClientToServer(c.key)
	r.byGUID[other] = 0 // any client: its trail is looked at
	r.measured.from = 1

	sink := make([]byte, 4096)
	var stream []byte
	beat := msg.Move{Mover: other, Movement: msg.Movement{X: 3}}
	// It is made once: under the race detector the pool behind msg.Packet forgets at random.
	packet := msg.Packet(nil, wire.V12340, msg.OpMoveHeartbeat, &beat)
	due := moment(10)
	n := testing.AllocsPerRun(200, func() {
		r.trails[0].add(msg.OpMoveHeartbeat, beat.X, 0, due)
		due++
		stream = stream[:0]
		for range 2 {
			at := len(stream)
			stream = append(stream, packet...)
			cipher.XOR(stream[at : at+wire.ServerHeaderLen])
		}
		if _, err := theirs.write(stream); err != nil {
			t.Error(err)
		}
		r.read(c)
		r.move(c, due)
		r.sendPing(c, due)
		r.timers = r.timers[:0]
		if _, err := theirs.read(sink); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	if tally := c.checker.Violations(); tally.Total() != 0 || r.movement.TotalCount() < 400 || c.stage != stageInWorld {
		t.Errorf("violations %v %q, %d latencies, %v", tally, c.checker.Texts(), r.movement.TotalCount(), c.stage)
	}
}
