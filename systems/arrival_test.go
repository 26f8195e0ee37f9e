package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components/life"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A hand-over counts once, also after its player has left again, and after the world has been restored; a character that is in the world
// does not come in again.
func TestArrivalCountsOnce(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	counters := new(metric.Table)
	config := Config{Defs: d, Map: &d.Maps[0], Seed: 1, Metric: counters}
	w, tick := New(config), uint64(0)
	run := func(session uint32, op uint16, c *frame.Character) (f *frame.Frame) {
		f = new(frame.Frame)
		it := frame.Item{Session: session, Op: op}
		if c != nil {
			it.Body = msg.Append(nil, wire.V12340, c)
		}
		w.Inbox().Add(it)
		w.Inbox().Seal()
		tick++
		w.Tick(tick, f)
		return f
	}
	c := frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1, Told: life.All, Transfer: 4711, Life: life.Life{Begun: true, Health: 30}}
	run(3, frame.OpArrive, &c)
	if n := w.Players(); n != 1 {
		t.Fatalf("%d players", n)
	}
	again := c
	again.Transfer++
	if f := run(4, frame.OpArrive, &again); w.Players() != 1 || len(f.Left) != 1 || f.Left[0].Session != 4 {
		t.Errorf("%d players, and %d left: the character was there already", w.Players(), len(f.Left))
	}
	if f := run(3, frame.OpLeave, nil); w.Players() != 0 || len(f.Left) != 1 {
		t.Errorf("%d players, and %d left", w.Players(), len(f.Left))
	}
	snapshot, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	w = New(config)
	if err := w.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if f := run(3, frame.OpArrive, &c); w.Players() != 0 || len(f.Left) != 0 {
		t.Errorf("%d players, and %d left, after a hand-over came twice", w.Players(), len(f.Left))
	}
	if n, m := counters.Value("intake.arrived_twice"), counters.Value("intake.guid_taken"); n != 1 || m != 1 {
		t.Errorf("counted %d and %d", n, m)
	}
	c.Transfer += 2
	if run(3, frame.OpArrive, &c); w.Players() != 1 {
		t.Errorf("%d players after another hand-over", w.Players())
	}
}
