package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/rules"
)

// A creature that is linked to another does not respawn while that one is dead, and from 5 to 60 s after it has respawned; what is linked to itself
// does not respawn.
//
// Source: Creature::Update, AzerothCore.
func TestLinkedRespawn(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	m := &d.Maps[0]
	m.Spawns = []defs.Spawn{ // the first is what the second waits for
		{Entry: 7, X: 5, Path: -1, RespawnMs: 20_000}, {Entry: 7, X: 10, Path: -1, RespawnMs: 2000}, {Entry: 7, X: 15, Path: -1, RespawnMs: 2000},
		{Entry: 7, X: 20, Path: -1, RespawnMs: 2000},
	}
	m.Links = []defs.RespawnLink{{Of: 1, To: 0}, {Of: 3, To: 3}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	there := func() (points []uint32) {
		for point := range r.living() {
			points = append(points, point)
		}
		slices.Sort(points)
		return points
	}
	pass := func(seconds int, want ...uint32) {
		t.Helper()
		for range seconds * 20 {
			r.tick()
		}
		if got := there(); !slices.Equal(got, want) {
			t.Errorf("after %d s: %v, want %v", seconds, got, want)
		}
	}
	for _, e := range r.living() {
		r.kill(e)
	}
	pass(15, 2)
	pass(9, 0, 2) // 20 s, and no 5 s more
	pass(60, 0, 1, 2)
	r.kill(r.living()[1])
	pass(5, 0, 1, 2) // while the other lives it waits for nothing
}

// Links hold between creatures and game objects, and between game objects, as between creatures: a game object that was consumed is gone until its respawn.
//
// Source: GameObject::Update, AzerothCore.
func TestLinkedObjects(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.GameObjects = []defs.GameObject{{Entry: 40, Type: defs.ObjectGoober, Size: 1}}
	m := &d.Maps[0]
	m.Spawns = []defs.Spawn{{Entry: 7, X: 5, Path: -1, RespawnMs: 2000}, {Entry: 7, X: 10, Path: -1, RespawnMs: 20_000}}
	for i, ms := range []uint32{20_000, 2000, 2000, 2000} {
		m.Objects = append(m.Objects, defs.ObjectSpawn{Entry: 40, Y: 5 * float32(i), Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, RespawnMs: ms})
	}
	object := defs.ObjectPoint
	m.Links = []defs.RespawnLink{{Of: 0, To: object(0)}, {Of: object(1), To: object(0)}, {Of: object(2), To: 1}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	pass := func(seconds int, want string) {
		t.Helper()
		for range seconds * 20 {
			r.tick()
		}
		got := ""
		for point := range uint32(2) {
			if _, ok := r.living()[point]; ok {
				got += fmt.Sprintf("creature %d ", point)
			}
		}
		for point := range uint32(4) {
			if r.world.ecs.Exists(r.space.Find(components.GameObjectGUID(40, 0x800000+point))) {
				got += fmt.Sprintf("object %d ", point)
			}
		}
		if got != want {
			t.Errorf("after %d s: %s, want %s", seconds, got, want)
		}
	}
	const all = "creature 0 creature 1 object 0 object 1 object 2 object 3 "
	pass(1, all)
	for range 2 {
		for _, e := range r.living() {
			r.kill(e)
		}
		for point := range uint32(4) {
			ask(r.world, rules.DespawnObject{Entity: r.space.Find(components.GameObjectGUID(40, 0x800000+point)), Consumed: true})
		}
		pass(18, "object 3 ")
		pass(6, "creature 1 object 0 object 3 ") // 20 s, and no 5 s more
		pass(60, all)
	}
	m.Links = []defs.RespawnLink{{Of: 2, To: 1}}
	defer func() {
		if got, want := fmt.Sprint(recover()), `link 0 of map 0 "" is not valid: {Of:2 To:1}`; !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}()
	newReserve(t, d, 1)
}

// Of a pool of game objects as many are there as its limit says; when one that was consumed is due, the pool chooses anew. A pool in another is one of its
// members.
//
// Source: PoolMgr::UpdatePool, AzerothCore.
func TestObjectPools(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.GameObjects = []defs.GameObject{{Entry: 40, Type: defs.ObjectGoober, Size: 1}}
	m := &d.Maps[0]
	for i := range 7 {
		m.Objects = append(m.Objects, defs.ObjectSpawn{Entry: 40, Y: 5 * float32(i), Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, RespawnMs: 2000})
	}
	m.ObjectPools = []defs.Pool{
		{Limit: 2, Members: []defs.PoolMember{{Index: 0}, {Index: 1}, {Index: 2}, {Index: 3}}},
		{Limit: 1, Members: []defs.PoolMember{{Index: 2, Nested: true}, {Index: 4}}},
		{Limit: 2, Members: []defs.PoolMember{{Index: 5}, {Index: 6}}},
	}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	seen := make(map[uint32]int)
	for round := range 30 {
		for range 3 * 20 {
			r.tick()
		}
		var there []uint32
		for point := range uint32(7) {
			if e := r.space.Find(components.GameObjectGUID(40, 0x800000+point)); r.world.ecs.Exists(e) {
				there = append(there, point)
				seen[point]++
				ask(r.world, rules.DespawnObject{Entity: e, Consumed: true})
				ask(r.world, rules.DespawnObject{Entity: e, Consumed: true}) // it respawns once
			}
		}
		if len(there) < 2 || there[1] > 3 || !slices.Equal(there[2:], []uint32{4}) && !slices.Equal(there[2:], []uint32{5, 6}) {
			t.Fatalf("round %d: there are %v", round, there)
		}
	}
	if len(seen) != 7 {
		t.Errorf("of 7 these were there: %v", seen)
	}
}

// What waits for a creature of a pool that an event has ended respawns when the event has brought that creature back.
func TestLinkedToEventPool(t *testing.T) {
	const siege = 1
	d := fair()
	m := &d.Maps[0]
	m.Pools = []defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Index: 0}}}}
	m.EventPools = []defs.EventSpawn{{Point: 0, Event: siege}}
	m.Links = []defs.RespawnLink{{Of: 4, To: 0}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	see := func(what string, first, second bool) {
		t.Helper()
		living := r.living()
		if _, ok := living[0]; ok != first {
			t.Errorf("%s: the one of the event is there: %t", what, ok)
		}
		if _, ok := living[4]; ok != second {
			t.Errorf("%s: what waits for it is there: %t", what, ok)
		}
	}
	turn := func(on bool) {
		ask(r.world, rules.SetGameEvent{Event: siege, On: on})
		r.pass(time.Second)
	}
	turn(true)
	see("during the event", true, true)
	r.kill(r.living()[0])
	r.kill(r.living()[4])
	r.tick()
	turn(false)
	r.pass(30 * time.Second)
	see("after it", false, false)
	turn(true)
	r.pass(60 * time.Second) // AzerothCore waits for 5 s to a minute
	see("during the next one", true, true)
}

