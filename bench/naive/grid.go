package naive

import "muster/ecs/grid"

// The grid of a map.
//
// Source: MAX_NUMBER_OF_CELLS and SIZE_OF_GRID_CELL, GridDefines.h, AzerothCore (cells of 66 2/3 yards).
const (
	cellYards = 200.0 / 3
	perAxis   = 512
)

// sightYards is from how far units are seen: those that muster's worlds must show, and no more.
const sightYards = grid.MustSeeYards

// A gridMap is the cells of a map; those that nobody has ever been in are nil.
type gridMap struct {
	cells []*cell
	used  []*cell
}

// A cell is who is in it.
type cell struct {
	players   []*Player
	creatures []*Creature
	marked    bool // its creatures have been updated in this tick
}

func axis(v float32) int { return min(max(int(v/cellYards+perAxis/2), 0), perAxis-1) }

// at is the cell of a point.
func (g *gridMap) at(x, y float32) *cell {
	if g.cells == nil {
		g.cells = make([]*cell, perAxis*perAxis)
	}
	c := &g.cells[axis(y)*perAxis+axis(x)]
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

// near visits the cells that somebody at a point may see.
//
// Source: Cell::Visit, AzerothCore.
func (g *gridMap) near(x, y float32, visit func(*cell)) {
	left, right := axis(x-sightYards), axis(x+sightYards)
	for row := axis(y - sightYards); row <= axis(y+sightYards); row++ {
		for column := left; column <= right; column++ {
			if c := g.cells[row*perAxis+column]; c != nil {
				visit(c)
			}
		}
	}
}

// playersNear visits the players that see a unit.
//
// Source: MessageDistDeliverer, AzerothCore.
func (g *gridMap) playersNear(u *Unit, visit func(*Player)) {
	g.near(u.x, u.y, func(c *cell) {
		for _, p := range c.players {
			if within(u, &p.Unit) {
				visit(p)
			}
		}
	})
}

// within reports whether two units see each other.
func within(u, other *Unit) bool {
	dx, dy := u.x-other.x, u.y-other.y
	return float32(dx*dx)+float32(dy*dy) <= sightYards*sightYards
}
