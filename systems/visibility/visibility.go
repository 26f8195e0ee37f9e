// Package visibility keeps the order of the awake entities: it wakes the cells that observers see, puts the others to
// sleep, and sorts awake entities into cell order where that has changed. What each observer is sent for it is
// decided by fanout, and in the end by the gateway.
package visibility

import (
	"math"

	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
)

// Visibility wakes cells, puts them to sleep, and sorts, and says which players see all anew.
type Visibility struct {
	entities  ecs.Entities
	space     ecs.ResMut[space.Space]
	left      change.Left
	awoken    ecs.Emit[change.Woken]
	resets    ecs.Emit[change.ViewReset]
	teleports ecs.EventReader[move.Teleported]
	resumed   ecs.Events[change.Resumed]
	refreshed ecs.Events[change.Refreshed]
	homeCells ecs.Read[components.HomeCell]
	positions ecs.Read[components.Position]
	observers ecs.Read[components.Observer]
	sleeps    ecs.Write[components.Sleep]

	watched grid.Set     // cells whose view in their own layer is visible
	woken   []ecs.Entity // by the last search
	nowMs   uint32
}

// Init implements ecs.Initializer.
func (s *Visibility) Init() {
	s.space.Get().Order.Locate, s.space.Get().Hunters.Locate = s.locate, s.locate
}

// Run implements sched.Runner.
func (s *Visibility) Run(t sched.Tick) {
	s.resetViews()
	s.space.Get().InvalidateOrder()
	if len(s.left.Tiles())+len(s.space.Get().Arrived()) == 0 { // an observer whose layers changed has had its cell set anew
		s.space.Get().KeepVisibility()
		return
	}
	s.watch()
	s.nowMs = t.NowMs
	s.woken = s.woken[:0]
	s.space.Get().Wake(s.wake)
	s.sort()
	s.left.Clear()
}

// resetViews says of which players the clients learn anew what they see: those that are teleported discard it, those that come with a resumed
// player have not seen anything, and those that are refreshed are told by their gateway to forget it.
func (s *Visibility) resetViews() {
	for _, it := range s.teleports.Next() {
		if it.Away == 0 {
			s.resets.Emit(change.ViewReset{Entity: it.Entity})
		}
	}
	for _, it := range s.resumed.All() {
		s.resets.Emit(change.ViewReset{Entity: it.Entity})
	}
	for _, it := range s.refreshed.All() {
		s.resets.Emit(change.ViewReset(it))
	}
}

// sort puts awake entities in cell order; those of a visible cell that no entity has left keep theirs.
func (s *Visibility) sort() {
	for _, e := range s.woken {
		s.space.Get().Put(e, s.homeCells.Get(e).Cell)
	}
	s.space.Get().Order.Each(func(c grid.Cell, in []ecs.Entity) {
		if s.space.Get().Awake(c) && !s.left.Has(c) {
			s.space.Get().Stay(c, in)
			return
		}
		for _, e := range in {
			s.keep(e)
		}
	})
	for _, e := range s.space.Get().Arrived() {
		s.keep(e)
	}
	s.space.Get().Sort()
}

// watch adds the views of all observers, once for all that are in one cell and see only its layer.
func (s *Visibility) watch() {
	s.space.Get().BeginVisibility()
	s.watched.Clear()
	for _, kind := range s.entities.Archetypes() {
		sights := s.observers.Rows(kind)
		if len(sights) == 0 {
			continue
		}
		for i, home := range s.homeCells.Rows(kind) {
			v := grid.View{Center: home.Cell, Layers: uint8(sights[i].Layers)}
			if v != grid.ViewFrom(v.Center) || s.watched.Mark(v.Center) {
				s.space.Get().AddView(v)
			}
		}
	}
}

// wake adds an entity whose cell woke up.
func (s *Visibility) wake(e ecs.Entity) {
	if s.entities.Exists(e) {
		sleep := s.sleeps.Get(e)
		s.awoken.Emit(change.Woken{Entity: e, SleptMs: s.nowMs - sleep.SinceMs})
		sleep.SinceMs = 0
		s.woken = append(s.woken, e)
	}
}

// keep adds an entity that was awake, or puts it to sleep.
func (s *Visibility) keep(e ecs.Entity) {
	if !s.entities.Exists(e) {
		return
	}
	home := s.homeCells.Get(e).Cell
	switch {
	case home == grid.None:
	case s.space.Get().Awake(home) || s.observers.Has(e):
		s.space.Get().Put(e, home)
	default:
		s.sleeps.Get(e).SinceMs = s.nowMs
		s.space.Get().Sleep(e, home)
	}
}

// locate is the position of an entity, infinitely far away if it is gone.
func (s *Visibility) locate(e ecs.Entity) (x, y float32) {
	if !s.entities.Exists(e) {
		return float32(math.Inf(1)), 0
	}
	p := s.positions.Get(e)
	return p.X, p.Y
}
