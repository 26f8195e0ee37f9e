package gateway

import (
	"fmt"
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A flush rate steps back by one phase a second while flushing takes too long, as far as five, and forward again after
// five quiet seconds; in between it stays where it is.
func TestTempo(t *testing.T) {
	const step = 50 * time.Millisecond
	for _, c := range []struct {
		name   string
		least  int
		shares []float64 // of a second each
		want   string    // phases after each
	}{
		{"light", 2, []float64{.1, .3, .9}, "[2 2 2]"},
		{"heavy", 2, []float64{.91, 1.2, 3, 3, 3}, "[3 4 5 5 5]"},
		{"on the edge", 2, []float64{.95, .54, .54, .54, .54, .54, .54, .54}, "[3 3 3 3 3 3 3 3]"},
		{"just below", 2, []float64{.95, .53, .53, .53, .53, .53, .79, .79}, "[3 3 3 3 3 2 2 2]"},
		{"and back", 2, []float64{.95, .4, .4, .4, .4, .4, .4, .4, .4, .4, .4}, "[3 3 3 3 3 2 2 2 2 2 2]"},
		{"a spell is broken", 2, []float64{.95, .4, .4, .4, .4, .6, .4, .4, .4, .4, .4}, "[3 3 3 3 3 3 3 3 3 3 2]"},
		{"every tick", 1, []float64{.95, .1, .1, .1, .1, .1}, "[2 2 2 2 2 1]"},
		{"seldom anyway", 8, []float64{.99, .1, .1, .1, .1, .1, .1}, "[8 8 8 8 8 8 8]"},
	} {
		tempo, got := newFlushRate(c.least), []int(nil)
		for _, share := range c.shares {
			for range flushRateTicks / 2 {
				tempo.note(2, time.Duration(share*2*float64(step)), step)
			}
			got = append(got, tempo.phases)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// TestOverload has flushing take too long, by the clock: all are flushed less often, step by step, and each step is
// counted. No player misses a packet by it or waits for longer than the phases, once all have come, and what must
// not wait does not. When flushing takes less again, all is as before.
func TestOverload(t *testing.T) {
	const players = 12
	b := newBench(t, players, 2)
	b.loop.flushRate = newFlushRate(2) // its seconds begin with the next tick
	var now time.Time
	var cost time.Duration // of each flush
	b.gate.clock = func() time.Time {
		now = now.Add(cost)
		return now
	}
	var got, beats [players]int
	var waited [players]int // ticks since the last flush
	phases, changed := 2, b.tick
	second := func() {
		for range flushRateTicks {
			if is := b.gate.Stats().Phases; is != phases {
				phases, changed = is, b.tick
			}
			most := phases
			if b.tick-changed < uint64(phases) { // players that were due under the old phases may just not be due under the new
				most = 2 * phases
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
					t.Fatalf("tick %d: player %d waits for %d ticks, with %d phases", b.tick, i, waited[i], phases)
				}
			}
		}
	}
	at := func(want int, slower, faster uint64) {
		t.Helper()
		counted := map[string]uint64{}
		b.gate.config.Metric.Each(func(name string, n uint64) { counted[name] = n })
		if s := b.gate.Stats(); s.Phases != want || counted[FlushSlower] != slower || counted[FlushFaster] != faster {
			t.Fatalf("%d phases, %v; want %d, %d, %d", s.Phases, counted, want, slower, faster)
		}
	}
	second()
	at(2, 0, 0)
	cost = 49 * time.Millisecond
	for i := range 5 {
		second()
		at(min(3+i, 5), uint64(min(1+i, 3)), 0)
	}
	for range 5 { // in any phase
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
	cost = 10 * time.Millisecond
	for range 15 {
		second()
	}
	at(2, 3, 3)
	for range 2 {
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
