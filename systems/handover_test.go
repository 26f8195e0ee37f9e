package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A world that is handed over has all players leave it as for another map, each with its place on this one, once; one that is on its way to another map goes there, and one that has
// entered in the same inbox leaves, too. In the next world of the map each is where it was.
func TestHandOver(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps = append(d.Maps, d.Maps[0])
	d.Maps[1].ID = 1
	first, next := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1}), New(Config{Defs: d, Map: &d.Maps[0], Seed: 2})
	var f frame.Frame
	tick := func(w *World, n uint64) {
		w.Inbox().Seal()
		w.Tick(n, &f)
	}
	enter(first, 1, 10, 20)
	enter(first, 2, 30, 40)
	tick(first, 1)
	ask(first, move.Teleport{Entity: first.Find(2), To: life.Place{Map: 1, X: 50}})
	enter(first, 3, 70, 80)
	first.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpHandOver})
	left := make(map[uint64]frame.Character)
	for n := uint64(2); n < 10; n++ {
		first.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpHandOver}) // it is said in each tick until all have left
		tick(first, n)
		for _, l := range f.Left {
			var c frame.Character
			decode(t, f.In(l.Character), &c)
			if _, twice := left[c.GUID]; twice || !l.Away {
				t.Errorf("player %d leaves again: %v, goes on: %v", c.GUID, twice, l.Away)
			}
			left[c.GUID] = c
		}
	}
	for guid, want := range map[uint64]life.Place{1: {X: 10, Y: 20}, 2: {Map: 1, X: 50}, 3: {X: 70, Y: 80}} {
		if c, ok := left[guid]; !ok || c.Map != want.Map || c.X != want.X || c.Y != want.Y || first.Find(guid) != (ecs.Entity{}) {
			t.Errorf("player %d has left: %v, for map %d, %v, %v; want %+v", guid, ok, c.Map, c.X, c.Y, want)
		}
	}
	c := left[1]
	c.Told, c.Transfer = life.All, 7
	for n := uint64(1); n < 3; n++ { // the second time it is the same hand-over
		next.Inbox().Add(frame.Item{Session: 9, Op: frame.OpArrive, Body: msg.Append(nil, wire.V12340, &c)})
		tick(next, n)
	}
	next.Inbox().Add(frame.Item{Session: 9, Op: frame.OpLeave})
	tick(next, 3)
	var back frame.Character
	if len(f.Left) != 1 {
		t.Fatalf("%d players leave the next world, want 1", len(f.Left))
	}
	decode(t, f.In(f.Left[0].Character), &back)
	if back.GUID != 1 || back.X != 10 || back.Y != 20 || f.Left[0].Away {
		t.Errorf("in the next world is %+v", back)
	}
}
