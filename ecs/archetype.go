package ecs

import (
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// An Archetype is an archetype: the exact set of components of some entities. There are few of them, made at
// start-up; state that comes and goes within a tick is a bit or a queue, never a component.
type Archetype struct {
	world *World
	ids   []ecs.ID
	exact ecs.CachedFilter // its entities, and no others
	fresh []Entity         // room for those of a batch
}

// NewArchetype names the archetype that has exactly these components.
func NewArchetype(w *World, components ...Type) *Archetype {
	k := &Archetype{world: w}
	w.note(components...)
	for _, c := range components {
		k.ids = append(k.ids, ecs.TypeID(&w.arche, c))
	}
	exact := ecs.All(k.ids...).Exclusive()
	k.exact = w.arche.Cache().Register(&exact)
	w.archetypes = append(w.archetypes, k)
	return k
}

// Archetypes lists the kinds of the world, in the order in which they were made.
func (w *World) Archetypes() []*Archetype { return w.archetypes }

// Count is how many entities of the kind there are.
func (k *Archetype) Count() int {
	q := k.world.arche.Query(&k.exact)
	defer q.Close()
	return q.Count()
}

// SameArchetype reports whether two living entities have the same components.
func (w *World) SameArchetype(a, b Entity) bool {
	return w.arche.Mask(ecs.Entity(a)) == w.arche.Mask(ecs.Entity(b))
}

// Spawn makes an entity at once, its components zero. Pointers into columns are no longer good after it,
// and inside a query it panics.
func (k *Archetype) Spawn() Entity {
	return Entity(k.world.arche.NewEntity(k.ids...))
}

// SpawnBatch makes n entities, as Spawn does, and then visits each: the way to fill a world, and to make several
// together, with one look at what they are made of.
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

// maxFresh is how many entities' room a kind keeps for its next batch: half a mebibyte.
const maxFresh = 1 << 16

// Despawn removes an entity when the stage ends. Removing one twice is removing it once.
func (w *World) Despawn(e Entity) { w.despawns = append(w.despawns, e) }

// EndStage removes whom the stage has despawned, the last of them first: who came last and goes again then leaves no gap
// that another has to be moved into.
func (w *World) EndStage() {
	for _, e := range slices.Backward(w.despawns) {
		if w.Alive(e) {
			w.arche.RemoveEntity(ecs.Entity(e))
		}
	}
	w.despawns = w.despawns[:0]
}

// EndTick empties every queue.
func (w *World) EndTick() {
	for _, q := range w.queues {
		q.clear()
	}
}