// A creature is spawned with the auras of its look, and has them again when it evades.
func TestAddonAuras(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Spells = []defs.Spell{
		{ID: 21, Effects: [defs.MaxEffects]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraDodge, Amount: 3}}}, {ID: 22},
		{ID: 23, Effects: [defs.MaxEffects]defs.Effect{{}, {Kind: defs.EffectApplyAura, Aura: defs.AuraSpeedUp, Amount: 40}}},
	}
	m := &d.Maps[0]
	m.Looks = []defs.Look{{Auras: [defs.MaxLookAuras]uint32{21, 22, 99, 23}}}
	d.Creatures[0].Look = defs.Look{Auras: [defs.MaxLookAuras]uint32{23}}
	m.Spawns = []defs.Spawn{{Entry: 7, X: 5, Path: -1, Look: 1}, {Entry: 7, X: 80, Path: -1}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	slab, states := ecs.Shared[ecs.Slab[components.Auras]](r.world.ecs), ecs.NewAccessor[components.UnitAuras](r.world.ecs)
	has := func(point uint32, want ...uint32) {
		t.Helper()
		var got []uint32
		if block := states.Get(r.living()[point]).Block; block != 0 {
			auras := slab.At(block)
			for _, a := range auras.List[:auras.Count] {
				got = append(got, a.Spell)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("point %d has %v, want %v", point, got, want)
		}
	}
	has(0, 21, 23)
	has(1, 23)
	e := r.living()[0]
	ask(r.world, rules.RemoveAuras{From: e})
	r.tick()
	has(0)
	ask(r.world, rules.Evade{Entity: e, On: true})
	r.tick()
	r.tick()
	has(0, 21, 23)
}

// A creature runs to the nodes of its path to which it is to run, and walks to the others.
func TestPathRuns(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	m := &d.Maps[0]
	m.Paths = []defs.Path{{Nodes: []defs.Node{{X: 5}, {X: 47}, {X: 5, Y: 20, Runs: true}}}}
	m.Spawns = []defs.Spawn{{Entry: 7, X: 5, Path: 0}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	walks := ecs.NewAccessor[components.Walk](r.world.ecs)
	var ways []string
	for range 500 {
		r.tick()
		w := walks.Get(r.living()[0])
		legs, _ := w.Remaining(uint32(r.n * 50))
		if len(legs) == 0 {
			continue
		}
		way := fmt.Sprintf("to %v, %v: run %v", legs[len(legs)-1].To.X, legs[len(legs)-1].To.Y, w.Flags&components.SplineWalk == 0)
		if len(ways) == 0 || ways[len(ways)-1] != way {
			ways = append(ways, way)
		}
	}
	want := []string{"to 47, 0: run false", "to 5, 20: run true", "to 5, 0: run false", "to 47, 0: run false"}
	if len(ways) < 4 || !slices.Equal(ways[:4], want) {
		t.Errorf("%q, want %q", ways, want)
	}
}
