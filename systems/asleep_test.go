package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
)

// flat is the distance between two units over ground.
func (r *reserve) flat(e, other ecs.Entity) float64 {
	p, q := r.at.Get(e), r.at.Get(other)
	return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y))
}

// Whoever is put far away in the midst of a fight is at peace soon: the creature that it leaves behind, which nobody
// sees any more, forgives it, and is at home and whole when somebody comes by.
func TestForsakenCreatureForgives(t *testing.T) {
	r := newDen(t, 1, 1)
	r.hold(1, 15, 0)
	for range 200 {
		r.tick()
	}
	player, foe := r.space.Find(1), r.living()[0]
	if !r.book.InCombat(player) || !r.book.InCombat(foe) {
		t.Fatal("nobody fights")
	}
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: 5000}})
	for range 200 {
		r.tick()
	}
	if r.book.InCombat(player) || r.book.InCombat(foe) || len(r.book.Hates(foe)) != 0 {
		t.Errorf("in combat: the player %v, the creature %v, which hates %d",
			r.book.InCombat(player), r.book.InCombat(foe), len(r.book.Hates(foe)))
	}
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: 50}})
	for range 200 {
		r.tick()
	}
	if minds := ecs.NewColumn[components.Mind](r.world.ecs); minds.Get(foe).Mood != components.Idle {
		t.Errorf("it is in mood %d", minds.Get(foe).Mood)
	}
}

// A creature that fell asleep on its way, and finds prey before it as it wakes, comes up to it at once.
func TestWokenWalkerFights(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	c, m := &d.Creatures[0], &d.Maps[0]
	c.Temper, c.WalkSpeed, c.MaxLevel = defs.Aggressive, 2.5, 1
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 80}, {X: -80}}}}
	m.Spawns = []defs.Spawn{{Entry: 7, X: 80, Path: 0}}
	r := newReserve(t, d, 1)
	r.enter(1, 50, 60)
	for range 400 {
		r.tick()
	}
	r.leave(1)
	for range 400 {
		r.tick()
	}
	walker := r.living()[0]
	p := r.at.Get(walker)
	if p.X > 79 || r.space.Asleep() != 1 {
		t.Fatalf("it is at %v, and %d sleep", *p, r.space.Asleep())
	}
	r.enter(2, p.X, p.Y+15)
	for range 60 {
		r.tick()
	}
	if far := r.flat(walker, r.space.Find(2)); far > 5 {
		t.Errorf("after three seconds it stands %.1f yards from its prey", far)
	}
}
