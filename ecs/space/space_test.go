package space

import (
	"runtime"
	"slices"
	"testing"

	"muster/ecs"
	"muster/ecs/grid"
)

func TestSleepersWakeWithTheirCell(t *testing.T) {
	w := ecs.NewWorld(8)
	kind := ecs.NewArchetype(w)
	var s Space
	near, far := grid.At(0, 0, grid.Living), grid.At(1000, 0, grid.Living)
	a, b, c := kind.Spawn(), kind.Spawn(), kind.Spawn()
	s.Sleep(a, near)
	s.Sleep(b, far)
	s.Sleep(c, near)
	in := func(cell grid.Cell) (out []ecs.Entity) {
		s.In(cell, func(e ecs.Entity) { out = append(out, e) })
		return out
	}
	if got := in(near); !slices.Equal(got, []ecs.Entity{a, c}) {
		t.Errorf("asleep in %v: %v", near, got)
	}
	watch := func(views ...grid.View) (woke []ecs.Entity) {
		s.BeginVisibility()
		for _, v := range views {
			s.AddView(v)
		}
		s.Wake(func(e ecs.Entity) { woke = append(woke, e) })
		return woke
	}
	view := grid.ViewFrom(grid.At(80, 0, grid.Living))
	if got := watch(view); !slices.Equal(got, []ecs.Entity{a, c}) || s.Asleep() != 1 {
		t.Errorf("woke %v, %d still asleep", got, s.Asleep())
	}
	if !s.Awake(near) || s.Awake(far) {
		t.Errorf("awake: near %v, far %v", s.Awake(near), s.Awake(far))
	}
	if got := watch(view); got != nil {
		t.Errorf("woke %v twice", got)
	}
	if got := watch(view, grid.ViewFrom(far)); !slices.Equal(got, []ecs.Entity{b}) || s.Asleep() != 0 {
		t.Errorf("woke %v, %d still asleep", got, s.Asleep())
	}
	fresh := func() (n int) {
		s.NewlyVisible(func(grid.Patch) { n++ })
		return n
	}
	if fresh() == 0 {
		t.Error("no cell is newly visible")
	}
	if s.KeepVisibility(); fresh() != 0 || !s.Awake(near) || !s.Awake(far) {
		t.Errorf("with kept visibility %d patches are new; awake: near %v, far %v", fresh(), s.Awake(near), s.Awake(far))
	}
	if watch(grid.ViewFrom(far)); fresh() != 0 || s.Awake(near) {
		t.Errorf("after kept visibility %d old patches are new; awake: near %v", fresh(), s.Awake(near))
	}
	if watch(); s.Awake(near) || s.Awake(far) {
		t.Error("a map without observers is awake")
	}
}

// VisitSleeping visits all sleeping entities, a few at a time, and removes those that are gone.
func TestVisitSleepingVisitsAll(t *testing.T) {
	kind := ecs.NewArchetype(ecs.NewWorld(8))
	var s Space
	s.VisitSleeping(3, func(ecs.Entity) bool { t.Error("an entity sleeps"); return true })
	var goes ecs.Entity
	for i := range 9 {
		e := kind.Spawn()
		s.Sleep(e, grid.At(float32(i/3)*1000, 0, grid.Living))
		if i == 4 {
			goes = e
		}
	}
	visits := make(map[ecs.Entity]int)
	for range 8 { // two rounds over nine, with a step from tile to tile
		s.VisitSleeping(3, func(e ecs.Entity) bool { visits[e]++; return e == goes })
	}
	for e, n := range visits {
		if e == goes && n != 1 || e != goes && n < 2 {
			t.Errorf("%v was visited %d times", e, n)
		}
	}
	if len(visits) != 9 || s.Asleep() != 8 {
		t.Errorf("%d were visited, and %d still sleep", len(visits), s.Asleep())
	}
	s.BeginVisibility()
	s.AddView(grid.ViewFrom(grid.At(1000, 0, grid.Living)))
	woke := 0
	s.Wake(func(e ecs.Entity) {
		if woke++; e == goes {
			t.Error("a removed entity wakes")
		}
	})
	if woke != 2 {
		t.Errorf("%d woke, want 2", woke)
	}
}

// A map with few entities takes little memory.
func TestSmallIsSmall(t *testing.T) {
	w := ecs.NewWorld(1)
	e := ecs.NewArchetype(w).Spawn()
	home := grid.At(0, 0, grid.Living)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := new(Space)
	s.Sleep(e, home)
	s.BeginVisibility()
	s.AddView(grid.ViewFrom(home))
	s.Wake(func(e ecs.Entity) { s.Arrive(e) })
	s.Put(e, home)
	s.Sort()
	runtime.ReadMemStats(&after)
	if n, limit := after.TotalAlloc-before.TotalAlloc, uint64(64<<10); n > limit {
		t.Errorf("one sleeper that woke takes %d bytes, want at most %d", n, limit)
	}
	runtime.KeepAlive(s)
}
