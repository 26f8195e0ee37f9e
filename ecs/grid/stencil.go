package grid

// What an observer sees is a fixed set of cells around its home, the stencil. Two positions may each
// lie SlackYards outside their homes, so for homes that are dx columns apart the distance along x is at
// least (dx-1)*CellYards - 2*SlackYards and at most (dx+1)*CellYards + 2*SlackYards. A cell belongs to
// the stencil if that least distance is within MustSeeYards; with cells of 30 yards the greatest
// distance over the stencil is 189 yards, under MayNotSeeYards. (33 1/3 yards, AzerothCore's half cell,
// gives 203.)

const (
	// MustSeeYards: everything within it is visible.
	MustSeeYards = 90
	// MayNotSeeYards: nothing beyond it is visible.
	MayNotSeeYards = 200
	// Reach is the stencil's half width in cells.
	Reach = 4
)

// A Patch is a set of cells of one tile.
type Patch struct {
	Tile Tile
	Mask uint64
}

// stencils holds, for each place in a tile, the stencil's masks over the four tiles it can touch, in
// ascending order of tiles, and the first of them relative to the home's tile (as dx, dy in {-1, 0}).
var stencils = func() (table [64]struct {
	mask   [4]uint64
	dx, dy int
}) {
	for place := range table {
		px, py := place&7, place>>3
		s := &table[place]
		if px < Reach {
			s.dx = -1
		}
		if py < Reach {
			s.dy = -1
		}
		for dy := -Reach; dy <= Reach; dy++ {
			for dx := -Reach; dx <= Reach; dx++ {
				if !seen(dx, dy) {
					continue
				}
				x, y := px+dx-s.dx*TileSide, py+dy-s.dy*TileSide
				s.mask[y/TileSide*2+x/TileSide] |= 1 << (y%TileSide<<3 | x%TileSide)
			}
		}
	}
	return table
}()

// seen reports whether a home dx, dy cells away belongs to the stencil.
func seen(dx, dy int) bool {
	least := func(d int) int { return max(0, (max(d, -d)-1)*CellYards-2*SlackYards) }
	x, y := least(dx), least(dy)
	return x*x+y*y <= MustSeeYards*MustSeeYards
}

// A View is what an observer sees: the stencil around its home, in its layers. The zero View sees
// nothing; any other sees its own home.
type View struct {
	Center Cell
	Layers uint8 // bit per layer
}

// NewView is the view from a home cell into layers, of which each is a bit; from None it sees nothing.
func NewView(home Cell, layers uint8) View {
	if home == None {
		return View{}
	}
	return View{home, layers}
}

// ViewFrom is the view of an observer that sees the layer it is in.
func ViewFrom(home Cell) View { return View{home, 1 << home.Layer()} }

// Has reports whether the view holds a cell.
func (v View) Has(c Cell) bool {
	if v.Center == None || c == None || v.Layers>>c.Layer()&1 == 0 {
		return false
	}
	hx, hy := v.Center.xy()
	cx, cy := c.xy()
	dx, dy := cx-hx, cy-hy
	return dx >= -Reach && dx <= Reach && dy >= -Reach && dy <= Reach && seen(dx, dy)
}

// MaxPatches is how many patches a view has at most: four tiles in each layer.
const MaxPatches = 4 * Layers

// Patches fills buf with the cells of v, in ascending order of tiles, and returns the filled part.
func (v View) Patches(buf *[MaxPatches]Patch) []Patch {
	if v.Center == None {
		return buf[:0]
	}
	const plane = TilesPerAxis * TilesPerAxis
	s := &stencils[v.Center&63]
	first := int(v.Center.Tile())%plane + s.dy*TilesPerAxis + s.dx
	n := 0
	for layer := range Layers {
		if v.Layers>>layer&1 == 0 {
			continue
		}
		t := Tile(layer*plane + first)
		for i, at := range [4]Tile{t, t + 1, t + TilesPerAxis, t + TilesPerAxis + 1} {
			if s.mask[i] != 0 {
				buf[n] = Patch{at, s.mask[i]}
				n++
			}
		}
	}
	return buf[:n]
}
