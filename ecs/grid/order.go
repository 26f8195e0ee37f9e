package grid

import "math/bits"

// An Entry is one thing in an Order.
type Entry[E any] struct {
	Entity E
	Home   Cell
	X, Y   float32
}

// An Order holds the awake things of a map sorted by home cell, so that whoever walks a neighbourhood
// walks memory in order. It is built anew each tick by a counting sort, which takes about 10 ns for an
// entry and beats every incremental structure (performance.md 2). The zero Order is empty.
type Order[E any] struct {
	dir     Directory
	start   []uint32 // number of a cell to its first entry; one more at the end
	entries []Entry[E]
	places  []uint32 // number of each given entry's cell, while they are sorted
}

// Build sorts entries into o, which keeps nothing of the slice. Entries of one cell stay in the order
// in which they were given.
func (o *Order[E]) Build(entries []Entry[E]) {
	o.dir.Reset()
	for i := range entries { // who shares a home mostly comes one after another, having been sorted before
		if i == 0 || entries[i].Home != entries[i-1].Home {
			o.dir.Mark(entries[i].Home)
		}
	}
	n := o.dir.Number()
	o.start = resize(o.start, n+1)
	clear(o.start)
	o.entries = resize(o.entries, len(entries))
	o.places = resize(o.places, len(entries))
	at := 0
	for i := range entries {
		if i == 0 || entries[i].Home != entries[i-1].Home {
			at, _ = o.dir.Find(entries[i].Home)
		}
		o.places[i] = uint32(at)
		o.start[at+1]++
	}
	for i := range n {
		o.start[i+1] += o.start[i]
	}
	// Each cell's start moves to its end while entries are placed, so the starts shift by one cell.
	for i, at := range o.places {
		o.entries[o.start[at]] = entries[i]
		o.start[at]++
	}
	copy(o.start[1:], o.start[:n])
	if n > 0 {
		o.start[0] = 0
	}
}

// In is what has its home in a cell. The slice belongs to o.
func (o *Order[E]) In(c Cell) []Entry[E] {
	i, ok := o.dir.Find(c)
	if !ok {
		return nil
	}
	return o.entries[o.start[i]:o.start[i+1]]
}

// All is every entry, in cell order. The slice belongs to o.
func (o *Order[E]) All() []Entry[E] { return o.entries }

// Tiles visits the tiles that hold entries, with the entries of each in cell order. The slices belong to o.
func (o *Order[E]) Tiles(visit func(t Tile, in []Entry[E])) {
	for _, r := range o.dir.rows {
		n := uint32(bits.OnesCount64(r.mask))
		visit(r.tile, o.entries[o.start[r.first]:o.start[r.first+n]])
	}
}

// Within visits what is at most r yards from x, y in a layer. Its cost is that of the cells the circle
// touches, counting what may stand outside its home.
func (o *Order[E]) Within(x, y, r float32, layer int, visit func(*Entry[E])) {
	reach := r + SlackYards
	x0, x1 := axis(max(x-reach, -Limit)), axis(min(x+reach, Limit))
	y0, y1 := axis(max(y-reach, -Limit)), axis(min(y+reach, Limit))
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			in := o.In(cell(cx, cy, layer))
			for i := range in {
				dx, dy := in[i].X-x, in[i].Y-y
				if float32(dx*dx)+float32(dy*dy) <= float32(r*r) {
					visit(&in[i])
				}
			}
		}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
