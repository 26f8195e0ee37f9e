package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// TestHeaders has FAULTS.md row 9: the sizes and opcodes that end a connection, and those that do not.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		size   uint16
		op     uint32
		reason string
	}{
		{0, msg.OpPing, BadHeader}, {3, msg.OpPing, BadHeader}, {10240, msg.OpPing, BadHeader}, {65535, msg.OpPing, BadHeader},
		{4, 0x51F, BadHeader}, {4, 0xFFFF, BadHeader}, {4, 0x10037, BadHeader}, {4, 0xFFFFFFFF, BadHeader},
		{4, msg.OpKeepAlive, ""}, {4, 0x51E, ""}, {4, 0, ""}, {10239, 0x51E, ""},
	} {
		client := newClient(t)
		client.login()
		header := wire.AppendClientHeader(nil, c.op, int(c.size)-4)
		client.feed(client.encrypt(append(header, make([]byte, 10239)...)[:max(6, 2+int(min(c.size, 10239)))]))
		if client.turn.Close != c.reason {
			t.Errorf("size %d, opcode %#x: closed for %q, want %q", c.size, c.op, client.turn.Close, c.reason)
		}
	}
}

// TestSplits feeds the same conversation whole, byte by byte, and in random pieces: the result is the
// same.
func TestSplits(t *testing.T) {
	talk := func(cut func(left int) int) (said []string, items []Item) {
		c := newClient(t)
		c.enter()
		var all []byte
		for n := range uint32(20) {
			all = append(all, c.packet(msg.OpPing, &msg.Ping{Sequence: n})...)
			all = append(all, c.packet(msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID, Movement: msg.Movement{Time: n}})...)
			all = append(all, c.packet(msg.OpKeepAlive, &msg.Empty{})...)
		}
		for len(all) > 0 {
			n := min(cut(len(all)), len(all))
			said = append(said, c.feed(bytes.Clone(all[:n]))...)
			all = all[n:]
		}
		return said, c.items
	}
	said, items := talk(func(left int) int { return left })
	if len(said) != 20 || len(items) != 20 {
		t.Fatalf("whole: %d answers and %d items, want 20 of each", len(said), len(items))
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		cut := func(int) int { return 1 + r.IntN(int(1+seed)) } // seed 0: byte by byte
		if s, i := talk(cut); !slices.Equal(s, said) || !reflect.DeepEqual(i, items) {
			t.Fatalf("seed %d: %d answers and %d items", seed, len(s), len(i))
		}
	}
}

// TestWaiting shows that a session with an open question reads on only when it is answered, in order, and
// how much it keeps meanwhile.
func TestWaiting(t *testing.T) {
	c := newClient(t)
	c.login()
	both := append(c.packet(msg.OpCharEnumQuery, &msg.Empty{}), c.packet(msg.OpPing, &msg.Ping{Sequence: 1})...)
	if said := c.feed(both); said != nil {
		t.Fatalf("said %q before the answer", said)
	}
	if said := c.say(msg.OpPing, &msg.Ping{Sequence: 2}); said != nil {
		t.Fatalf("said %q before the answer", said)
	}
	want := []string{"SMSG_CHAR_ENUM 00", "SMSG_PONG 01000000", "SMSG_PONG 02000000"}
	if said := c.answer(Answer{}); !slices.Equal(said, want) {
		t.Fatalf("said %q, want %q", said, want)
	}
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	for range 100 {
		if c.feed(make([]byte, 1000)); c.turn.Close != "" {
			break
		}
	}
	if c.turn.Close != TooMuchInput || len(c.session.unread) > maxUnread+1000 {
		t.Errorf("closed for %q with %d bytes unread", c.turn.Close, len(c.session.unread))
	}
}

// TestFlood shows that what is too much for one drain point is dropped, and that the next has room again.
func TestFlood(t *testing.T) {
	c := newClient(t)
	c.enter()
	var all []byte
	for n := range uint32(200) {
		all = append(all, c.packet(msg.OpPing, &msg.Ping{Sequence: n})...)
	}
	if said := c.feed(all); len(said) != 150 || c.metric.Value(Flood) != 50 || c.turn.Packets != 200 {
		t.Errorf("%d answers to %d packets, %d dropped", len(said), c.turn.Packets, c.metric.Value(Flood))
	}
	if said := c.say(msg.OpPing, &msg.Ping{Sequence: 200}); !slices.Equal(said, []string{"SMSG_PONG c8000000"}) {
		t.Errorf("at the next drain point: said %q", said)
	}
}

// TestBodies has bodies that are too short, too long, or about another mover.
func TestBodies(t *testing.T) {
	c := newClient(t)
	c.enter()
	raw := func(op uint32, body ...byte) {
		c.feed(c.encrypt(append(wire.AppendClientHeader(nil, op, len(body)), body...)))
	}
	expect := func(reason string, n uint64, items int) {
		t.Helper()
		if got := c.metric.Value(reason); got != n || len(c.items) != items || c.turn.Close != "" {
			t.Errorf("%s counted %d times and %d items, want %d and %d", reason, got, len(c.items), n, items)
		}
	}
	raw(msg.OpPing, 1, 2, 3)
	expect(BadBody, 1, 0)
	raw(msg.OpPing, 1, 0, 0, 0, 0, 0, 0, 0, 9)
	expect(LongBody, 1, 0)
	raw(msg.OpMoveHeartbeat)
	expect(BadBody, 2, 0)
	raw(msg.OpMoveHeartbeat, 0xFF, 1)
	expect(BadBody, 3, 0)
	raw(msg.OpMoveHeartbeat, append([]byte{1, 7}, make([]byte, 29)...)...)
	expect(BadBody, 4, 0)
	raw(msg.OpMoveHeartbeat, append([]byte{1, 7}, make([]byte, 30)...)...)
	expect(BadBody, 4, 1)
	raw(msg.OpMoveHeartbeat, append([]byte{1, 8}, make([]byte, 30)...)...)
	expect(ForeignMover, 1, 1)
	raw(msg.OpMoveHeartbeat, append([]byte{0}, make([]byte, 30)...)...)
	expect(ForeignMover, 2, 1)
}

