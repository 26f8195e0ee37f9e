package components

import "muster/ecs/grid"

// Home is the cell under which an entity is filed: where it was at the end of this tick, and of the
// one before. Zero is no cell: in no view.
type Home struct{ Cell, Prev grid.Cell }
