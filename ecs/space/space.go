// Package space holds the entities of a map by place: the awake in cell order, the sleeping by cell.
//
// A cell is awake while some observer can see it. Entities whose home is a sleeping cell are not simulated and cost
// nothing, however many they are; they stay in their tile's list until the cell wakes.
package space

import (
	"muster/ecs"
	"muster/ecs/grid"
)

// A Space is shared by the systems of one world.
type Space struct {
	GUIDIndex

	// Order holds the awake entities, as visibility last sorted them. Those despawned since are still in it, without
	// a position.
	Order grid.Order[ecs.Entity]
	// Hunters holds those awake entities that look for victims, likewise.
	Hunters grid.Order[ecs.Entity]

	hunts         []uint64 // bit by entity ID
	arrived       []ecs.Entity
	awake, before grid.Set
	kept          bool // the visible cells have not changed since
	sleeping      grid.Table[[]sleeper]
	slept         []grid.Tile // tiles that ever had a sleeping entity, each once
	asleep        int
	cursor        struct{ tile, sleeper int } // the cursor of VisitSleeping: index in slept, and of an entity in the tile
}

type sleeper struct {
	entity ecs.Entity
	home   grid.Cell
}

// Awake reports whether an observer can see a cell.
func (s *Space) Awake(c grid.Cell) bool { return s.awake.Has(c) }

// BeginVisibility begins a new set of visible cells: no cell is visible until AddView adds it.
func (s *Space) BeginVisibility() {
	s.kept = false
	s.before.Swap(&s.awake)
	s.awake.Clear()
}

// AddView adds the cells that an observer sees.
func (s *Space) AddView(v grid.View) { s.awake.AddView(v) }

// KeepVisibility is BeginVisibility and AddView for observers whose views have not changed.
func (s *Space) KeepVisibility() { s.kept = true }

// NewlyVisible visits the cells that have become visible since BeginVisibility, tile by tile: none after
// KeepVisibility.
func (s *Space) NewlyVisible(visit func(grid.Patch)) {
	if s.kept {
		return
	}
	for _, tile := range s.awake.Tiles() {
		if fresh := s.awake.Mask(tile) &^ s.before.Mask(tile); fresh != 0 {
			visit(grid.Patch{Tile: tile, Mask: fresh})
		}
	}
}

// Wake visits and removes every sleeping entity whose cell has become visible since BeginVisibility: the visitor puts
// it among the awake.
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

// Arrive notes an awake entity that is new in the map: it is in Order from the next Sort on.
func (s *Space) Arrive(e ecs.Entity) { s.arrived = append(s.arrived, e) }

// Arrived returns the entities that arrived since the last Sort.
func (s *Space) Arrived() []ecs.Entity { return s.arrived }

// Put adds an entity to the awake as of the next Sort.
func (s *Space) Put(e ecs.Entity, home grid.Cell) {
	s.Order.Put(home, e)
	if s.Hunts(e) {
		s.Hunters.Put(home, e)
	}
}

// Stay is Put for all entities of a cell that have not changed: in is what Order has there.
func (s *Space) Stay(c grid.Cell, in []ecs.Entity) {
	s.Order.Put(c, in...)
	if len(s.Hunters.All()) > 0 {
		s.Hunters.Put(c, s.Hunters.In(c)...)
	}
}

// Sort sorts the awake entities, and those of them that look for victims.
func (s *Space) Sort() {
	s.Order.Sort()
	s.Hunters.Sort()
	s.arrived = s.arrived[:0]
}

// InvalidateOrder notes that awake entities may have moved, without a change of their home cells.
func (s *Space) InvalidateOrder() {
	s.Order.Invalidate()
	s.Hunters.Invalidate()
}

// Hunt sets whether an entity looks for victims. It is set for each new entity: the bit of its ID may be a former
// entity's.
func (s *Space) Hunt(e ecs.Entity, on bool) {
	word, bit := int(e.ID()/64), uint64(1)<<(e.ID()%64)
	if word >= len(s.hunts) {
		s.hunts = append(s.hunts, make([]uint64, word+1-len(s.hunts))...)
	}
	if s.hunts[word] &^= bit; on {
		s.hunts[word] |= bit
	}
}

// Hunts reports whether an entity looks for victims.
func (s *Space) Hunts(e ecs.Entity) bool {
	word := int(e.ID() / 64)
	return word < len(s.hunts) && s.hunts[word]>>(e.ID()%64)&1 != 0
}

// sleepersCapacity is the initial capacity of a tile's list of sleeping entities: about as many as most tiles have, so
// that the lists stop growing early.
const sleepersCapacity = 32

// Sleep puts an entity to sleep in its home cell.
func (s *Space) Sleep(e ecs.Entity, home grid.Cell) {
	list := s.sleeping.Of(home.Tile())
	if *list == nil {
		s.slept = append(s.slept, home.Tile())
		*list = make([]sleeper, 0, sleepersCapacity)
	}
	*list = append(*list, sleeper{e, home})
	s.asleep++
}

// Drop removes a sleeping entity that is about to be despawned. The cost is that of the sleeping entities of its
// tile. An awake one is dropped by the next Sort.
func (s *Space) Drop(e ecs.Entity, home grid.Cell) {
	if s.asleep == 0 {
		return
	}
	list := s.sleeping.Of(home.Tile())
	for i := range *list {
		if (*list)[i].entity == e {
			*list = append((*list)[:i], (*list)[i+1:]...)
			s.asleep--
			return
		}
	}
}

// VisitSleeping visits up to n sleeping entities, from where the last call stopped, so that repeated calls visit all.
// It removes those for which gone is true: the visitor despawns them. The cost is that of n visits.
func (s *Space) VisitSleeping(n int, gone func(ecs.Entity) bool) {
	if s.asleep == 0 {
		return
	}
	at := &s.cursor
	for ; n > 0; n-- {
		if at.tile >= len(s.slept) {
			at.tile, at.sleeper = 0, 0
		}
		list := s.sleeping.Of(s.slept[at.tile])
		switch {
		case at.sleeper >= len(*list):
			at.tile, at.sleeper = at.tile+1, 0
		case gone((*list)[at.sleeper].entity):
			last := len(*list) - 1
			(*list)[at.sleeper] = (*list)[last]
			*list = (*list)[:last]
			s.asleep--
		default:
			at.sleeper++
		}
	}
}

// Asleep returns how many entities sleep.
func (s *Space) Asleep() int { return s.asleep }

// SleepingTiles visits the tiles that have sleeping entities, with their number.
func (s *Space) SleepingTiles(visit func(t grid.Tile, asleep int)) {
	for _, t := range s.slept {
		if n := len(s.sleeping.At(t)); n > 0 {
			visit(t, n)
		}
	}
}

// Sleepers visits the sleeping entities of a tile, with their home cells.
func (s *Space) Sleepers(t grid.Tile, visit func(e ecs.Entity, home grid.Cell)) {
	for _, it := range s.sleeping.At(t) {
		visit(it.entity, it.home)
	}
}

// In visits the entities whose home is a cell, awake or not, as of the last Sort.
func (s *Space) In(c grid.Cell, visit func(ecs.Entity)) {
	for _, e := range s.Order.In(c) {
		visit(e)
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
