// Package space holds where the things of a map are: the awake in cell order, the sleeping by cell.
//
// A cell is awake while some observer can see it. What has its home in a sleeping cell is not simulated
// and costs nothing, however much of it there is; it lies in its tile's list until the cell wakes.
package space

import (
	"muster/ecs"
	"muster/ecs/grid"
)

// A Space is shared by the systems of one world.
type Space struct {
	Roll

	// Order holds the awake, as visibility last sorted them. What was despawned since is still in it.
	Order grid.Order[ecs.Entity]

	arrived       []ecs.Entity
	awake, before grid.Set
	sleeping      grid.Table[[]sleeper]
	asleep        int
}

type sleeper struct {
	entity ecs.Entity
	home   grid.Cell
}

// Awake reports whether a cell is in sight of an observer.
func (s *Space) Awake(c grid.Cell) bool { return s.awake.Has(c) }

// Look begins a new look around: no cell is in sight of anybody until Watch says so.
func (s *Space) Look() {
	s.before.Swap(&s.awake)
	s.awake.Clear()
}

// Watch puts what an observer sees in sight.
func (s *Space) Watch(v grid.View) { s.awake.AddView(v) }

// Wake visits every sleeper whose cell has come in sight with the last Look, and forgets it: whoever visits
// puts it among the awake.
func (s *Space) Wake(woke func(ecs.Entity)) {
	if s.asleep == 0 {
		return
	}
	for _, tile := range s.awake.Tiles() {
		if mask := s.awake.Mask(tile); mask&^s.before.Mask(tile) != 0 {
			s.wake(grid.Patch{Tile: tile, Mask: mask}, woke)
		}
	}
}

func (s *Space) wake(p grid.Patch, woke func(ecs.Entity)) {
	at := s.sleeping.Of(p.Tile)
	list := *at
	kept := list[:0]
	for _, it := range list {
		if p.Mask&it.home.Bit() != 0 {
			woke(it.entity)
		} else {
			kept = append(kept, it)
		}
	}
	s.asleep -= len(list) - len(kept)
	*at = kept
}

// Arrive notes an entity that is new in the map and awake: the next sort takes it in.
func (s *Space) Arrive(e ecs.Entity) { s.arrived = append(s.arrived, e) }

// Arrived is what has arrived since the last sort.
func (s *Space) Arrived() []ecs.Entity { return s.arrived }

// Sort puts the awake in order.
func (s *Space) Sort(awake []grid.Entry[ecs.Entity]) {
	s.Order.Build(awake)
	s.arrived = s.arrived[:0]
}

// Sleep puts an entity to sleep in its home.
func (s *Space) Sleep(e ecs.Entity, home grid.Cell) {
	list := s.sleeping.Of(home.Tile())
	*list = append(*list, sleeper{e, home})
	s.asleep++
}

// Asleep is how many entities sleep.
func (s *Space) Asleep() int { return s.asleep }

// In visits the entities that have their home in a cell, awake or not, as of the last sort.
func (s *Space) In(c grid.Cell, visit func(ecs.Entity)) {
	for _, it := range s.Order.In(c) {
		visit(it.Entity)
	}
	if s.asleep == 0 {
		return
	}
	for _, it := range s.sleeping.At(c.Tile()) {
		if it.home == c {
			visit(it.entity)
		}
	}
}
