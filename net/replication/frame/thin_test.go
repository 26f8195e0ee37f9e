package frame

import (
	"bytes"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// sift divides packets into heartbeats, by mover, and all others.
func sift(t *testing.T, packets []byte) (beats map[string]int, movers map[uint64]int, rest []byte) {
	t.Helper()
	beats, movers = map[string]int{}, map[uint64]int{}
	for len(packets) > 0 {
		op, n, header, ok := wire.ServerHeader(packets)
		if !ok || header+n > len(packets) {
			t.Fatalf("torn: % x", packets)
		}
		if op == msg.OpMoveHeartbeat {
			guid, _ := wire.ReadPackedGUID(packets[header:])
			movers[guid]++
			beats[string(packets[:header+n])]++
		} else {
			rest = append(rest, packets[:header+n]...)
		}
		packets = packets[header+n:]
	}
	return beats, movers, rest
}

// A flush over its budget lacks heartbeats and nothing else: the rest is there in its order, no heartbeat is there that would not be
// otherwise, and what is left out is counted. It keeps to the budget unless what cannot be left out comes late in the flush or is
// too long; then there are a few heartbeats all the same. Every mover is sent in the long run, and near ones more often.
func TestBudget(t *testing.T) {
	const budget = 1800
	for seed := range uint64(4) {
		k := 2 + seed%4
		g := newThrong(seed, 60, 3)
		tight := Replayer{Budget: budget}
		var whole Replayer
		cursors := make([]Cursor, len(g.homes))
		for i := range cursors {
			cursors[i] = Cursor{Session: uint32(i), GUID: guidOf(i), View: grid.ViewFrom(g.homes[i])}
		}
		heard := make([]map[uint64]int, len(g.homes))
		near, far := [2]int{}, [2]int{} // heartbeats of the own cell, and from two cells away or more: sent, and of all
		for tick := uint64(1); tick <= 250*k; tick++ {
			g.step(tick)
			var w Window
			w.Open(g.port)
			for i := range cursors {
				c := &cursors[i]
				if (tick+uint64(i))%k != 0 {
					continue
				}
				again := *c
				frames, _ := w.After(c.Tick)
				full, _ := whole.Replay(nil, &w, &again)
				tight.Thinned = 0
				out, ok := tight.Replay(nil, &w, c)
				if !ok || *c != again {
					t.Fatalf("seed %d, tick %d: cursor %+v, want %+v", seed, tick, *c, again)
				}
				beats, movers, rest := sift(t, out)
				due, allMovers, others := sift(t, full)
				if !bytes.Equal(rest, others) {
					t.Fatalf("seed %d, tick %d, observer %d: got\n% x, want\n% x", seed, tick, i, rest, others)
				}
				sent, all := 0, 0
				for packet, n := range beats {
					if sent += n; n > due[packet] {
						t.Fatalf("seed %d, tick %d: % x is sent %d times, want at most %d", seed, tick, packet, n, due[packet])
					}
				}
				for _, n := range due {
					all += n
				}
				left := uint64(all - sent)
				if tight.Thinned < left || tight.Thinned > left+uint64(len(frames)) { // own ones among them
					t.Fatalf("seed %d, tick %d: %d left out, counted %d", seed, tick, left, tight.Thinned)
				}
				if len(full) <= budget/int(k) && left != 0 || len(out) > max(budget, len(rest)+budget*int(k-1)/int(k)+budget/4) {
					t.Fatalf("seed %d, tick %d: %d bytes of %d, %d of them no heartbeats", seed, tick, len(out), len(full), len(rest))
				}
				if heard[i] == nil {
					heard[i] = map[uint64]int{}
				}
				for guid, n := range movers {
					heard[i][guid] += n
				}
				for guid, n := range allMovers {
					switch apart := c.View.Center.Apart(g.homes[guid-1]); {
					case apart == 0:
						near[0], near[1] = near[0]+movers[guid], near[1]+n
					case apart >= 4:
						far[0], far[1] = far[0]+movers[guid], far[1]+n
					}
				}
			}
			w.Close()
		}
		for i := range heard {
			for other := range heard {
				if n := heard[i][guidOf(other)]; i != other && n == 0 || i == other && n != 0 {
					t.Errorf("seed %d: observer %d has heard %d heartbeats of %d", seed, i, n, other)
				}
			}
		}
		if near[0]*far[1] <= 2*far[0]*near[1] {
			t.Errorf("seed %d: %v of the near, %v of the far", seed, near, far)
		}
	}
}

// A flush gives its room to the nearest cells first, up to three quarters, and divides the rest among those farther away;
// a tick has the room that the ones before it have left, and a quarter of its part at least.
func TestBudgetIsDivided(t *testing.T) {
	type beats struct{ near, middle, far int }
	mover := func(i int) uint64 { return 0x0101010101010101 + uint64(i) }
	length := len(msg.Packet(nil, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: mover(0)}))
	for _, c := range []struct {
		budget  int // in heartbeats
		ticks   []beats
		other   int // bytes of other packets in the first tick, in heartbeats
		want    []beats
		thinned uint64
	}{
		{20, []beats{{5, 5, 10}}, 0, []beats{{5, 5, 10}}, 0},
		{20, []beats{{5, 20, 40}}, 0, []beats{{5, 10, 5}}, 45},
		{20, []beats{{15, 20, 40}}, 0, []beats{{15, 0, 5}}, 55},
		{20, []beats{{16, 0, 20}}, 0, []beats{{15, 0, 5}}, 16},
		{20, []beats{{5, 20, 4}}, 0, []beats{{5, 10, 4}}, 10},
		{40, []beats{{0, 0, 0}, {20, 40, 20}}, 0, []beats{{}, {20, 10, 10}}, 40},
		{40, []beats{{10, 40, 10}, {10, 40, 10}}, 0, []beats{{10, 5, 5}, {10, 5, 5}}, 80},
		{40, []beats{{2, 0, 0}, {20, 40, 30}}, 0, []beats{{2, 0, 0}, {20, 8, 10}}, 52},
		{80, []beats{{5, 40, 10}, {5, 40, 10}}, 100, []beats{{5, 2, 3}, {5, 2, 3}}, 90}, // the rest of a quarter of each tick's part
	} {
		x := NewExchange()
		var d Builder
		for i, tick := range c.ticks {
			k := 0
			for cell, n := range []int{tick.near, tick.middle, tick.far} {
				for range n {
					d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: mover(k)})
					d.AddDelta(grid.At(15+30*float32(cell), 15, grid.Living), Beats, d.Cut())
					k++
				}
			}
			if i == 0 && c.other > 0 {
				d.Bytes = append(d.Bytes, make([]byte, c.other*length)...)
				d.AddDelta(home, Events, d.Cut())
			}
			f := x.Write()
			d.Build(f, uint64(i+1))
			x.Publish(f)
		}
		const before = 1000 // heartbeats were left out already
		r := Replayer{Budget: c.budget * length, Thinned: before}
		var w Window
		w.Open(x)
		out, ok := r.Replay(nil, &w, &Cursor{Session: 7, GUID: 1, View: grid.ViewFrom(home)})
		r.Thinned -= before
		w.Close()
		out = out[c.other*length:]
		total := 0
		for _, tick := range c.want {
			total += tick.near + tick.middle + tick.far
		}
		if !ok || len(out) != total*length || r.Thinned != c.thinned {
			t.Errorf("budget %d, %v: %d heartbeats, want %d; %d left out, want %d", c.budget, c.ticks, len(out)/length, total, r.Thinned, c.thinned)
			continue
		}
		for i, tick := range c.want {
			n := (tick.near + tick.middle + tick.far) * length
			_, movers, _ := sift(t, out[:n])
			out = out[n:]
			var got beats
			for guid, n := range movers {
				if n != 1 {
					t.Errorf("budget %d, %v: mover %d is sent %d times", c.budget, c.ticks, guid, n)
				}
				switch {
				case guid < mover(c.ticks[i].near):
					got.near++
				case guid < mover(c.ticks[i].near+c.ticks[i].middle):
					got.middle++
				default:
					got.far++
				}
			}
			if got != tick {
				t.Errorf("budget %d, %v, tick %d: %+v, want %+v", c.budget, c.ticks, i, got, tick)
			}
		}
	}
}

func TestBudgetAllocatesNothing(t *testing.T) {
	p, c := one(func(d *Builder) {
		for i := range 400 {
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: uint64(1000 + i)})
			d.AddDelta(grid.At(float32(i%90), 15, grid.Living), Beats, d.Cut())
		}
	})
	r := Replayer{Budget: 1000}
	var w Window
	w.Open(p)
	defer w.Close()
	var out []byte
	replay := func() {
		again := c
		if r.shares != nil {
			r.views[slotOf(c.View)].share.exchange = nil // as if it were another tick
		}
		out, _ = r.Replay(out[:0], &w, &again)
	}
	replay()
	if n := testing.AllocsPerRun(100, replay); n != 0 || len(out) == 0 || len(out) > 1000 {
		t.Errorf("allocates %v times, for %d bytes", n, len(out))
	}
}
