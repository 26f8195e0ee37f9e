package frame

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// A throng is players close to each other, all of which see all unless it is wide: each tick some of them move, change, go to
// another cell, or receive a direct packet.
type throng struct {
	dice    *rand.Rand
	builder Builder
	port    *Exchange
	wide    int         // cells from one side to the other
	homes   []grid.Cell // of player i, whose session is i and GUID i+1
	block   []byte
}

func newThrong(seed uint64, players, wide int) *throng {
	g := &throng{wide: wide, dice: rand.New(rand.NewPCG(seed, 8)), port: NewExchange(), homes: make([]grid.Cell, players)}
	for i := range g.homes {
		g.homes[i] = g.cell()
	}
	g.block = bytes.Repeat([]byte{update.Values}, 40)
	return g
}

func (g *throng) cell() grid.Cell {
	return grid.At(15+30*float32(g.dice.IntN(g.wide)), 15+30*float32(g.dice.IntN(2)), grid.Living)
}

func (g *throng) step(tick uint64) {
	d := &g.builder
	move := func(op uint16, i int) Span {
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, op, &msg.Move{Mover: guidOf(i), Movement: msg.Movement{Time: uint32(tick)}})
		return d.Cut()
	}
	values := func() Span {
		d.Bytes = AppendBlock(d.Bytes, g.block)
		return d.Cut()
	}
	for i, home := range g.homes {
		session := uint32(i)
		switch dice := g.dice.IntN(100); {
		case dice < 30:
			d.AddOwnDelta(session, home, Beats, move(msg.OpMoveHeartbeat, i))
		case dice < 45:
			d.AddOwnDelta(session, home, Moves, move(msg.OpMoveStartForward, i))
			d.AddDelta(home, Values, values())
		case dice < 47:
			to := g.cell()
			if to == home {
				continue
			}
			g.homes[i] = to
			d.Leave(home, guidOf(i), to)
			e := d.Enter(to, guidOf(i), home, Span{}, Span{})
			d.EnterDelta(e, Moves, move(msg.OpMoveStop, i))
			d.SetView(session, grid.ViewFrom(to), false)
		case dice < 48:
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpPong, &msg.Pong{Sequence: session})
			d.Send(session, Last, d.Cut())
		}
	}
	f := g.port.Write()
	d.Build(f, tick)
	g.port.Publish(f)
}

// What an observer gets of a share is byte for byte what it gets if everything is gathered for it alone, whatever
// others, which may have other home cells, have taken of the share before, and however many ticks a flush is of.
func TestShareIsWhatEachReceives(t *testing.T) {
	var r, alone Replayer
	for seed := range uint64(8) {
		g := newThrong(seed, 60, 3+int(seed)%3*4)
		cursors := make([]Cursor, len(g.homes))
		for i := range cursors {
			cursors[i] = Cursor{Session: uint32(i), GUID: guidOf(i), View: grid.ViewFrom(g.homes[i])}
		}
		alike := 0
		for tick := uint64(1); tick <= 120; tick++ {
			g.step(tick)
			var w Window
			w.Open(g.port)
			for i := range cursors {
				c := &cursors[i]
				if k := 2 + seed%4; (tick+uint64(i))%k != 0 {
					continue
				}
				want := *c
				frames, _ := w.After(c.Tick)
				if sharable(frames, c) {
					alike++
				}
				var single []byte
				for _, f := range frames {
					single = alone.tick(single, f, &want, false)
				}
				want.Tick = tick
				out, ok := r.Replay(nil, &w, c)
				if !ok || *c != want || !bytes.Equal(out, single) {
					t.Fatalf("seed %d, tick %d, observer %d, cursor %+v, want %+v: got\n% x, want\n% x", seed, tick, i, *c, want, out, single)
				}
			}
			w.Close()
		}
		if alike < 1000 {
			t.Errorf("seed %d: only %d flushes were sharable", seed, alike)
		}
	}
}

