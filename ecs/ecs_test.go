package ecs

import (
	"slices"
	"testing"
)

type body struct{ X, Y float32 }
type speed struct{ X, Y float32 }
type tag struct{ N uint32 }

func TestStructure(t *testing.T) {
	w := NewWorld(16)
	archetype := NewArchetype(w, Of2[body, speed]()...)
	bodies := NewAccessor[body](w)
	first, second := archetype.Spawn(), archetype.Spawn()
	bodies.Get(first).X = 1
	if !w.Exists(first) || !w.Exists(second) || first == second || *bodies.Get(second) != (body{}) {
		t.Fatalf("first %v, second %v", first, second)
	}
	w.Despawn(first)
	w.Despawn(first)
	if !w.Exists(first) || bodies.Get(first).X != 1 {
		t.Error("despawned before the stage ended")
	}
	w.EndStage()
	if w.Exists(first) || !w.Exists(second) {
		t.Errorf("after despawn: first alive %v, second alive %v", w.Exists(first), w.Exists(second))
	}
	if reused := archetype.Spawn(); reused == first {
		t.Errorf("a reused row has the old entity %v", reused)
	}
	if w.Exists(Entity{}) {
		t.Error("no entity is alive")
	}
}

func TestFiltersSeeWhatHasTheComponents(t *testing.T) {
	w := NewWorld(16)
	both, moving := NewArchetype(w, Of3[body, speed, tag]()...), NewArchetype(w, Of2[body, speed]()...)
	tags, bodies := NewAccessor[tag](w), NewAccessor[body](w)
	both.SpawnBatch(3, func(i int, e Entity) { tags.Get(e).N = uint32(i); bodies.Get(e).X = float32(i) })
	moving.SpawnBatch(2, func(i int, e Entity) { bodies.Get(e).X = float32(10 + i) })
	walk := func() (xs []float32) {
		for q := NewFilter2[body, speed](w).Iter(); q.Next(); {
			b, _ := q.Get()
			xs = append(xs, b.X)
		}
		slices.Sort(xs)
		return xs
	}
	if got, want := walk(), []float32{0, 1, 2, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("filter sees %v, want %v", got, want)
	}
	var n int
	for q := NewFilter1[body](w, Of[tag]()...).Iter(); q.Next(); {
		n++
	}
	if n != 3 {
		t.Errorf("a filter with a tag sees %d entities, want 3", n)
	}
}

func TestQueuesLastATick(t *testing.T) {
	w := NewWorld(1)
	QueueOf[tag](w).Next().N = 1
	QueueOf[tag](w).Next().N = 2
	if got, want := QueueOf[tag](w).All(), []tag{{1}, {2}}; !slices.Equal(got, want) {
		t.Errorf("queue holds %v, want %v", got, want)
	}
	w.EndTick()
	if n := len(QueueOf[tag](w).All()); n != 0 {
		t.Errorf("%d items outlived the tick", n)
	}
}

func TestSharedValuesHaveOneOwner(t *testing.T) {
	w := NewWorld(1)
	defer func() {
		if recover() == nil {
			t.Error("sharing a second value of one type did not panic")
		}
	}()
	Share(w, &tag{7})
	if got := Shared[tag](w).N; got != 7 {
		t.Errorf("shared value is %d, want 7", got)
	}
	Share(w, &tag{8})
}

func TestSteadyTickDoesNotAllocate(t *testing.T) {
	w := NewWorld(128)
	archetype := NewArchetype(w, Of2[body, speed]()...)
	archetype.SpawnBatch(1000, func(int, Entity) {})
	filter, queue := NewFilter2[body, speed](w), QueueOf[tag](w)
	tick := func() {
		for q := filter.Iter(); q.Next(); {
			b, s := q.Get()
			b.X += s.X
			queue.Next()
		}
		w.EndStage()
		w.EndTick()
	}
	tick()
	if n := testing.AllocsPerRun(20, tick); n != 0 {
		t.Errorf("%v allocations a tick, want none", n)
	}
}

// BenchmarkQuery compares a walk with the same walk in arche alone.
func BenchmarkQuery(b *testing.B) {
	w := NewWorld(1024)
	NewArchetype(w, Of2[body, speed]()...).SpawnBatch(10_000, func(int, Entity) {})
	filter := NewFilter2[body, speed](w)
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			for q := filter.Iter(); q.Next(); {
				b, s := q.Get()
				b.X += s.X
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			for q := filter.f.Query(&w.arche); q.Next(); {
				b, s := q.Get()
				b.X += s.X
			}
		}
	})
}

func TestLastingQueuesWaitForTheirReader(t *testing.T) {
	w := NewWorld(1)
	q := QueueOf[tag](w).Lasting()
	q.Next().N = 1
	w.EndTick()
	q.Next().N = 2
	if got, want := q.Take(), []tag{{1}, {2}}; !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
	q.Next().N = 3
	w.EndTick()
	if got, want := q.Take(), []tag{{3}}; !slices.Equal(got, want) {
		t.Errorf("took %v then, want %v", got, want)
	}
	if got := q.Take(); len(got) != 0 {
		t.Errorf("took %v once more", got)
	}
	allocs := testing.AllocsPerRun(10, func() {
		q.Next()
		w.EndTick()
		q.Take()
	})
	if allocs != 0 {
		t.Errorf("a warm queue allocates %v times", allocs)
	}
}

