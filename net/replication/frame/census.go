package frame

import (
	"slices"

	"muster/ecs/grid"
)

// A Census is which subjects are in the cells that observers see, by what the frames say that those observers are sent: so which subjects their
// clients know. It takes a step for each cell of a frame, and more for those that come into view or that a subject crosses into. The zero Census
// is empty.
type Census struct {
	cells  map[grid.Cell][]uint64 // guids
	gained grid.Set
}

// See notes that an observer has another view from the next frame on that is followed; with a reset it sees all of it anew.
func (c *Census) See(before, after grid.View, reset bool) {
	if reset {
		before = grid.View{}
	}
	c.gained.AddMinus(after, before)
}

// Follow notes what a frame does.
func (c *Census) Follow(f *Frame) {
	if c.cells == nil {
		c.cells = make(map[grid.Cell][]uint64)
	}
	for _, t := range c.gained.Tiles() { // a cell that is empty is not in the frame
		grid.Patch{Tile: t, Mask: c.gained.Mask(t)}.Cells(func(at grid.Cell) { c.cells[at] = c.cells[at][:0] })
	}
	f.dir.Each(func(i int, at grid.Cell) {
		if in := &f.cells[i]; in.has&(someLeave|someEnter) != 0 || in.residents.n > 0 {
			c.cell(f, at, in)
		}
	})
	c.gained.Clear()
}

func (c *Census) cell(f *Frame, at grid.Cell, in *cell) {
	all, ok := c.cells[at]
	if !ok {
		return // no observer has seen it
	}
	if c.gained.Has(at) { // what has left it is not among its residents
		for i := range f.residents[in.residents.first:][:in.residents.n] {
			all = append(all, f.residents[int(in.residents.first)+i].guid)
		}
	} else {
		for _, l := range f.leaves[in.leave.first:][:in.leave.n] {
			all = slices.DeleteFunc(all, func(guid uint64) bool { return guid == l.guid })
		}
	}
	for i := range f.enters[in.enter.first:][:in.enter.n] {
		all = append(all, f.enters[int(in.enter.first)+i].guid)
	}
	c.cells[at] = all
}

// Keep forgets the cells that are in none of some views.
func (c *Census) Keep(seen *grid.Set) {
	for at := range c.cells {
		if !seen.Has(at) {
			delete(c.cells, at)
		}
	}
}
