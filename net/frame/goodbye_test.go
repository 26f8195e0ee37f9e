package frame

import (
	"testing"

	"muster/ecs/grid"
	"muster/net/msg"
	"muster/net/wire"
)

// A player that leaves is owed the tick in which it does, and nothing that comes after, however late it
// is flushed.
func TestNothingFollowsAGoodbye(t *testing.T) {
	const session, self, other = 7, 1, 2
	home := grid.At(15, 15, grid.Living)
	port := NewPort()
	var d Draft
	tick := func(n uint64, write func()) {
		write()
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpMoveStop, &msg.Move{Mover: other})
		d.Stay(home, Moves, d.Cut())
		f := port.Write(n)
		d.Build(f, n)
		port.Publish(f)
	}
	tick(1, func() { d.Look(session, grid.ViewFrom(home), false) })
	tick(2, func() {})
	tick(3, func() {
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
		d.Tell(session, Last, d.Cut())
		d.Goodbye(session, Span{})
	})
	tick(4, func() {})
	tick(5, func() { d.Leave(home, other, grid.None) })

	for _, schedule := range [][]uint64{{5}, {3, 5}, {1, 2, 3, 4, 5}} {
		var r Replayer
		c := Cursor{Session: session, GUID: self}
		var out []byte
		for _, n := range schedule {
			w := Window{port: port, count: n, Newest: n}
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
