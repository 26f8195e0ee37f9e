// Package grid divides a map into cells and computes which cells an observer sees.
//
// A map is a square of Cells x Cells cells in Layers layers. Eight by eight cells are a tile; a set of
// cells is a bit mask per tile, so that "what an observer newly sees" is two words and an and-not.
// The package knows no entities: it is arithmetic on cells, and structures that are rebuilt each tick.
package grid

import "fmt"

const (
	// CellYards is the side of a cell. See stencil.go for why it is 30.
	CellYards = 30
	// SlackYards is how far outside its home cell a position may be before the home changes.
	SlackYards = 5
	// Limit bounds the coordinates of a map: positions lie in ±Limit on both axes.
	//
	// Source: MAP_HALFSIZE (32 grids of 533.33 yards), protocol.md 4.3.
	Limit = 17066.666

	// TileSide is the side of a tile in cells.
	TileSide = 8
	// TileYards is the side of a tile in yards.
	TileYards = TileSide * CellYards
	// TilesPerAxis gives ±17,280 yards: at least six cells around ±Limit, more than a stencil reaches.
	TilesPerAxis = 144
	// Layers is how many layers a map has: entities that only some observers see are in a layer of their own.
	Layers = 3
	// Tiles is the number of tiles of a map in all its layers.
	Tiles = Layers * TilesPerAxis * TilesPerAxis

	half = TilesPerAxis * TileSide * CellYards / 2
)

// The layers of a map.
const (
	Living    = 0 // seen by all observers but ghosts
	Ghosts    = 1 // the dead
	Invisible = 2 // hidden game masters
)

// A Cell is a tile number times 64 plus the place in the tile, row by row. The zero Cell is None: it is
// a corner of the map that no position within ±Limit reaches.
type Cell uint32

// None is the cell of entities that are not in the world.
const None Cell = 0

// A Tile is 8x8 cells of one layer: (layer*TilesPerAxis + row)*TilesPerAxis + column.
type Tile uint32

// At returns the cell of a position.
func At(x, y float32, layer int) Cell {
	return cell(axis(x), axis(y), layer)
}

func axis(v float32) int { return int((float64(v) + half) / CellYards) }

func cell(cx, cy, layer int) Cell {
	tile := (layer*TilesPerAxis+cy/TileSide)*TilesPerAxis + cx/TileSide
	return Cell(tile<<6 | cy%TileSide<<3 | cx%TileSide)
}

// Tile is the tile that holds c.
func (c Cell) Tile() Tile { return Tile(c >> 6) }

// Bit is the mask of c in its tile.
func (c Cell) Bit() uint64 { return 1 << (c & 63) }

// Layer is the layer of c.
func (c Cell) Layer() int { return int(c.Tile()) / (TilesPerAxis * TilesPerAxis) }

// xy is the column and row of c, counted from the corner of the map.
func (c Cell) xy() (cx, cy int) {
	tile := int(c.Tile()) % (TilesPerAxis * TilesPerAxis)
	return tile%TilesPerAxis*TileSide + int(c&7), tile/TilesPerAxis*TileSide + int(c>>3&7)
}

// Apart returns the squared distance between two cells, in cells, whatever their layers.
func (c Cell) Apart(d Cell) int {
	cx, cy := c.xy()
	dx, dy := d.xy()
	return (cx-dx)*(cx-dx) + (cy-dy)*(cy-dy)
}

// InLayer is the cell at the same place in another layer.
func (c Cell) InLayer(layer int) Cell {
	cx, cy := c.xy()
	return cell(cx, cy, layer)
}

// HasView reports whether all cells that a view around c may hold are on the map, as they are around any position within ±Limit.
func (c Cell) HasView() bool {
	const cells = TilesPerAxis * TileSide
	cx, cy := c.xy()
	return min(cx, cy) >= Reach && max(cx, cy) < cells-Reach
}

// Origin is the corner of c with the smallest coordinates.
func (c Cell) Origin() (x, y float32) {
	cx, cy := c.xy()
	return float32(cx*CellYards - half), float32(cy*CellYards - half)
}

// Origin is the corner of t with the smallest coordinates.
func (t Tile) Origin() (x, y float32) { return Cell(t << 6).Origin() }

// String names the layer, column and row of c.
func (c Cell) String() string {
	if c == None {
		return "none"
	}
	cx, cy := c.xy()
	return fmt.Sprintf("%d:%d,%d", c.Layer(), cx, cy)
}

// Track returns the home cell of an entity at a position whose home cell was c: c itself while the position is at
// most SlackYards outside it, so that walking to and fro over a border changes nothing.
func (c Cell) Track(x, y float32) Cell {
	if c == None {
		return At(x, y, Living)
	}
	ox, oy := c.Origin()
	if x >= ox-SlackYards && x <= ox+CellYards+SlackYards && y >= oy-SlackYards && y <= oy+CellYards+SlackYards {
		return c
	}
	return At(x, y, c.Layer())
}

// Inside reports whether a position lies within ±Limit; it is false for NaN.
func Inside(x, y float32) bool {
	return x >= -Limit && x <= Limit && y >= -Limit && y <= Limit
}