// TestDesync flips a bit of a header: the stream is lost, and the session finds out within a few packets.
func TestDesync(t *testing.T) {
	c := newClient(t)
	c.enter()
	p := c.packet(msg.OpKeepAlive, &msg.Empty{})
	p[0] ^= 0x80
	c.feed(p)
	for n := 0; c.turn.Close == "" && n < 10; n++ {
		c.say(msg.OpKeepAlive, &msg.Empty{})
	}
	if c.turn.Close != BadHeader {
		t.Errorf("closed for %q, want %q", c.turn.Close, BadHeader)
	}
}

// TestAllocations pins what happens for every packet: a heartbeat passes, and a flush is sealed, without
// an allocation.
func TestAllocations(t *testing.T) {
	c := newClient(t)
	c.enter()
	beat := msg.ClientPacket(nil, build, msg.OpMoveHeartbeat, &msg.Move{Mover: alice.GUID})
	packet := make([]byte, len(beat))
	now := testNow
	if n := testing.AllocsPerRun(200, func() {
		copy(packet, beat)
		c.toServer.XOR(packet[:wire.ClientHeaderLen])
		now = now.Add(20 * time.Millisecond)
		c.turn.Begin(now, c.turn.Drain+1)
		c.session.Feed(&c.turn, packet)
		if len(c.turn.Items) != 1 {
			t.Fatal("the heartbeat did not pass")
		}
	}); n != 0 {
		t.Errorf("a heartbeat allocates %v times", n)
	}
	plain := bytes.Repeat(msg.Packet(nil, build, msg.OpMoveHeartbeat, &msg.Move{Mover: 9}), 50)
	flush := make([]byte, len(plain))
	if n := testing.AllocsPerRun(200, func() {
		copy(flush, plain)
		c.session.Seal(flush, nil)
	}); n != 0 {
		t.Errorf("sealing allocates %v times", n)
	}
}

// TestSealRefusesTornPackets: half a packet would put the client's stream out of step for good.
func TestSealRefusesTornPackets(t *testing.T) {
	c := newClient(t)
	c.login()
	defer func() {
		if r := fmt.Sprint(recover()); r != "session: sealing a torn packet" {
			t.Errorf("recovered %q", r)
		}
	}()
	c.session.Seal(msg.Packet(nil, build, msg.OpPong, &msg.Pong{})[:5], nil)
}

// FuzzSession does anything to a session, in any order: it must not panic, not keep more than it may, and
// not send after it is closed.
func FuzzSession(f *testing.F) {
	c := newClient(f)
	c.do(c.session.Greet)
	talk := c.packet(msg.OpAuthSession, hello())
	c.say(msg.OpAuthSession, hello())
	c.answer(Answer{Account: 3, Key: testKey})
	f.Add(append([]byte{byte(len(talk))}, talk...))
	f.Add([]byte{0xF0, 0xF1, 0xF2, 0xF3})
	bulk := []byte{0xF4}
	for range 30 {
		p := msg.ClientPacket(nil, build, msg.OpRequestAccountData, &msg.RequestAccountData{Cache: 1})
		bulk = append(append(bulk, byte(len(p))), p...)
	}
	f.Add(append(bulk, 0xF5, 0xF5))
	for _, m := range []msg.Message{&msg.Empty{}, &msg.PlayerLogin{GUID: 7}} {
		p := msg.ClientPacket(nil, build, msg.OpPlayerLogin, m)
		f.Add(append([]byte{0xF4, 0xF0, byte(len(p))}, append(p, 0xF0, 0xF1, 0xF2)...))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newClient(t)
		var turn Turn
		now := testNow
		for len(script) > 0 {
			act := script[0]
			script = script[1:]
			turn.Begin(now, turn.Drain+uint64(act&1))
			was := c.session.closed
			switch act {
			case 0xF0:
				c.session.Answer(&turn, &Answer{Account: 3, Key: testKey, Character: alice, Characters: []frame.Character{alice}})
			case 0xF1:
				c.session.Entered()
			case 0xF2:
				c.session.Left(&turn)
			case 0xF3:
				c.session.Answer(&turn, &Answer{Outcome: Outcome(len(script) % 12)})
			case 0xF4: // let in, so that the script need not know the key
				if c.session.state == msg.Fresh {
					c.session.state, c.session.account = msg.Select, 3
				}
			case 0xF5:
				now = now.Add(time.Second)
				c.session.Resume(&turn)
			default:
				n := min(int(act), len(script))
				c.session.Feed(&turn, bytes.Clone(script[:n]))
				script = script[n:]
			}
			if was && (len(turn.Items) > 0 || turn.Close != "") {
				t.Fatalf("spoke after it was closed: %+v", turn)
			}
			if len(c.session.unread) > maxUnread+256 {
				t.Fatalf("keeps %d bytes", len(c.session.unread))
			}
			if len(turn.Items) > 0 && c.session.state&(msg.World|msg.Transfer) == 0 {
				t.Fatalf("items in state %#x", c.session.state)
			}
			c.session.Seal(turn.Bytes, nil)
		}
	})
}
