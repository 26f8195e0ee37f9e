package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/internal/testseed"
	"muster/systems/rules"
)

// Whatever has interrupted it, fights, sleep, or sleep in the midst of a fight, a creature that wanders or patrols goes on with
// that: an observer who stays sees each of them move within a pause and the longest way.
func TestIdleCreaturesGoOn(t *testing.T) {
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 1))
	d := meadow(dice, 0, 0)
	c, m := &d.Creatures[0], &d.Maps[0]
	c.ReactState, c.CallYards, c.MinHealth, c.MaxHealth, c.MaxLevel = defs.Aggressive, 10, 1_000_000, 1_000_000, 1
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 8}, {X: -8, PauseMs: 2000}}}, {Nodes: []defs.Node{{Y: 9}, {X: 6, Y: -9}, {X: -6, Y: -9}}}}
	m.Spawns = []defs.Spawn{{Entry: 7, X: 8, Path: 0}, {Entry: 7, Y: 9, Path: 1}}
	for range 12 {
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: between(dice, 12), Y: between(dice, 12), Wander: 5, Path: -1})
	}
	r := newReserve(t, d, seed)
	const near, watcher, watchTicks = 1, 2, 500 // 25 s: a pause of 12, ways of 20 yards at 7 yards a second, and back from a chase
	for round := range 12 {
		r.hold(near, between(dice, 14), between(dice, 14))
		for range 1 + dice.IntN(150) {
			r.tick()
		}
		for _, e := range r.living() {
			if dice.IntN(2) == 0 {
				ask(r.world, rules.Damage{By: r.space.Find(near), To: e, School: 1, Amount: 5})
			}
		}
		for range dice.IntN(60) {
			r.tick()
		}
		if dice.IntN(2) == 0 { // far enough for them to sleep, and back to where they are seen
			ask(r.world, move.Teleport{Entity: r.space.Find(near), To: life.Place{X: 5000}})
			for range dice.IntN(200) {
				r.tick()
			}
		}
		r.leave(near)
		for range dice.IntN(200) {
			r.tick()
		}
		r.enter(watcher, 0, 75)
		r.tick()
		was, moved := make(map[uint32]components.Vec), make(map[uint32]bool)
		for point, e := range r.living() {
			was[point] = r.at.Get(e).Vec()
		}
		for range watchTicks {
			r.tick()
			for point, e := range r.living() {
				moved[point] = moved[point] || r.at.Get(e).Vec() != was[point]
			}
		}
		if len(was) != len(r.place.Spawns) {
			t.Fatalf("round %d: %d of %d creatures live", round, len(was), len(r.place.Spawns))
		}
		for point := range was {
			if !moved[point] {
				t.Errorf("round %d: the creature of spawn point %d stands still", round, point)
			}
		}
		r.leave(watcher)
		r.tick()
	}
	if n := r.metric.Counter("ai.evade").Value() + r.metric.Counter("ai.home").Value(); n == 0 {
		t.Error("no creature has evaded")
	}
}

// A creature that ends its fight while it sleeps, standing where that began, has nothing to wait for when it wakes: not
// the rest of the way on which it was interrupted.
//
// Source: HomeMovementGenerator::DoFinalize, AzerothCore.
func TestSettledAsleepGoesOn(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].WalkSpeed, d.Creatures[0].MinHealth, d.Creatures[0].MaxHealth = 2.5, 1000, 1000
	m := &d.Maps[0]
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 80}, {X: -80}}}} // a way of 64 s
	m.Spawns = []defs.Spawn{{Entry: 7, X: 80, Path: 0}}
	r := newReserve(t, d, 1)
	r.enter(1, 70, 0)
	walker := func() components.Vec { return r.at.Get(r.living()[0]).Vec() }
	for r.tick(); r.n < 2000 && (len(r.living()) == 0 || walker().X > 72); {
		r.tick()
	}
	ask(r.world, rules.Damage{By: r.space.Find(1), To: r.living()[0], School: 1, Amount: 5})
	for range 20 {
		r.tick()
	}
	if !r.inCombat(r.living()[0]) {
		t.Fatal("it does not fight")
	}
	stands := walker()
	ask(r.world, move.Teleport{Entity: r.space.Find(1), To: life.Place{X: 5000}})
	for range 100 {
		r.tick()
	}
	if e := r.living()[0]; r.space.Asleep() != 1 || r.inCombat(e) || r.vitals.Get(e).Health != 1000 || walker() != stands {
		t.Fatalf("%d sleep; it has %d health, at %v; in combat %v", r.space.Asleep(), r.vitals.Get(e).Health, walker(), r.inCombat(e))
	}
	r.enter(2, 70, 60)
	for range 40 {
		r.tick()
	}
	if at := walker(); at == stands {
		t.Errorf("two seconds after it woke it stands at %v still", at)
	}
}
