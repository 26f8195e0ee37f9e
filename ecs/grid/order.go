package grid

// An Order holds the awake entities of a map sorted by home cell, so that a walk over a neighbourhood walks memory in
// order. It is rebuilt by a counting sort of runs: what has stayed in a cell is copied as one run. The zero Order is
// empty.
type Order[E any] struct {
	// Locate returns an entity's position, for Within; one without a position is at an infinite distance.
	Locate func(E) (x, y float32)

	dir     Directory
	start   []uint32 // number of a cell to its first entry; one more at the end
	entries []E
	put     []E // the entries to be sorted
	runs    []putRun

	places  []point  // of the entries of those cells that Within has visited since the last Invalidate
	located []uint32 // number of a cell to the round in which its positions were looked up
	round   uint32
}

// A putRun is some entries of a cell that were put one after another.
type putRun struct {
	home  Cell
	count uint32
	at    uint32 // number of the cell, while they are sorted
}

type point struct{ x, y float32 }

// Put adds entries whose home is a cell as of the next Sort. It does not keep the slice, which may be one of its own.
func (o *Order[E]) Put(home Cell, entries ...E) {
	if len(entries) == 0 {
		return
	}
	o.put = append(o.put, entries...)
	if n := len(o.runs); n > 0 && o.runs[n-1].home == home {
		o.runs[n-1].count += uint32(len(entries))
		return
	}
	o.runs = append(o.runs, putRun{home: home, count: uint32(len(entries))})
}

// Sort replaces the entries by those put since the last Sort. Entries of one cell keep the order in which they were
// put.
func (o *Order[E]) Sort() {
	o.dir.Reset()
	for i := range o.runs {
		o.dir.Mark(o.runs[i].home)
	}
	n := o.dir.Number()
	o.start = resize(o.start, n+1)
	clear(o.start)
	for i := range o.runs {
		r := &o.runs[i]
		at, _ := o.dir.Find(r.home)
		r.at = uint32(at)
		o.start[at+1] += r.count
	}
	for i := range n {
		o.start[i+1] += o.start[i]
	}
	// Each cell's start moves to its end while runs are copied, so the starts shift by one cell.
	o.entries = resize(o.entries, len(o.put))
	rest := o.put
	for _, r := range o.runs {
		to := &o.start[r.at]
		copy(o.entries[*to:], rest[:r.count])
		rest = rest[r.count:]
		*to += r.count
	}
	copy(o.start[1:], o.start[:n])
	o.start[0] = 0
	o.put, o.runs = o.put[:0], o.runs[:0]
	o.places, o.located = resize(o.places, len(o.entries)), resize(o.located, n)
	clear(o.located)
	o.Invalidate()
}

// Invalidate notes that entities may have moved, without a change of their home cells.
func (o *Order[E]) Invalidate() { o.round++ }

// In returns the entries whose home is a cell. The slice belongs to o.
func (o *Order[E]) In(c Cell) []E {
	i, ok := o.dir.Find(c)
	if !ok {
		return nil
	}
	return o.entries[o.start[i]:o.start[i+1]]
}

// All returns all entries, in cell order. The slice belongs to o.
func (o *Order[E]) All() []E { return o.entries }

// Each visits the cells that hold entries, tile by tile, with the entries of each. The slices belong to o.
func (o *Order[E]) Each(visit func(c Cell, in []E)) {
	o.dir.Each(func(i int, c Cell) { visit(c, o.entries[o.start[i]:o.start[i+1]]) })
}

// Within visits the entries at most r yards from x, y in a layer. Its cost is that of the cells the circle touches,
// extended by the slack of home cells.
func (o *Order[E]) Within(x, y, r float32, layer int, visit func(E)) {
	reach := r + SlackYards
	x0, x1 := axis(max(x-reach, -Limit)), axis(min(x+reach, Limit))
	y0, y1 := axis(max(y-reach, -Limit)), axis(min(y+reach, Limit))
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			i, ok := o.dir.Find(cell(cx, cy, layer))
			if !ok {
				continue
			}
			in := o.entries[o.start[i]:o.start[i+1]]
			for k, at := range o.locate(i) {
				dx, dy := at.x-x, at.y-y
				if float32(dx*dx)+float32(dy*dy) <= float32(r*r) {
					visit(in[k])
				}
			}
		}
	}
}

// locate returns the positions of the entries of a cell: they are looked up once in a round.
func (o *Order[E]) locate(cell int) []point {
	from, to := o.start[cell], o.start[cell+1]
	at := o.places[from:to]
	if o.located[cell] != o.round {
		o.located[cell] = o.round
		for i, e := range o.entries[from:to] {
			at[i].x, at[i].y = o.Locate(e)
		}
	}
	return at
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
