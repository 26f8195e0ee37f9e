package frame

import (
	"bytes"
	"fmt"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

var home = grid.At(15, 15, grid.Living)

// one is an exchange with one frame, and a new observer with a home cell.
func one(write func(*Builder)) (*Exchange, Cursor) {
	p := NewExchange()
	var d Builder
	write(&d)
	f := p.Write()
	d.Build(f, 1)
	p.Publish(f)
	return p, Cursor{Session: 7, GUID: 1, View: grid.ViewFrom(home)}
}

// What is out of the world is destroyed by guid, as msg declares it, and that allocates nothing.
func TestDestroy(t *testing.T) {
	p, c := one(func(d *Builder) {
		d.Leave(home, 0x0807060504030201, grid.None)
		d.Leave(home, 1, grid.None) // the observer itself
		d.Leave(home, 0xF130000000000002, grid.None)
		d.SetView(7, grid.ViewFrom(home), false) // a player that leaves a cell receives that
	})
	want := []byte{
		0, 11, 0xAA, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0,
		0, 11, 0xAA, 0, 2, 0, 0, 0, 0, 0, 0x30, 0xF1, 0,
	}
	var r Replayer
	var w Window
	w.Open(p)
	defer w.Close()
	var out []byte
	replay := func() {
		again := c
		out, _ = r.Replay(out[:0], &w, &again)
	}
	if replay(); !bytes.Equal(out, want) {
		t.Errorf("got % x, want % x", out, want)
	}
	if n := testing.AllocsPerRun(100, replay); n != 0 {
		t.Errorf("allocates %v times", n)
	}
}

// An observer that lags by more than a second gets of each mover the last heartbeat, and all other packets.
// FAULTS.md row 15.
func TestSupersededHeartbeats(t *testing.T) {
	const start, other = 10, 20
	move := func(op uint16, mover uint64, tick int) []byte {
		return msg.Packet(nil, wire.V12340, op, &msg.Move{Mover: mover, Movement: msg.Movement{Time: uint32(tick)}})
	}
	for _, ticks := range []int{LagFrames, LagFrames + 1} {
		p := NewExchange()
		var d Builder
		var all, few []byte
		for tick := 1; tick <= ticks; tick++ {
			beat := move(msg.OpMoveHeartbeat, 1000, tick)
			d.Bytes = append(d.Bytes, beat...)
			span := d.Cut()
			switch tick {
			case start: // in place of a heartbeat
				beat = move(msg.OpMoveStartForward, 1000, tick)
				d.Bytes = append(d.Bytes, beat...)
				d.AddDelta(home, Moves, d.Cut())
				few = append(few, beat...)
			case other:
				beat = append(beat, move(msg.OpMoveHeartbeat, 2000, tick)...)
				d.Bytes = append(d.Bytes, beat[len(beat)/2:]...)
				d.AddDelta(home, Beats, span)
				d.AddDelta(home, Beats, d.Cut())
				few = append(few, beat[len(beat)/2:]...)
			default:
				d.AddDelta(home, Beats, span)
			}
			all = append(all, beat...)
			f := p.Write()
			d.Build(f, uint64(tick))
			p.Publish(f)
		}
		want, superseded := all, uint64(0)
		if ticks > LagFrames {
			want, superseded = append(few, move(msg.OpMoveHeartbeat, 1000, ticks)...), uint64(ticks-2)
		}
		var r Replayer
		var w Window
		w.Open(p)
		c := Cursor{Session: 7, GUID: 1, View: grid.ViewFrom(home)}
		got, ok := r.Replay(nil, &w, &c)
		w.Close()
		if !ok || !bytes.Equal(got, want) || r.Superseded != superseded || c.Tick != uint64(ticks) {
			t.Errorf("%d ticks behind: %d left out, want %d; got\n% x, want\n% x", ticks, r.Superseded, superseded, got, want)
		}
	}
}

// A heartbeat is superseded by what its mover does later in view: also in another cell, but not out of view, and not after
// the observer has left.
//
// Source: docs/frames.md, "Over several ticks".
func TestSupersededInAnotherCell(t *testing.T) {
	const mover, ticks = 1000, LagFrames + 5
	p := walkEast()
	here := p.kept[0]
	for _, c := range []struct {
		name  string
		to    grid.Cell // where the mover goes in the last tick
		part  Part
		look  bool // the observer's view changes before
		leave int  // the tick in which the observer leaves
		want  []int
	}{
		{name: "stays", to: here, part: Beats, want: []int{ticks}},
		{name: "stops", to: here, part: Moves, want: []int{ticks}},
		{name: "enters", to: p.kept[1], part: Beats, want: []int{ticks}},
		{name: "enters and stops", to: p.kept[1], part: Moves, want: []int{ticks}},
		{name: "goes out of view", to: p.away[0], part: Moves, want: []int{ticks - 1}},
		{name: "goes where the observer looks no more", to: p.lost[0], part: Moves, look: true, want: []int{ticks - 1}},
		{name: "goes where the observer looks now", to: p.gained[0], part: Moves, look: true, want: []int{ticks}},
		{name: "and the observer leaves", to: here, part: Beats, leave: 10, want: []int{10}},
	} {
		x := NewExchange()
		var d Builder
		packet := func(tick int) []byte {
			op := msg.OpMoveHeartbeat
			if tick == ticks && c.part == Moves {
				op = msg.OpMoveStop
			}
			return msg.Packet(nil, wire.V12340, uint16(op), &msg.Move{Mover: mover, Movement: msg.Movement{Time: uint32(tick)}})
		}
		for tick := 1; tick <= ticks; tick++ {
			d.Bytes = append(d.Bytes, packet(tick)...)
			span := d.Cut()
			switch {
			case tick < ticks:
				d.AddDelta(here, Beats, span)
			case c.to == here:
				d.AddDelta(here, c.part, span)
			default:
				d.Leave(here, mover, c.to)
				d.EnterDelta(d.Enter(c.to, mover, here, Span{}, Span{}), c.part, span)
			}
			if c.look && tick == 5 {
				d.SetView(7, p.after, false)
			}
			if tick == c.leave {
				d.PlayerLeft(7, Span{})
			}
			f := x.Write()
			d.Build(f, uint64(tick))
			x.Publish(f)
		}
		var want []byte
		for _, tick := range c.want {
			want = append(want, packet(tick)...)
		}
		var r Replayer
		var w Window
		w.Open(x)
		got, ok := r.Replay(nil, &w, &Cursor{Session: 7, GUID: 1, View: p.before})
		w.Close()
		moves := len(got)
		if c.to == p.away[0] || c.to == p.lost[0] { // then it is gone
			moves = len(want)
		}
		if !ok || !bytes.Equal(got[:min(moves, len(got))], want) {
			t.Errorf("%s: got\n% x, want\n% x", c.name, got, want)
		}
	}
}

// Of moves of several players that are added in turn, a player receives all but its own, in their order, whether it uses
// a share or not.
func TestOwnMovesAreLeftOut(t *testing.T) {
	steps := []struct {
		session uint32
		part    Part
		op      uint16
	}{
		{7, Beats, msg.OpMoveHeartbeat}, {7, Moves, msg.OpMoveStartForward}, {8, Moves, msg.OpMoveStop},
		{7, Moves, msg.OpMoveJump}, {7, Moves, msg.OpMoveFallLand}, {8, Beats, msg.OpMoveHeartbeat},
		{NoSession, Moves, msg.OpMoveSetFacing}, {9, Beats, msg.OpMoveHeartbeat}, {7, Beats, msg.OpMoveHeartbeat},
	}
	for _, alone := range []bool{false, true} {
		p, c := one(func(d *Builder) {
			for i, step := range steps {
				move := msg.Move{Mover: uint64(step.session), Movement: msg.Movement{Time: uint32(i)}}
				d.Bytes = msg.Packet(d.Bytes, wire.V12340, step.op, &move)
				d.AddOwnDelta(step.session, home, step.part, d.Cut())
			}
			for session := range uint32(10) {
				if alone { // what is direct is not shared
					d.Send(session, Last, Span{})
				}
			}
		})
		var r Replayer
		var w Window
		w.Open(p)
		for c.Session = 6; c.Session < 10; c.Session++ {
			var want []byte
			for _, part := range []Part{Moves, Beats} {
				for i, step := range steps {
					if step.part == part && step.session != c.Session {
						move := msg.Move{Mover: uint64(step.session), Movement: msg.Movement{Time: uint32(i)}}
						want = msg.Packet(want, wire.V12340, step.op, &move)
					}
				}
			}
			again := c
			if got, _ := r.Replay(nil, &w, &again); !bytes.Equal(got, want) {
				t.Errorf("alone %v, session %d: got\n% x, want\n% x", alone, c.Session, got, want)
			}
		}
		w.Close()
	}
}

// A crowd moves around the observer: in its own cell, or in the next. Observers after the first with the same view copy its bytes.
func BenchmarkReplayCrowd(b *testing.B) {
	for _, how := range []struct {
		name  string
		x     float32
		first bool
	}{{"own/first", 15, true}, {"next/first", 45, true}, {"own/second", 15, false}, {"next/second", 45, false}} {
		for _, moves := range []int{20, 200, 2000} {
			b.Run(fmt.Sprintf("cell=%s/moves=%d", how.name, moves), func(b *testing.B) {
				p, c := one(func(d *Builder) {
					for i := range moves {
						d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: uint64(1000 + i)})
						d.AddDelta(grid.At(how.x, 15, grid.Living), Beats, d.Cut())
					}
				})
				var r Replayer
				var w Window
				w.Open(p)
				defer w.Close()
				var out []byte
				for b.Loop() {
					if how.first && r.shares != nil {
						r.views[slotOf(c.View)].share.exchange = nil
					}
					again := c
					out, _ = r.Replay(out[:0], &w, &again)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*moves), "ns/move")
			})
		}
	}
}

// Observers all over a field receive what happens around them.
func BenchmarkReplayField(b *testing.B) {
	const side = 3000
	p, c := one(func(d *Builder) {
		for i := range 4000 {
			x, y := float32(i%63*side/63), float32(i/63*side/63)
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: uint64(1000 + i)})
			d.AddDelta(grid.At(x, y, grid.Living), Beats, d.Cut())
		}
	})
	var r Replayer
	var w Window
	w.Open(p)
	defer w.Close()
	var out []byte
	n := 0
	for b.Loop() {
		n++
		again := c
		again.View = grid.ViewFrom(grid.At(float32(n%61*side/61), float32(n%67*side/67), grid.Living))
		out, _ = r.Replay(out[:0], &w, &again)
	}
}
