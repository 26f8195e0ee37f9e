package gateway

import (
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// ringFrames is how many frames of a world stay readable, also while the next one is written: after two more, the first
// of them is gone.
//
// Source: docs/frames.md, lag.
const ringFrames = 80

// notice is a packet of 14 bytes to all, that no later one supersedes.
func (b *bench) notice(d *frame.Builder) {
	d.Bytes = wire.AppendServerHeader(d.Bytes, msg.OpNotification, 10)
	d.Bytes = append(d.Bytes, "123456789\x00"...)
	d.AddDelta(b.home, frame.Events, d.Cut())
}

// A client that has not taken all of its last flush is sent nothing more, and its cursor waits. When the first frame that
// it needs is overwritten it is closed as a slow reader, and not while that is readable.
func TestRingOverrunsUnsent(t *testing.T) {
	b := newBench(t, 1, 1)
	c := b.loop.players[1]
	c.rest = []byte{1}
	for n := range ringFrames {
		b.step(b.notice)
		if len(b.loop.marked) > 0 || b.read(0) != 0 {
			t.Fatalf("after %d frames the client is closed for %q, or was sent more", n+1, c.reason)
		}
	}
	b.step(b.notice)
	b.step(b.notice)
	if len(b.loop.marked) != 1 || c.reason != SlowReader {
		t.Errorf("after %d frames %d clients are closed, this one for %q, want %q", ringFrames+2, len(b.loop.marked), c.reason, SlowReader)
	}
	if n := b.read(0); n != 0 {
		t.Errorf("it was sent %d bytes", n)
	}
}

// A client that takes the rest while the ring has all that it needs gets all of that. One that takes it later is closed,
// and not sent what is left.
func TestRestIsTaken(t *testing.T) {
	for after, want := range map[int]int{1: 2 * 14, ringFrames - 1: ringFrames * 14, ringFrames + 1: 0} {
		b := newBench(t, 1, 1)
		c := b.loop.players[1]
		c.rest = []byte{1}
		for range after {
			b.step(b.notice)
		}
		c.rest = nil
		b.step(b.notice)
		if n := b.read(0); n != want || len(b.loop.marked) > 0 != (want == 0) {
			t.Errorf("after %d frames sent %d bytes, want %d; %d clients are closed", after, n, want, len(b.loop.marked))
		}
	}
}

// The exchange of a world in another process is full when a quarter of its ring waits to be flushed to the players of a loop, and not any more when it is
// flushed, or there are none. A client that lags behind the flushes does not matter, so it is overrun as before.
func TestUnflushedFramesFillTheExchange(t *testing.T) {
	b := newBench(t, 2, 1)
	b.loop.players[1].rest = []byte{1}
	publish := func(n int) {
		for range n {
			b.tick++
			f := b.port.Write()
			b.builder.Build(f, b.tick)
			b.port.Publish(f)
		}
	}
	full := func(want bool) {
		t.Helper()
		if got := b.port.Full(); got != want {
			t.Errorf("with tick %d, of which %d is flushed, it is full: %v, want %v", b.port.Newest(), b.port.Flushed(), got, want)
		}
	}
	publish(ringFrames/4 - 1)
	full(false)
	publish(1)
	full(true)
	b.loop.flushAll()
	full(false)
	publish(ringFrames / 4)
	full(true)
	b.loop.players[1].detach()
	full(true)
	b.loop.players[2].detach()
	full(false)
}
