package ecs

import (
	"slices"
	"testing"
)

// A Prefetcher reads the components that each entity has, nothing of a despawned one, and changes nothing.
func TestPrefetcherReadsComponents(t *testing.T) {
	w := NewWorld(2)
	both, one := NewArchetype(w, Of2[tag, uint64]()...), NewArchetype(w, Of[tag]()...)
	tags, numbers := NewAccessor[tag](w), NewAccessor[uint64](w)
	a, b, gone := both.Spawn(), one.Spawn(), one.Spawn()
	tags.Get(a).N, tags.Get(b).N, tags.Get(gone).N = 1, 2, 4
	*numbers.Get(a) = 8
	f := NewPrefetcher(w, Of2[tag, uint64]()...)
	w.Despawn(gone)
	w.EndStage()
	for _, c := range []struct {
		e    Entity
		read uint32
	}{{a, 1 ^ 8}, {b, 2}, {gone, 0}, {Entity{}, 0}} {
		f.read = 0
		if f.Of(c.e); f.read != c.read {
			t.Errorf("of %v it read %d, want %d", c.e, f.read, c.read)
		}
	}
	word := uint32(16)
	if f.Word(&word); f.read != 16 {
		t.Errorf("it read %d, want 16", f.read)
	}
	if tags.Get(a).N != 1 || tags.Get(b).N != 2 || *numbers.Get(a) != 8 || word != 16 {
		t.Error("it has changed something")
	}
	if n := testing.AllocsPerRun(10, func() { f.Of(a) }); n != 0 {
		t.Errorf("it allocates %v times", n)
	}
}

// PrefetchNext returns all entries of a list once, in order, and before they are used.
func TestAheadIsEverythingOnce(t *testing.T) {
	for _, n := range []int{0, 1, prefetchCount - 1, prefetchCount, prefetchCount + 1, 5*prefetchCount + 3} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		var fetched []int
		for i := range list {
			fetched = append(fetched, PrefetchNext(list, i)...)
			if len(fetched) <= i {
				t.Errorf("of %d, %d are fetched when %d is used", n, len(fetched), i)
			}
		}
		if !slices.Equal(fetched, list) {
			t.Errorf("of %d are fetched %v", n, fetched)
		}
	}
}
