package ecs

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// scannable is how many bytes of the heap the collector of garbage has to look through.
func scannable() uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// However many entities there are, and in whichever way they came, the collector has nothing to look through.
func TestEntitiesHoldNoPointers(t *testing.T) {
	const n = 200_000
	before := scannable()
	w := NewWorld(1024)
	kind := NewKind(w, Of2[body, speed]()...)
	kind.SpawnBatch(n, func(int, Entity) {})
	for range n {
		kind.Spawn()
	}
	more := int64(scannable() - before)
	if more > n/2 { // as an index of pointers it was 6 MB
		t.Errorf("%d bytes to look through for %d entities", more, 2*n)
	}
	if got := kind.Count(); got != 2*n {
		t.Errorf("%d entities, want %d", got, 2*n)
	}
}

// The archetypes of a world outlast every collection, though the index of its entities does not hold them.
func TestCollectionsLeaveEntitiesAlone(t *testing.T) {
	w := NewWorld(1)
	kinds := []*Kind{NewKind(w, Of2[body, tag]()...), NewKind(w, Of2[tag, speed]()...)}
	tags := NewColumn[tag](w)
	var all []Entity
	for i := range 2_000 {
		e := kinds[i%2].Spawn()
		tags.Get(e).N = uint32(i)
		all = append(all, e)
		if i%3 == 0 {
			w.Despawn(all[i/2])
			w.EndStage()
		}
		if i%100 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	alive := 0
	for i, e := range all {
		if !w.Alive(e) {
			continue
		}
		alive++
		if n := tags.Get(e).N; n != uint32(i) {
			t.Fatalf("entity %d has the tag of %d", i, n)
		}
	}
	if count := kinds[0].Count() + kinds[1].Count(); alive != count || alive < 1_000 {
		t.Errorf("%d are alive, and kinds have %d", alive, count)
	}
}
