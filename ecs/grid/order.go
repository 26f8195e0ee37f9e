package grid

// An Order holds the awake things of a map sorted by home cell, so that whoever walks a neighbourhood walks memory in
// order. It is built anew by a counting sort of runs: what has stayed in a cell is put as a whole. The zero Order is
// empty.
type Order[E any] struct {
	// Locate is where something is, for Within; what is nowhere may be at an infinite distance.
	Locate func(E) (x, y float32)

	dir     Directory
	start   []uint32 // number of a cell to its first entry; one more at the end
	entries []E
	put     []E // what is to be sorted
	runs    []putRun

	places  []point  // of the entries of those cells that have been asked about since anything moved
	located []uint32 // number of a cell to the round in which that was
	round   uint32
}

// A putRun is some things of a cell that were put one after another.
type putRun struct {
	home  Cell
	count uint32
	at    uint32 // number of the cell, while they are sorted
}

type point struct{ x, y float32 }

// Put gives o what has its home in a cell as of the next Sort. It keeps nothing of the slice, which may be one of its own.
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

// Sort has o hold what was put since the last Sort, and nothing else. What is in one cell is in the order in which it was
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

// Invalidate says that things may be elsewhere than they were, within what their homes allow.
func (o *Order[E]) Invalidate() { o.round++ }

// In is what has its home in a cell. The slice belongs to o.
func (o *Order[E]) In(c Cell) []E {
	i, ok := o.dir.Find(c)
	if !ok {
		return nil
	}
	return o.entries[o.start[i]:o.start[i+1]]
}

// All is every entry, in cell order. The slice belongs to o.
func (o *Order[E]) All() []E { return o.entries }

// Each visits the cells that hold entries, tile by tile, with the entries of each. The slices belong to o.
func (o *Order[E]) Each(visit func(c Cell, in []E)) {
	o.dir.Each(func(i int, c Cell) { visit(c, o.entries[o.start[i]:o.start[i+1]]) })
}

// Within visits what is at most r yards from x, y in a layer. Its cost is that of the cells the circle
// touches, counting what may stand outside its home.
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

// locate is where the entries of a cell are: each is asked for once in a round, by the first who wants to know.
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
