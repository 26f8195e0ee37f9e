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
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// flat is the distance between two units over ground.
func (r *reserve) flat(e, other ecs.Entity) float64 {
	p, q := r.at.Get(e), r.at.Get(other)
	return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y))
}

// A player that is teleported far away from a fight is out of combat soon: the creature that it leaves behind, whose
// cell sleeps, clears its threat list, and is at its spawn point with full health when an observer comes.
func TestForsakenCreatureForgives(t *testing.T) {
	r := newDen(t, 1, 1)
	r.hold(1, 15, 0)
	for range 200 {
		r.tick()
	}
	player, foe := r.space.Find(1), r.living()[0]
	if !r.inCombat(player) || !r.inCombat(foe) {
		t.Fatal("no unit fights")
	}
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: 5000}})
	for range 200 {
		r.tick()
	}
	if r.inCombat(player) || r.inCombat(foe) || len(r.threats.List(foe)) != 0 {
		t.Errorf("in combat: the player %v, the creature %v, which hates %d",
			r.inCombat(player), r.inCombat(foe), len(r.threats.List(foe)))
	}
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: 50}})
	for range 200 {
		r.tick()
	}
	if aiStates := ecs.NewAccessor[components.AIState](r.world.ecs); aiStates.Get(foe).Mode != components.Idle {
		t.Errorf("it is in mode %d", aiStates.Get(foe).Mode)
	}
}

// A creature that fell asleep on its way, and finds prey before it as it wakes, comes up to it at once.
func TestWokenWalkerFights(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	c, m := &d.Creatures[0], &d.Maps[0]
	c.ReactState, c.WalkSpeed, c.MaxLevel = defs.Aggressive, 2.5, 1
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

// A creature to which something happens in the very tick in which it is forgotten goes later. Its spawn point waits for
// that, and brings it back.
func TestForgottenInTheMidstOfSomething(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 10, Path: -1}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 60)
	for range 100 {
		r.tick()
	}
	e := r.living()[0]
	guid := r.objects.Get(e).GUID
	r.leave(1)
	for range 11_900 {
		r.tick()
	}
	log, forgotten := ecs.Shared[change.Log](r.world.ecs), r.metric.Counter("respawn.forgotten")
	for i := 0; i < 200 && forgotten.Value() == 0; i++ {
		log.Builder.Bytes = append(log.Builder.Bytes, "packet"...)
		log.Broadcast(e, frame.Events)
		r.tick()
	}
	if forgotten.Value() != 1 || !r.world.ecs.Exists(e) {
		t.Fatalf("%d are forgotten, and it is there: %v", forgotten.Value(), r.world.ecs.Exists(e))
	}
	r.tick()
	r.tick()
	if r.world.ecs.Exists(e) {
		t.Error("it is still there")
	}
	r.enter(2, 0, 60)
	r.tick()
	r.tick()
	if back := r.living(); len(back) != 1 || r.objects.Get(back[0]).GUID != guid {
		t.Errorf("%v are back, want those from before", back)
	}
}

// A creature that slept for ten minutes, idle and at full health, is despawned, and respawns with the same GUID.
// Wounded and dead ones, and those on a path or of a pool, are kept.
func TestLongSleepersAreForgotten(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].MinHealth, d.Creatures[0].MaxHealth = 100, 100
	m := &d.Maps[0]
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 10}, {X: -10}}}}
	const stroller, stander, wounded, walker, dead, pooled = 0, 1, 2, 3, 4, 5
	m.Spawns = []defs.Spawn{
		stroller: {Entry: 7, X: 5, Wander: 5, Path: -1},
		stander:  {Entry: 7, X: 10, Path: -1},
		wounded:  {Entry: 7, X: 15, Path: -1},
		walker:   {Entry: 7, X: 10, Path: 0},
		dead:     {Entry: 7, X: 20, Path: -1, RespawnMs: 3_600_000},
		pooled:   {Entry: 7, X: 25, Path: -1},
	}
	m.Pools = []defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Index: pooled}}}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 60)
	for range 100 {
		r.tick()
	}
	born := r.living()
	if len(born) != len(m.Spawns) {
		t.Fatalf("%d of %d live", len(born), len(m.Spawns))
	}
	guid := r.objects.Get(born[stroller]).GUID
	r.kill(born[dead])
	r.leave(1)
	r.tick()
	r.vitals.Get(born[wounded]).Health = 1
	for range 11_990 { // a little less than ten minutes
		r.tick()
	}
	if left := r.living(); len(left) != 5 {
		t.Fatalf("before their time %d are left, want 5", len(left))
	}
	for range 40 {
		r.tick()
	}
	left := r.living()
	for point, e := range born {
		want := e
		if point == stroller || point == stander || point == dead {
			want = ecs.Entity{}
		}
		if left[point] != want {
			t.Errorf("at spawn point %d is %v, want %v", point, left[point], want)
		}
	}
	if n := r.metric.Counter("respawn.forgotten").Value(); n != 2 || r.space.Asleep() != 3 || r.space.Find(guid) != (ecs.Entity{}) {
		t.Errorf("%d are forgotten, %d sleep, %#x is %v", n, r.space.Asleep(), guid, r.space.Find(guid))
	}
	r.enter(2, 0, 60)
	r.tick()
	r.tick()
	back := r.living()
	if len(back) != 5 || r.objects.Get(back[stroller]).GUID != guid || r.at.Get(back[stander]).X != 10 {
		t.Errorf("%d are back", len(back))
	}
}
