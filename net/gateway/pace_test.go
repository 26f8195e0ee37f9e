package gateway

import (
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched/ladder"
)

// TestPaceChanges has steps become longer and flushes rarer, and shorter again. No player misses a packet by it or waits
// for longer than the phases, once all have come, and what must not wait does not.
func TestPaceChanges(t *testing.T) {
	const players = 12
	b := newBench(t, players, 2)
	b.port.Keep, b.port.Longest = frame.MaxRing, 10
	rung := ladder.Rung{Stride: 1, Phases: 2}
	b.gate.config.Pace = func() ladder.Rung { return rung }
	var got, beats [players]int
	var waited [players]int // steps since the last flush
	steps := func(n int) {
		t.Helper()
		for i := range n {
			b.tick += rung.Stride - 1
			most := rung.Phases
			if i < rung.Phases { // players that were due under the old phases may just not be due under the new
				most = 2 * rung.Phases
			}
			b.step(b.beat)
			for i := range got {
				n := b.read(i)
				got[i] += n
				beats[i]++
				if waited[i]++; n > 0 {
					waited[i] = 0
				}
				if waited[i] > most {
					t.Fatalf("tick %d: player %d waits for %d steps, with %d phases", b.tick, i, waited[i], rung.Phases)
				}
			}
		}
	}
	steps(20)
	for _, rung = range []ladder.Rung{{Stride: 10, Phases: 2}, {Stride: 10, Phases: 5}, {Stride: 2, Phases: 10}, {Stride: 1, Phases: 1}, {Stride: 10, Phases: 5}} {
		steps(40)
		if n := b.gate.Stats().Phases; n != rung.Phases {
			t.Errorf("%d phases, want %d", n, rung.Phases)
		}
	}
	for range 5 { // in any phase
		b.tick += rung.Stride - 1
		b.step(func(d *frame.Builder) {
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpPong, &msg.Pong{})
			d.SendNow(4, frame.Last, d.Cut())
		})
		if n := b.read(3); n < 8 {
			t.Errorf("tick %d: %d bytes of what does not wait", b.tick, n)
		} else {
			got[3] += n - 8
		}
	}
	for range rung.Phases {
		b.step(nil)
		for i := range got {
			got[i] += b.read(i)
		}
	}
	for i := range got {
		if got[i] != 14*beats[i] {
			t.Errorf("player %d was sent %d bytes of %d", i, got[i], 14*beats[i])
		}
	}
	if len(b.loop.marked) > 0 {
		t.Errorf("%d are closed", len(b.loop.marked))
	}
}

// A gateway flushes as often as its own steps say, whatever those of a world are that another process steps; where these are longer, with each frame.
func TestPaceBesideWorld(t *testing.T) {
	for _, c := range []struct {
		rung    ladder.Rung
		world   uint64 // quanta from frame to frame
		flushes int    // of each player, in 400 quanta
	}{
		{ladder.Rung{Stride: 2, Phases: 2}, 1, 100},
		{ladder.Rung{Stride: 2, Phases: 10}, 1, 20},
		{ladder.Rung{Stride: 2, Phases: 2}, 2, 100},
		{ladder.Rung{Stride: 1, Phases: 2}, 2, 200},
		{ladder.Rung{Stride: 1, Phases: 1}, 2, 200},
	} {
		b := newBench(t, 12, c.rung.Phases)
		b.gate.config.Pace = func() ladder.Rung { return c.rung }
		var flushes [12]int
		for range 400 / c.world {
			b.tick += c.world - 1
			b.step(b.beat)
			for i := range flushes {
				if b.read(i) > 0 {
					flushes[i]++
				}
			}
		}
		for i, n := range flushes {
			if n < c.flushes-1 || n > c.flushes+1 {
				t.Errorf("rung %v beside frames each %d quanta: player %d is flushed %d times, want %d", c.rung, c.world, i, n, c.flushes)
			}
		}
	}
}
