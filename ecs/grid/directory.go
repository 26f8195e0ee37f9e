package grid

import "math/bits"

// A Directory numbers the cells in use densely, so that data of cells can lie in a slice. It is filled in two passes:
// Mark every cell, Number once, then look up. The zero Directory is empty.
type Directory struct {
	slot Table[uint16] // place in rows plus one, 0 = not in use
	rows []row
	n    int
}

type row struct {
	tile  Tile
	mask  uint64
	first uint32 // number of the row's first cell
}

const _ uint16 = Tiles // there is a slot for every row that there can be

// Mark puts a cell into use.
func (d *Directory) Mark(c Cell) {
	t := c.Tile()
	slot := d.slot.Of(t)
	if *slot == 0 {
		d.rows = append(d.rows, row{tile: t})
		*slot = uint16(len(d.rows))
	}
	d.rows[*slot-1].mask |= c.Bit()
}

// Number gives every marked cell its number and returns how many there are. Numbers ascend within a
// tile; tiles stand in the order of their first mark.
func (d *Directory) Number() int {
	d.n = 0
	for i := range d.rows {
		d.rows[i].first = uint32(d.n)
		d.n += bits.OnesCount64(d.rows[i].mask)
	}
	return d.n
}

// Len is the number of cells in use, as of the last Number.
func (d *Directory) Len() int { return d.n }

// Tiles is the number of tiles that hold cells in use.
func (d *Directory) Tiles() int { return len(d.rows) }

// Cover allocates the memory that another directory has allocated.
func (d *Directory) Cover(o *Directory) {
	d.slot.Cover(&o.slot)
	if cap(d.rows) < cap(o.rows) {
		d.rows = append(make([]row, 0, cap(o.rows)), d.rows...)
	}
}

// Find returns the number of a cell; ok is false if it is not in use.
func (d *Directory) Find(c Cell) (i int, ok bool) {
	_, mask, first := d.Row(c.Tile())
	if mask&c.Bit() == 0 {
		return 0, false
	}
	return first + bits.OnesCount64(mask&(c.Bit()-1)), true
}

// Row is the part of the directory in one tile: the tile's own number, its cells in use, and the number of the first.
func (d *Directory) Row(t Tile) (n int, mask uint64, first int) {
	slot := d.slot.At(t)
	if slot == 0 {
		return 0, 0, 0
	}
	r := &d.rows[slot-1]
	return int(slot) - 1, r.mask, int(r.first)
}

// Rows visits the tiles that hold cells in use, in the order of their numbers, with what Row says of each.
func (d *Directory) Rows(visit func(n int, mask uint64, first int)) {
	for i := range d.rows {
		visit(i, d.rows[i].mask, int(d.rows[i].first))
	}
}

// Each visits the cells in use in the order of their numbers.
func (d *Directory) Each(visit func(i int, c Cell)) {
	i := 0
	for _, r := range d.rows {
		Patch{r.tile, r.mask}.Cells(func(c Cell) {
			visit(i, c)
			i++
		})
	}
}

// Reset empties the directory and keeps its memory.
func (d *Directory) Reset() {
	for _, r := range d.rows {
		*d.slot.Of(r.tile) = 0
	}
	d.rows = d.rows[:0]
	d.n = 0
}
