package ecs

import "github.com/mlange-42/arche/ecs"

// A Prefetcher reads components of entities shortly before they are used. The entities of due timers lie anywhere in
// memory, and each of their components is a cache miss, one after the other. Read for some entities in a row, the
// misses overlap: a processor goes on while it waits, as long as nothing depends on the result. A Prefetcher changes
// nothing, and no result depends on what it has read.
//
// Of each component it reads the first cache line, where larger components have the fields that are used most.
type Prefetcher struct {
	world *World
	ids   []ecs.ID
	read  uint32 // never used: without it a compiler might omit the reads
}

// NewPrefetcher returns a Prefetcher of some components.
func NewPrefetcher(w *World, components ...Type) *Prefetcher {
	f := &Prefetcher{world: w}
	for _, c := range components {
		f.ids = append(f.ids, ecs.TypeID(&w.arche, c))
	}
	return f
}

// Of reads those components that an entity has, and nothing of a despawned one.
func (f *Prefetcher) Of(e Entity) {
	if !f.world.Exists(e) {
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

// Word reads memory elsewhere, as in a block of a Slab.
func (f *Prefetcher) Word(at *uint32) { f.read ^= *at }

// prefetchCount is how many entities are prefetched at a time: what is read of them is still in the nearest cache
// when they are used.
const prefetchCount = 16

// PrefetchNext returns the entries to prefetch before the i-th of a list is used: at times the next few of the list,
// else none.
func PrefetchNext[T any](list []T, i int) []T {
	if i%prefetchCount != 0 {
		return nil
	}
	return list[i:min(i+prefetchCount, len(list))]
}
