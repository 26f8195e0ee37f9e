package frame

import "muster/ecs/grid"

const (
	// regionTiles is the side of a region, in tiles, our own choice: 960 yards, so that what the players of a hub see lies in a few regions.
	regionTiles    = 4
	regionsPerAxis = (grid.TilesPerAxis + regionTiles - 1) / regionTiles
	// Regions is how many a map has.
	Regions = regionsPerAxis * regionsPerAxis
)

// A Region is a square of tiles of a map in all its layers: what a gateway in another process takes or leaves of a frame.
type Region uint16

// RegionOf is the region that a tile is in.
func RegionOf(t grid.Tile) Region {
	column, row := place(t)
	return Region(row/regionTiles*regionsPerAxis + column/regionTiles)
}

// place is the column and the row of a tile in its layer.
func place(t grid.Tile) (column, row int) {
	at := int(t) % (grid.TilesPerAxis * grid.TilesPerAxis)
	return at % grid.TilesPerAxis, at / grid.TilesPerAxis
}

// AppendRegions appends the regions of the rectangle of tiles in which a view lies, and of those up to so many tiles ahead, each once and in ascending
// order: all that the view touches, and at most four if none is ahead.
func AppendRegions(to []Region, v grid.View, ahead int) []Region {
	var buf [grid.MaxPatches]grid.Patch
	patches := v.Patches(&buf)
	if len(patches) == 0 {
		return to
	}
	left, top := grid.TilesPerAxis, grid.TilesPerAxis
	right, bottom := 0, 0
	for _, p := range patches {
		column, row := place(p.Tile)
		left, right, top, bottom = min(left, column), max(right, column), min(top, row), max(bottom, row)
	}
	left, top = max(left-ahead, 0)/regionTiles, max(top-ahead, 0)/regionTiles
	right, bottom = min(right+ahead, grid.TilesPerAxis-1)/regionTiles, min(bottom+ahead, grid.TilesPerAxis-1)/regionTiles
	for row := top; row <= bottom; row++ {
		for column := left; column <= right; column++ {
			to = append(to, Region(row*regionsPerAxis+column))
		}
	}
	return to
}

// Views visits the sessions whose view is another one from this frame on, with that view, and whether it is seen anew. Sessions that leave are in Left.
func (f *Frame) Views(visit func(session uint32, v grid.View, reset bool)) {
	for i := range f.directs {
		if d := &f.directs[i]; d.looked {
			visit(d.session, d.look, d.reset)
		}
	}
}
