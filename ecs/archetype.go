package ecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// An Archetype is an exact set of components, and the entities that have it. There are few of them, made at start-up;
// state that comes and goes within a tick is a bit or a queue, never a component.
type Archetype struct {
	world *World
	parts []Type
	ids   []ecs.ID         // of the parts
	exact ecs.CachedFilter // its entities, and no others
	fresh []Entity         // room for those of a batch
}

// A Table names an archetype for the Rows of a Read, ReadRef or Write, and gives no other access to it.
type Table struct{ archetype *Archetype }

// NewArchetype returns the archetype that has exactly these components.
func NewArchetype(w *World, components ...Type) *Archetype {
	k := &Archetype{world: w, parts: slices.Clone(components)}
	for _, c := range components {
		k.ids = append(k.ids, ecs.TypeID(&w.arche, c))
	}
	exact := ecs.All(k.ids...).Exclusive()
	k.exact = w.arche.Cache().Register(&exact)
	w.archetypes = append(w.archetypes, k)
	w.archetypeTables = append(w.archetypeTables, Table{k})
	return k
}

// Archetypes lists the archetypes of the world, in order of creation.
func (w *World) Archetypes() []*Archetype { return w.archetypes }

// Count returns how many entities of the archetype there are.
func (k *Archetype) Count() int {
	q := k.world.arche.Query(&k.exact)
	defer q.Close()
	return q.Count()
}

// SameArchetype reports whether two living entities have the same components.
func (w *World) SameArchetype(a, b Entity) bool {
	return w.arche.Mask(ecs.Entity(a)) == w.arche.Mask(ecs.Entity(b))
}

// Spawn spawns an entity at once, its components zero. Pointers into columns are invalid after it, and inside a query
// it panics.
func (k *Archetype) Spawn() Entity {
	return Entity(k.world.arche.NewEntity(k.ids...))
}

// SpawnBatch spawns n entities, as Spawn does, and then visits each. The archetype is looked up once for all of them.
func (k *Archetype) SpawnBatch(n int, visit func(i int, e Entity)) {
	if n == 0 {
		return
	}
	had := k.Count()
	k.world.arche.Batch().New(n, k.ids...)
	kept := k.fresh[:0]
	k.fresh = nil                 // visit may spawn, too
	fresh := slices.Grow(kept, n) // not walked while they are visited, for that locks the world
	q := k.world.arche.Query(&k.exact)
	for more := q.Step(had + 1); more; more = q.Next() {
		fresh = append(fresh, Entity(q.Entity()))
	}
	for i, e := range fresh {
		visit(i, e)
	}
	if cap(fresh) > maxFresh {
		fresh = kept
	}
	k.fresh = fresh
}

// maxFresh is how many entities an archetype keeps memory for between batches: half a mebibyte.
const maxFresh = 1 << 16

// Despawn despawns an entity when the stage ends. Despawning it again changes nothing.
func (w *World) Despawn(e Entity) { w.despawns = append(w.despawns, e) }

// EndStage removes the entities that the stage has despawned, the last one first: removing the last row moves no
// other.
func (w *World) EndStage() {
	for _, e := range slices.Backward(w.despawns) {
		if w.Exists(e) {
			w.arche.RemoveEntity(ecs.Entity(e))
		}
	}
	w.despawns = w.despawns[:0]
	for _, f := range w.fresh {
		f.entities = f.entities[:0]
	}
}
