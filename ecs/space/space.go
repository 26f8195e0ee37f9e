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
	GUIDIndex

	// Order holds the awake, as visibility last sorted them. What was despawned since is still in it, but nowhere.
	Order grid.Order[ecs.Entity]
	// Hunters holds those of the awake that hunt, likewise.
	Hunters grid.Order[ecs.Entity]

	hunts           []uint64 // bit by entity ID
	arrived         []ecs.Entity
	awake, before   grid.Set
	kept            bool // nothing has come in sight or gone out of it since
	sleeping        grid.Table[[]sleeper]
	slept           []grid.Tile // those in which anything ever slept, each once
	asleep          int
	visibilityBegun struct{ tile, sleeper int } // where VisitSleeping goes on: at a tile of slept, at one who sleeps there
}

type sleeper struct {
	entity ecs.Entity
	home   grid.Cell
}

// Awake reports whether a cell is in sight of an observer.
func (s *Space) Awake(c grid.Cell) bool { return s.awake.Has(c) }

// BeginVisibility begins a new look around: no cell is in sight of anybody until Watch says so.
func (s *Space) BeginVisibility() {
	s.kept = false
	s.before.Swap(&s.awake)
	s.awake.Clear()
}

// AddView puts what an observer sees in sight.
func (s *Space) AddView(v grid.View) { s.awake.AddView(v) }

// KeepVisibility is Look and Watch for observers who all see what they saw.
func (s *Space) KeepVisibility() { s.kept = true }

// NewlyVisible visits the cells that have come in sight with the last Look, tile by tile: none after a Rest.
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

// Put says that an entity is among the awake as of the next Sort.
func (s *Space) Put(e ecs.Entity, home grid.Cell) {
	s.Order.Put(home, e)
	if s.Hunts(e) {
		s.Hunters.Put(home, e)
	}
}

// Stay is Put for all of a cell, which are in it as they were: in is what Order has there.
func (s *Space) Stay(c grid.Cell, in []ecs.Entity) {
	s.Order.Put(c, in...)
	if len(s.Hunters.All()) > 0 {
		s.Hunters.Put(c, s.Hunters.In(c)...)
	}
}

// Sort puts the awake in order, and those of them that hunt.
func (s *Space) Sort() {
	s.Order.Sort()
	s.Hunters.Sort()
	s.arrived = s.arrived[:0]
}

// InvalidateOrder says that the awake may be elsewhere than they were, within what their homes allow.
func (s *Space) InvalidateOrder() {
	s.Order.Invalidate()
	s.Hunters.Invalidate()
}

// Hunt says whether an entity looks for somebody to attack. Whoever makes an entity says it: the last one of
// its ID may have been another's.
func (s *Space) Hunt(e ecs.Entity, on bool) {
	word, bit := int(e.ID()/64), uint64(1)<<(e.ID()%64)
	if word >= len(s.hunts) {
		s.hunts = append(s.hunts, make([]uint64, word+1-len(s.hunts))...)
	}
	if s.hunts[word] &^= bit; on {
		s.hunts[word] |= bit
	}
}

// Hunts reports whether an entity looks for somebody to attack.
func (s *Space) Hunts(e ecs.Entity) bool {
	word := int(e.ID() / 64)
	return word < len(s.hunts) && s.hunts[word]>>(e.ID()%64)&1 != 0
}

// sleepingTile is for how many there is room from the first who sleeps in a tile on: about as many as live in most. A list that
// grew from one on did so for long after everything else had its size.
const sleepingTile = 32

// Sleep puts an entity to sleep in its home.
func (s *Space) Sleep(e ecs.Entity, home grid.Cell) {
	list := s.sleeping.Of(home.Tile())
	if *list == nil {
		s.slept = append(s.slept, home.Tile())
		*list = make([]sleeper, 0, sleepingTile)
	}
	*list = append(*list, sleeper{e, home})
	s.asleep++
}

// Drop forgets an entity that sleeps, if it does: it is about to go. The cost is that of the sleepers of its
// tile. One that is awake is dropped by the next sort.
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

// VisitSleeping visits up to n of those who sleep, from where it left off the last time, so that in time it comes to all of
// them. It forgets whom gone is true of: whoever visits takes them out of the world. The cost is that of n visits.
func (s *Space) VisitSleeping(n int, gone func(ecs.Entity) bool) {
	if s.asleep == 0 {
		return
	}
	at := &s.visibilityBegun
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

// Asleep is how many entities sleep.
func (s *Space) Asleep() int { return s.asleep }

// SleepingTiles visits the tiles in which somebody sleeps, with how many.
func (s *Space) SleepingTiles(visit func(t grid.Tile, asleep int)) {
	for _, t := range s.slept {
		if n := len(s.sleeping.At(t)); n > 0 {
			visit(t, n)
		}
	}
}

// Sleepers visits who sleeps in a tile, and where its home is.
func (s *Space) Sleepers(t grid.Tile, visit func(e ecs.Entity, home grid.Cell)) {
	for _, it := range s.sleeping.At(t) {
		visit(it.entity, it.home)
	}
}

// In visits the entities that have their home in a cell, awake or not, as of the last sort.
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
