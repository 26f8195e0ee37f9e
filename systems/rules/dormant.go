package rules

import (
	"slices"

	"muster/ecs/grid"
)

// Dormant are the spawn points that spawn as soon as their cells wake (docs/adr/0012-spawn-points-lie-dormant.md).
type Dormant struct{ tiles grid.Table[[]dormant] }

type dormant struct {
	point uint32
	cell  grid.Cell
}

// Add adds a point whose cell sleeps.
func (d *Dormant) Add(point uint32, cell grid.Cell) {
	list := d.tiles.Of(cell.Tile())
	*list = append(*list, dormant{point, cell})
}

// Has reports whether a point in a cell is dormant.
func (d *Dormant) Has(point uint32, cell grid.Cell) bool {
	return slices.ContainsFunc(d.tiles.At(cell.Tile()), func(it dormant) bool { return it.point == point })
}

// Remove removes a point in a cell, if it is dormant.
func (d *Dormant) Remove(point uint32, cell grid.Cell) {
	if len(d.tiles.At(cell.Tile())) > 0 {
		list := d.tiles.Of(cell.Tile())
		*list = slices.DeleteFunc(*list, func(it dormant) bool { return it.point == point })
	}
}

// Wake has the points in the cells of a patch, which have just come into view, spawn.
func (d *Dormant) Wake(p grid.Patch, spawn func(point uint32)) {
	if len(d.tiles.At(p.Tile)) == 0 {
		return
	}
	at := d.tiles.Of(p.Tile)
	list := *at
	kept := list[:0]
	for _, it := range list {
		if p.Mask&it.cell.Bit() != 0 {
			spawn(it.point)
		} else {
			kept = append(kept, it)
		}
	}
	*at = kept
}
