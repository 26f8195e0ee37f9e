package systems

import (
	"math/rand/v2"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// A creature that chases runs as fast with steps of 5 ms as with steps of 50 ms, whenever the chase begins: each turn of it is a
// new walk, from where the creature is.
func TestChaseKeepsItsSpeed(t *testing.T) {
	run := func(stride, offset uint64) float32 {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		d.Creatures[0].RunSpeed = 8
		d.Creatures[0].Faction = defs.FactionHostile
		m := &d.Maps[0]
		m.Spawns = []defs.Spawn{{Entry: 7, X: 0, Path: -1}}
		w := New(Config{Defs: d, Map: m, Quantum: 5 * time.Millisecond})
		body := components.CreatureGUID(7, respawn.FirstCounter)
		enter(w, 1, 60, 0)
		pos := ecs.NewAccessor[components.Position](w.ecs)
		walks := ecs.NewAccessor[components.Walk](w.ecs)
		var f frame.Frame
		start := uint64(200) + offset
		n := uint64(0)
		for n < 200 {
			n += stride
			w.Tick(n, &f)
		}
		for n < start {
			n++
			w.Tick(n, &f)
		}
		w.Damage(rules.Damage{To: w.Find(body), By: w.Find(1), Amount: 1})
		for n < start+800 { // 4 s
			n = (n/stride + 1) * stride
			p := pos.Get(w.Find(1))
			p.X = 60 + 7*float32(n-start)/200
			w.Tick(n, &f)
		}
		wk := walks.Get(w.Find(body))
		x := pos.Get(w.Find(body)).X
		if wk.Walking() {
			at, _ := wk.At(uint32(n * 5))
			x = at.X
		}
		return x
	}
	want := run(10, 0)
	for off := range uint64(10) { // the chase begins up to 50 ms later or sooner: 0.4 yards
		if got := run(1, off); got < want-0.4 || got > want+0.8 {
			t.Errorf("steps of 5 ms, begun %d ms after a multiple of 50: at %.2f after 4 s; %.2f with steps of 50 ms", 5*off, got, want)
		}
	}
}

// A halt tells clients where the creature is: that must be where it walks at this time.
func TestHaltIsWhereItWalks(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].RunSpeed = 8
	m := &d.Maps[0]
	m.Spawns = []defs.Spawn{{Entry: 7, X: 0, Path: -1}}
	w := New(Config{Defs: d, Map: m, Quantum: 5 * time.Millisecond})
	body := components.CreatureGUID(7, respawn.FirstCounter)
	enter(w, 1, 40, 0)
	var f frame.Frame
	for n := uint64(1); n <= 200; n++ {
		w.Tick(n, &f)
	}
	w.Damage(rules.Damage{By: w.Find(1), To: w.Find(body), Amount: 1})
	for n := uint64(201); n <= 408; n++ {
		w.Tick(n, &f)
	}
	walks := ecs.NewAccessor[components.Walk](w.ecs)
	pos := ecs.NewAccessor[components.Position](w.ecs)
	var before = *walks.Get(w.Find(body))
	w.Damage(rules.Damage{By: w.Find(1), To: w.Find(body), Amount: 100000})
	w.Tick(410-1, &f)
	at, _ := before.At(409 * 5)
	if x := pos.Get(w.Find(body)).X; !before.Walking() || at.X-x > 0.05 {
		t.Errorf("it is halted at %.2f; by its walk, which clients see, it is at %.2f", x, at.X)
	}
}
