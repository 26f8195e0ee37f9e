package grid

import "math/bits"

// A Set is a set of cells, cheap to fill and to clear each tick. The zero Set is empty.
type Set struct {
	masks Table[uint64]
	used  []Tile // tiles that are not empty
}

// Add adds the cells of a patch to the set.
func (s *Set) Add(p Patch) {
	if p.Mask == 0 {
		return
	}
	mask := s.masks.Of(p.Tile)
	if *mask == 0 {
		s.used = append(s.used, p.Tile)
	}
	*mask |= p.Mask
}

// Mark adds a cell to the set, and reports whether it was not in it.
func (s *Set) Mark(c Cell) bool {
	mask, bit := s.masks.Of(c.Tile()), c.Bit()
	if *mask&bit != 0 {
		return false
	}
	if *mask == 0 {
		s.used = append(s.used, c.Tile())
	}
	*mask |= bit
	return true
}

// AddView adds all cells of a view to the set.
func (s *Set) AddView(v View) {
	var buf [MaxPatches]Patch
	for _, p := range v.Patches(&buf) {
		s.Add(p)
	}
}

// AddMinus adds the cells that v holds and w does not.
func (s *Set) AddMinus(v, w View) {
	var vb, wb [MaxPatches]Patch
	a, b := v.Patches(&vb), w.Patches(&wb)
	for _, p := range a {
		for len(b) > 0 && b[0].Tile < p.Tile {
			b = b[1:]
		}
		if len(b) > 0 && b[0].Tile == p.Tile {
			p.Mask &^= b[0].Mask
		}
		s.Add(p)
	}
}

// Has reports whether a cell is in the set.
func (s *Set) Has(c Cell) bool { return s.masks.At(c.Tile())&c.Bit() != 0 }

// Mask returns the part of the set in one tile.
func (s *Set) Mask(t Tile) uint64 { return s.masks.At(t) }

// Tiles are the tiles that hold something of the set, in the order in which they were first added. The
// slice belongs to s.
func (s *Set) Tiles() []Tile { return s.used }

// Clear empties the set and keeps its memory. The cost is that of the tiles in use.
func (s *Set) Clear() {
	for _, t := range s.used {
		*s.masks.Of(t) = 0
	}
	s.used = s.used[:0]
}

// Swap exchanges two sets.
func (s *Set) Swap(o *Set) { *s, *o = *o, *s }

// Cells visits the cells of a patch in ascending order.
func (p Patch) Cells(visit func(Cell)) {
	for ; p.Mask != 0; p.Mask &= p.Mask - 1 {
		visit(p.First())
	}
}

// First is the smallest cell of a patch that is not empty.
func (p Patch) First() Cell { return Cell(p.Tile)<<6 | Cell(bits.TrailingZeros64(p.Mask)) }
