package frame

import (
	"slices"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A player that leaves receives the tick in which it does, and nothing that comes after, however late
// it is flushed.
func TestNothingFollowsAGoodbye(t *testing.T) {
	const session, self, other = 7, 1, 2
	home := grid.At(15, 15, grid.Living)
	move := msg.Packet(nil, wire.V12340, msg.OpMoveStop, &msg.Move{Mover: other})
	story := []func(d *Builder){
		func(d *Builder) { d.SetView(session, grid.ViewFrom(home), false) },
		func(d *Builder) {},
		func(d *Builder) {
			d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
			d.Send(session, Last, d.Cut())
			d.PlayerLeft(session, Span{})
		},
		func(d *Builder) {},
		func(d *Builder) { d.Leave(home, other, grid.None) },
	}
	for _, schedule := range [][]uint64{{5}, {3, 5}, {1, 2, 3, 4, 5}} {
		port := NewExchange()
		var d Builder
		var r Replayer
		var w Window
		c := Cursor{Session: session, GUID: self}
		var out []byte
		for i, write := range story {
			n := uint64(i + 1)
			write(&d)
			d.Bytes = append(d.Bytes, move...)
			d.AddDelta(home, Moves, d.Cut())
			f := port.Write()
			d.Build(f, n)
			port.Publish(f)
			if !slices.Contains(schedule, n) {
				continue
			}
			w.Open(port)
			var ok bool
			if out, ok = r.Replay(out, &w, &c); !ok {
				t.Fatal("lost the stream")
			}
			w.Close()
		}
		var ops []uint16
		for rest := out; len(rest) > 0; {
			op, payload, header, _ := wire.ServerHeader(rest)
			ops = append(ops, op)
			rest = rest[header+payload:]
		}
		if len(ops) != 3 || ops[0] != msg.OpMoveStop || ops[1] != msg.OpMoveStop || ops[2] != msg.OpLogoutComplete {
			t.Errorf("flushed at %d: got %#x, want the moves of ticks 2 and 3, and the end", schedule, ops)
		}
	}
}

// A player that enters and leaves in one tick receives nothing of others, and no other connection takes its view for its own.
func TestEntersAndLeavesInOneTick(t *testing.T) {
	const session = 7
	home := grid.At(15, 15, grid.Living)
	move := msg.Packet(nil, wire.V12340, msg.OpMoveStop, &msg.Move{Mover: 2})
	port := NewExchange()
	var d Builder
	publish := func(tick uint64) {
		d.Bytes = append(d.Bytes, move...)
		d.AddDelta(home, Moves, d.Cut())
		f := port.Write()
		d.Build(f, tick)
		port.Publish(f)
	}
	d.SetView(session, grid.ViewFrom(home), false)
	d.PlayerLeft(session, Span{})
	publish(1)
	publish(2)
	var r Replayer
	var w Window
	w.Open(port)
	c := Cursor{Session: session, GUID: 1}
	out, ok := r.Replay(nil, &w, &c)
	if !ok || len(out) > 0 || c.View != (grid.View{}) {
		t.Errorf("it receives % x and has the view %+v, want nothing and none", out, c.View)
	}
	w.Close()
}

// A connection that goes on with a player receives nothing before the tick in which its world says so, whatever view the player is given before:
// those are of the connection before it, or of a keyframe.
func TestNothingBeforeAConnectionGoesOn(t *testing.T) {
	const session = 7
	home := grid.At(15, 15, grid.Living)
	move := msg.Packet(nil, wire.V12340, msg.OpMoveStop, &msg.Move{Mover: 2})
	port := NewExchange()
	var d Builder
	for tick, write := range []func(){
		func() { d.SetView(session, grid.ViewFrom(home), false) },
		func() {
			d.SetView(session, grid.ViewFrom(home), true)
			d.Resume(session, 3)
			d.PlayerLeft(session, Span{})
		}, // it has left again
		func() { d.SetView(session, grid.ViewFrom(home), true); d.Send(session, First, span(&d, "before")) },
		func() {
			d.SetView(session, grid.ViewFrom(home), true)
			d.Resume(session, 2) // it has taken the place of another one, which the world reads of first
			d.Send(session, First, span(&d, "another's"))
		},
		func() {
			d.SetView(session, grid.ViewFrom(home), true)
			d.Resume(session, 3)
			d.Send(session, First, span(&d, "first"))
		},
		func() { d.Send(session, First, span(&d, "second")) },
	} {
		write()
		d.Bytes = append(d.Bytes, move...)
		d.AddDelta(home, Moves, d.Cut())
		f := port.Write()
		d.Build(f, uint64(tick+1))
		port.Publish(f)
	}
	var r Replayer
	var w Window
	w.Open(port)
	defer w.Close()
	c := Cursor{Session: session, GUID: 1, Waits: 3}
	out, ok := r.Replay(nil, &w, &c)
	if want := "firstsecond" + string(move); !ok || string(out) != want || c.Tick != 6 || c.Waits != 0 {
		t.Errorf("it receives %q up to tick %d, want %q up to 6", out, c.Tick, want)
	}
}

func span(d *Builder, text string) Span {
	d.Bytes = append(d.Bytes, text...)
	return d.Cut()
}
