package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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
		{Entry: 7, X: 5, Path: -1, RespawnMs: 20_000}, {Entry: 7, X: 10, Path: -1, RespawnMs: 2000, Linked: 1}, {Entry: 7, X: 15, Path: -1, RespawnMs: 2000},
		{Entry: 7, X: 20, Path: -1, RespawnMs: 2000, Linked: 4},
	}
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