// A panic in the midst of a share leaves nothing behind: the next observer with a direct packet does not get its
// own moves.
func TestPanicInShare(t *testing.T) {
	beat := func(d *Builder) {
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: 1})
		d.AddOwnDelta(7, home, Beats, d.Cut())
	}
	p, c := one(beat)
	var r Replayer
	var w Window
	replay := func(c Cursor, panics bool) (out []byte) {
		t.Helper()
		defer func() {
			if got := recover() != nil; got != panics {
				t.Errorf("panics: %v", got)
			}
		}()
		w.Open(p)
		defer w.Close()
		out, _ = r.Replay(nil, &w, &c)
		return out
	}
	if out := replay(c, false); len(out) != 0 {
		t.Errorf("is sent its own move: % x", out)
	}
	var d Builder
	beat(&d)
	d.Bytes = AppendBlock(d.Bytes, make([]byte, wire.MaxPayload+1))
	d.AddDelta(home, Values, d.Cut())
	f := p.Write()
	d.Build(f, 2)
	p.Publish(f)
	c.Tick = 1
	replay(c, true)
	d = Builder{}
	beat(&d)
	d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpPong, &msg.Pong{})
	d.Send(7, Last, d.Cut())
	f = p.Write()
	d.Build(f, 3)
	p.Publish(f)
	c.Tick = 2
	if out := replay(c, false); len(out) != 8 {
		t.Errorf("is sent % x, want a pong", out)
	}
}

// A share that is too long to keep is right, and forgotten.
func TestLongShare(t *testing.T) {
	p, c := one(func(d *Builder) {
		for i := range 8000 {
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: guidOf(i)})
			d.AddOwnDelta(uint32(7+i), home, Beats, d.Cut())
		}
	})
	var r Replayer
	var w Window
	w.Open(p)
	defer w.Close()
	w.After(0)
	again, frames := c, w.frames[w.oldest:]
	want := new(Replayer).tick(nil, frames[0], &again, false)
	out, ok := r.Replay(nil, &w, &c)
	if !ok || len(out) <= maxShare || !bytes.Equal(out, want) {
		t.Fatalf("got %d bytes, want %d", len(out), len(want))
	}
	for i := range r.shares {
		if s := r.shares[i]; s != nil && (s.exchange != nil || s.bytes != nil) {
			t.Errorf("keeps %d bytes", len(s.bytes))
		}
	}
}

// A place in which another part of the cells has something in each tick needs one share, which is used again and again.
func TestSharesAreUsedAgain(t *testing.T) {
	p, d := NewExchange(), new(Builder)
	var r Replayer
	c := Cursor{Session: 1, GUID: 1, View: grid.View{Center: home, Layers: uint8(1 << grid.Living)}}
	var w Window
	for tick := uint64(1); tick <= 1000; tick++ {
		for x := range 6 {
			if tick>>x&1 != 0 {
				d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: guidOf(x + 2)})
				d.AddDelta(grid.At(float32(15+30*x-60), 15, grid.Living), Beats, d.Cut())
			}
		}
		f := p.Write()
		d.Build(f, tick)
		p.Publish(f)
		w.Open(p)
		if _, ok := r.Replay(nil, &w, &c); !ok {
			t.Fatal("it is lost")
		}
		w.Close()
	}
	n := len(r.spare)
	for _, s := range r.shares {
		if s != nil {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d shares were made", n)
	}
}

// Two observers whose views differ, and hold the same cells with something in them, use one share; one that sees another
// cell with something in it has another.
//
// Source: docs/frames.md, "Two players whose views held the same cells".
func TestNeighboursUseOneShare(t *testing.T) {
	p := walkEast()
	put := func(d *Builder, cell grid.Cell) {
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: 1000})
		d.AddDelta(cell, Beats, d.Cut())
	}
	for _, c := range []struct {
		cells  []grid.Cell
		budget int
		shares uint64
	}{
		{[]grid.Cell{p.kept[0], p.kept[1]}, 0, 1},
		{[]grid.Cell{p.kept[0], p.away[0]}, 0, 1},
		{[]grid.Cell{p.kept[0], p.lost[0]}, 0, 2},
		{[]grid.Cell{p.kept[0], p.gained[0]}, 0, 2},
		{[]grid.Cell{p.kept[0]}, 1000, 2}, // what is left out depends on where it is seen from
	} {
		x, _ := one(func(d *Builder) {
			for _, cell := range c.cells {
				put(d, cell)
			}
		})
		r := Replayer{Budget: c.budget}
		var w Window
		w.Open(x)
		for i, view := range []grid.View{p.before, p.after, p.before, p.after} {
			r.Replay(nil, &w, &Cursor{Session: uint32(i), GUID: uint64(i + 1), View: view})
		}
		w.Close()
		if r.serial != c.shares {
			t.Errorf("%d shares were made for cells %v with a budget of %d, want %d", r.serial, c.cells, c.budget, c.shares)
		}
	}
}
