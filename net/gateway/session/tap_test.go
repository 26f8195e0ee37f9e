package session

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A notebook is a tap that keeps all.
type notebook struct{ seen []string }

func (n *notebook) Read(op uint32, body []byte) {
	n.seen = append(n.seen, fmt.Sprintf("read %#x % x", op, body))
}

func (n *notebook) Sent(packets []byte) {
	if len(packets) > 0 {
		n.seen = append(n.seen, fmt.Sprintf("sent % x", packets))
	}
}

// A tap can be shown CMSG_AUTH_SESSION while the key is looked for, and is shown each packet from then on with plain headers,
// also one that is dropped, and nothing after it is taken away: then neither reading nor sending allocates.
func TestTap(t *testing.T) {
	c := newClient(t)
	var n notebook
	c.do(c.session.Greet)
	m := msg.AuthSession{Build: uint32(build), Account: "alice", Realm: 1, ClientSeed: testClientSeed, Digest: [20]byte{1, 2}}
	body := msg.Append(nil, build, &m)
	c.say(msg.OpAuthSession, &m)
	c.session.Follow(&n)
	c.session.ShowLogin(&n)
	if want := []string{fmt.Sprintf("read 0x1ed % x", body)}; !slices.Equal(n.seen, want) {
		t.Errorf("the login is seen as %q, want %q", n.seen, want)
	}

	c = newClient(t)
	c.enter()
	n = notebook{}
	c.session.Follow(&n)
	c.session.ShowLogin(&n) // it has been answered
	c.say(msg.OpPing, &msg.Ping{Sequence: 3})
	c.say(0x54, &msg.Empty{})
	want := []string{"read 0x1dc 03 00 00 00 00 00 00 00", "sent 00 06 dd 01 03 00 00 00", "read 0x54 "}
	if !slices.Equal(n.seen, want) {
		t.Errorf("seen are %q, want %q", n.seen, want)
	}

	c.session.Follow(nil)
	beat := msg.ClientPacket(nil, build, msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID})
	packet, now := make([]byte, len(beat)), testNow
	plain := bytes.Repeat(msg.Packet(nil, build, msg.OpMoveHeartbeat, &msg.Move{Mover: 9}), 50)
	flush := make([]byte, len(plain))
	if allocs := testing.AllocsPerRun(200, func() {
		copy(packet, beat)
		c.toServer.XOR(packet[:wire.ClientHeaderLen])
		now = now.Add(20 * time.Millisecond)
		c.turn.Begin(now, c.turn.Drain+1)
		c.session.Feed(&c.turn, packet)
		copy(flush, plain)
		c.session.Seal(flush, nil)
	}); allocs != 0 || len(n.seen) != len(want) {
		t.Errorf("%v allocations after the tap is taken away, and %d packets are seen", allocs, len(n.seen))
	}
}
