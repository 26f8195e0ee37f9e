package gateway

import (
	"testing"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// fill puts packets of one session into an inbox until it takes no more.
func fill(in *frame.Inbox) { fillWith(in, msg.OpChatMessage) }

func fillWith(in *frame.Inbox, op uint16) {
	for n := 0xFFFF; n >= 0; n /= 2 {
		for in.Add(frame.Item{Session: 99, Op: op, Body: make([]byte, n)}) == nil {
		}
		if n == 0 {
			return
		}
	}
}

// TestFullInboxes has a world that does not read while packets fill its inbox and the loop's: a player that
// leaves then is out when it reads again, and its number is not used before. A player that enters then enters.
func TestFullInboxes(t *testing.T) {
	b := newBench(t, 1, 2)
	g, w := b.gate, &b.loop.watches[0]
	fill(&w.inbox)
	b.loop.post()
	fill(&w.inbox)

	goes := b.loop.players[1].player
	goes.conn.takeOut()
	goes.conn.detach()
	comes := &player{conn: goes.conn, account: 2, guid: 2, worldLink: g.worldLinks()[0]}
	comes.character.GUID = 2
	comes.conn.arrive(comes, session.Done)
	if comes.session != 2 {
		t.Errorf("the number %d was given out", comes.session)
	}

	if goes.settled != 0 {
		t.Error("the number of the leaving player is free before the world has its leave")
	}

	b.port.Take(new(frame.Inbox))
	b.loop.post()
	if goes.settled != detached {
		t.Errorf("the leaving player is settled as %b, want %b", goes.settled, detached)
	}
	var in frame.Inbox
	var ops []uint16
	b.port.Take(&in)
	for i := range in.Len() {
		if it := in.At(i); it.Session != 99 {
			ops = append(ops, it.Op)
		}
	}
	if len(ops) != 2 || ops[0] != frame.OpLeave || ops[1] != frame.OpEnter {
		t.Errorf("the world was sent %#x, want %#x and %#x", ops, frame.OpLeave, frame.OpEnter)
	}
}

// A player that cannot be resumed, since its world reads nothing, and whose account another gateway wants, is taken out of the world.
func TestWantedPlayerIsNotResumed(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		b := newBench(t, 1, 2)
		w, p := &b.loop.watches[0], b.loop.players[1].player
		p.conn.detach()
		b.gate.roster.players[p.account], p.wanted = p, wanted
		fillWith(&w.inbox, frame.OpCommand)
		b.loop.post()
		fillWith(&w.inbox, frame.OpCommand)
		p.conn.resumePlayer(p)
		b.loop.readMail()
		if n := b.gate.config.Metric.Value(InboxFull); n != 1 {
			t.Errorf("%d packets did not fit, want 1", n)
		}
		b.port.Take(new(frame.Inbox))
		b.loop.post()
		var in frame.Inbox
		b.port.Take(&in)
		leaves := 0
		for i := range in.Len() {
			if it := in.At(i); it.Session == p.session && it.Op == frame.OpLeave {
				leaves++
			}
		}
		if want := map[bool]int{true: 1}[wanted]; leaves != want {
			t.Errorf("wanted elsewhere %t: it leaves %d times, want %d", wanted, leaves, want)
		}
	}
}

// TestFloodOfBytes has a client with more input for its world than it may have from one tick to the
// next.
func TestFloodOfBytes(t *testing.T) {
	b := newBench(t, 1, 2)
	c, metric := b.loop.players[1], b.gate.config.Metric
	said := func() (bytes int) {
		var in frame.Inbox
		b.loop.post()
		b.port.Take(&in)
		for i := range in.Len() {
			bytes += len(in.At(i).Body)
		}
		return bytes
	}
	for round := range uint64(3) {
		for range 20 {
			c.pass([]session.Item{{Op: msg.OpChatMessage, Body: make([]byte, 4<<10)}})
		}
		if n := metric.Value(session.Flood); n != 4*(round+1) {
			t.Errorf("round %d: %d packets were dropped so far, want %d", round, n, 4*(round+1))
		}
		if n := said(); n != maxPassed {
			t.Errorf("round %d: the world got %d bytes, want %d", round, n, maxPassed)
		}
		b.step(nil)
	}
}
