package components

import "muster/ecs/grid"

// HomeCell is the cell that an entity is in; None while it is not in the world. It remembers the cell at the end of
// the tick before, since what a client is sent depends on both.
type HomeCell struct {
	Cell grid.Cell
	Prev grid.Cell // the cell before the changes of tick Tick
	Tick uint32    // the last tick in which Cell was set
}

// Set changes the cell in a tick. It reports whether this is the tick's first change.
func (h *HomeCell) Set(tick uint32, c grid.Cell) (first bool) {
	if first = h.Tick != tick; first {
		h.Prev, h.Tick = h.Cell, tick
	}
	h.Cell = c
	return first
}

// Before is the cell at the end of the tick before the given one, which is the running one.
func (h HomeCell) Before(tick uint32) grid.Cell {
	if h.Tick == tick {
		return h.Prev
	}
	return h.Cell
}
