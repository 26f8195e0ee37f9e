package movement

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
)

// WalkSteps moves units along their walks.
type WalkSteps struct {
	entities  ecs.Entities
	space     ecs.Res[space.Space]
	cells     change.Cells
	setOut    ecs.Requests[change.SetOut]
	homeCells ecs.Read[components.HomeCell]
	positions ecs.Write[components.Position]
	walks     ecs.Write[components.Walk]

	walkers []ecs.Entity // the awake units that walk
}

// Run implements sched.Runner.
func (s *WalkSteps) Run(t sched.Tick) {
	for _, it := range s.setOut.Take() {
		s.walkers = append(s.walkers, it.Entity)
	}
	s.walkers = slices.DeleteFunc(s.walkers, func(e ecs.Entity) bool { return !s.walk(t, e) })
}

// walk moves a creature along its walk, and reports whether that continues. When its cell falls asleep it stops where
// it is; when the cell wakes, it continues.
func (s *WalkSteps) walk(t sched.Tick, e ecs.Entity) (on bool) {
	if !s.entities.Exists(e) || !s.space.Get().Awake(s.homeCells.Get(e).Cell) {
		return false
	}
	w := s.walks.Get(e)
	if !w.Walking() {
		return false
	}
	at, arrived := w.At(t.NowMs)
	p := s.positions.Get(e)
	*p = at
	s.cells.Follow(t, e, p)
	if arrived {
		w.Stop()
	}
	return !arrived
}