// Each reader sees each value once, in the same tick if it comes after, and else in the next.
func TestReadersSeeEverythingOnce(t *testing.T) {
	w := NewWorld(1)
	q := QueueOf[tag](w)
	early, late := q.Reader(), q.Reader()
	look := func(name string, r *Reader[tag], want ...tag) {
		t.Helper()
		if got := r.Next(); !slices.Equal(got, want) {
			t.Errorf("%s sees %v, want %v", name, got, want)
		}
	}
	look("early", early)
	q.Next().N = 1
	look("late", late, tag{1})
	q.Next().N = 2
	w.EndTick()
	look("early", early, tag{1}, tag{2})
	q.Next().N = 3
	look("late", late, tag{2}, tag{3})
	w.EndTick()
	look("early", early, tag{3})
	look("late", late)
	w.EndTick()
	w.EndTick()
	look("early", early)
	if len(q.All()) != 0 {
		t.Errorf("after two ticks there is still %v", q.All())
	}
	allocs := testing.AllocsPerRun(10, func() {
		early.Next()
		q.Next()
		q.Next()
		late.Next()
		w.EndTick()
	})
	if allocs != 0 {
		t.Errorf("a warm queue allocates %v times", allocs)
	}
}

// Rows are the components of an archetype as they lie in memory, side by side, and of no other archetype.
func TestRowsOfAnArchetype(t *testing.T) {
	w := NewWorld(2)
	both, one := NewArchetype(w, Of2[tag, uint64]()...), NewArchetype(w, Of[tag]()...)
	tags, numbers := NewAccessor[tag](w), NewAccessor[uint64](w)
	if tags.Rows(both) != nil || both.Count() != 0 {
		t.Error("an archetype without entities has rows")
	}
	var all []Entity
	for i := range 5 {
		e := both.Spawn()
		all = append(all, e)
		tags.Get(e).N, *numbers.Get(e) = uint32(i), uint64(10*i)
	}
	other := one.Spawn()
	tags.Get(other).N = 7
	w.Despawn(all[1])
	w.EndStage()
	a, b := tags.Rows(both), numbers.Rows(both)
	for i, row := range map[int]int{0: 0, 4: 1, 2: 2, 3: 3} {
		if got := tags.Row(a, all[i]); got != row || numbers.Row(b, all[i]) != row {
			t.Errorf("entity %d is in row %d, want %d", i, got, row)
		}
	}
	if got, none := tags.Row(a, other), tags.Row(nil, other); got != -1 || none != -1 {
		t.Errorf("an entity of another archetype is in rows %d and %d", got, none)
	}
	if want := []tag{{0}, {4}, {2}, {3}}; !slices.Equal(a, want) || both.Count() != len(want) {
		t.Errorf("%v, want %v", a, want)
	}
	for i := range b {
		if b[i] != uint64(10*a[i].N) {
			t.Errorf("row %d has %d and %d", i, a[i].N, b[i])
		}
	}
	a[0].N = 9
	if got := tags.Get(all[0]).N; got != 9 {
		t.Errorf("written 9 to a row, and read %d from its entity", got)
	}
	if got, want := tags.Rows(one), []tag{{7}}; !slices.Equal(got, want) || numbers.Rows(one) != nil {
		t.Errorf("%v, want %v; %v", got, want, numbers.Rows(one))
	}
	if got := w.Archetypes(); !slices.Equal(got, []*Archetype{both, one}) {
		t.Errorf("%d archetypes", len(got))
	}
	if allocs := testing.AllocsPerRun(10, func() { tags.Rows(both) }); allocs != 0 {
		t.Errorf("rows allocate %v times", allocs)
	}
}

// A batch visits the entities that it has made, in the order of their rows, and no others; another may begin within
// it.
func TestBatchesAreThoseThatWereMade(t *testing.T) {
	w := NewWorld(4)
	archetype := NewArchetype(w, Of2[body, tag]()...)
	tags := NewAccessor[tag](w)
	next := uint32(0)
	count := func(_ int, e Entity) { next++; tags.Get(e).N = next }
	for range 3 {
		archetype.SpawnBatch(5, count)
	}
	archetype.SpawnBatch(2, func(i int, e Entity) {
		count(i, e)
		archetype.SpawnBatch(1, func(int, Entity) {})
	})
	for i, row := range tags.Rows(archetype) {
		if want := uint32(i+1) * uint32(min(1, 17/(i+1))); row.N != want {
			t.Errorf("row %d has %d, want %d", i, row.N, want)
		}
	}
	var made []Entity
	note := func(_ int, e Entity) { made = append(made, e) }
	round := func() {
		made = made[:0]
		archetype.SpawnBatch(100, note)
		for _, e := range made {
			w.Despawn(e)
		}
		w.EndStage()
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 || archetype.Count() != 19 {
		t.Errorf("a batch allocates %v times, and %d are left, want 19", n, archetype.Count())
	}
}
