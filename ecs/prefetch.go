package ecs

import "github.com/mlange-42/arche/ecs"

// A Prefetcher reads components of entities shortly before somebody looks at them. Who comes up when a timer is due lies
// anywhere in memory, and each of its components is waited for, one after the other. Read for some entities in a row they
// are waited for together: a processor goes on while it waits, as long as nothing depends on what it waits for. A Fetch
// changes nothing, and nothing follows from what it has read.
//
// Of each component it reads the first line of cache, where components that are longer have what is asked most.
type Prefetcher struct {
	world *World
	ids   []ecs.ID
	read  uint32 // nobody looks at it: without it a compiler might leave the reading out
}

// NewPrefetcher returns a Prefetcher of some components.
func NewPrefetcher(w *World, components ...Type) *Prefetcher {
	w.note(components...)
	f := &Prefetcher{world: w}
	for _, c := range components {
		f.ids = append(f.ids, ecs.TypeID(&w.arche, c))
	}
	return f
}

// Of reads what an entity has of those components, and nothing of one that is gone.
func (f *Prefetcher) Of(e Entity) {
	if !f.world.Alive(e) {
		return
	}
	read := f.read
	for _, id := range f.ids {
		if at := (*byte)(f.world.arche.GetUnchecked(ecs.Entity(e), id)); at != nil {
			read ^= uint32(*at)
		}
	}
	f.read = read
}

// Word reads what lies elsewhere, in a block of a Slab, say.
func (f *Prefetcher) Word(at *uint32) { f.read ^= *at }

// prefetchCount is for how many entities in a row it pays to fetch: what is read of them is still in the nearest cache when
// they are looked at.
const prefetchCount = 16

// PrefetchNext is what to fetch when the i-th of a list is up: once in a while the next few of the list, else none of it.
func PrefetchNext[T any](list []T, i int) []T {
	if i%prefetchCount != 0 {
		return nil
	}
	return list[i:min(i+prefetchCount, len(list))]
}
