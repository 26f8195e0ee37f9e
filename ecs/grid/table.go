package grid

// A Table holds a value for each tile of a map. It takes memory only for the parts of the map in which
// something was written, and keeps it. In the zero Table every value is zero.
type Table[T any] struct {
	pages [Tiles / pageTiles]*[pageTiles]T
}

// pageTiles is the size of a part, not quite two rows of tiles: small beside what a map's players cover,
// and large enough for the pages of a map to be few.
const pageTiles = 256

const _ uint = -(Tiles % pageTiles) // the last page ends with the last tile

// At returns the value of a tile.
func (a *Table[T]) At(t Tile) (v T) {
	if page := a.pages[t/pageTiles]; page != nil {
		v = page[t%pageTiles]
	}
	return v
}

// Of returns the address of the value of a tile, to be written. The pointer stays valid.
func (a *Table[T]) Of(t Tile) *T {
	page := a.pages[t/pageTiles]
	if page == nil {
		page = new([pageTiles]T)
		a.pages[t/pageTiles] = page
	}
	return &page[t%pageTiles]
}

// Cover allocates the memory that another table has allocated.
func (a *Table[T]) Cover(o *Table[T]) {
	for i, page := range o.pages {
		if page != nil && a.pages[i] == nil {
			a.pages[i] = new([pageTiles]T)
		}
	}
}
