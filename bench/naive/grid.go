package naive

import "muster/ecs/grid"

// The grid of a map: units are filed by their homes, a cell being two by two of those, 60 yards wide.
//
// Source: SIZE_OF_GRID_CELL, GridDefines.h, AzerothCore (66 2/3 yards).
const (
	cellHomes = 2
	perAxis   = grid.TilesPerAxis * grid.TileSide / cellHomes
)

// A gridMap is the cells of a map; those that no unit has ever been in are nil.
type gridMap struct {
	cells []*cell
	used  []*cell
}

// A cell is the units in it.
type cell struct {
	players   []*Player
	creatures []*Creature
	marked    bool // its creatures have been updated in this tick
}

// at is the cell of a home.
func (g *gridMap) at(column, row int32) *cell {
	if g.cells == nil {
		g.cells = make([]*cell, perAxis*perAxis)
	}
	c := &g.cells[row/cellHomes*perAxis+column/cellHomes]
	if *c == nil {
		*c = new(cell)
		g.used = append(g.used, *c)
	}
	return *c
}

func (g *gridMap) unmark() {
	for _, c := range g.used {
		c.marked = false
	}
}

// near visits the cells in which units may be that an observer at a home cell sees.
//
// Source: Cell::Visit, AzerothCore.
func (g *gridMap) near(column, row int32, visit func(*cell)) {
	for y := (row - grid.Reach) / cellHomes; y <= (row+grid.Reach)/cellHomes; y++ {
		for x := (column - grid.Reach) / cellHomes; x <= (column+grid.Reach)/cellHomes; x++ {
			if c := g.cells[y*perAxis+x]; c != nil {
				visit(c)
			}
		}
	}
}

// playersNear visits the players that see a unit.
//
// Source: MessageDistDeliverer, AzerothCore.
func (g *gridMap) playersNear(u *Unit, visit func(*Player)) {
	g.near(u.column, u.row, func(c *cell) {
		for _, p := range c.players {
			if sees(u, &p.Unit) {
				visit(p)
			}
		}
	})
}

// sees reports whether two units see each other: by the same cells as in muster's worlds.
func sees(u, other *Unit) bool {
	x, y := uint32(u.column-other.column+grid.Reach), uint32(u.row-other.row+grid.Reach)
	return x < sides && y < sides && stencil[y][x]
}

const sides = 2*grid.Reach + 1

// stencil says of a home, by how many columns and rows it lies beside another, whether one is seen from the other.
var stencil = func() (seen [sides][sides]bool) {
	view := grid.ViewFrom(grid.At(0, 0, grid.Living))
	for y := range seen {
		for x := range seen[y] {
			at := func(n int) float32 { return float32(n-grid.Reach)*grid.CellYards + 1 }
			seen[y][x] = view.Has(grid.At(at(x), at(y), grid.Living))
		}
	}
	return seen
}()
