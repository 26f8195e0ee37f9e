package visibility

import "muster/ecs/grid"

// cellYards is the side of a cell of objects.
//
// Source: SIZE_OF_GRID_CELL, GridDefines.h, AzerothCore (66 2/3 yards).
const cellYards = 200.0 / 3

// reachCells is how far around itself an observer looks, which contains every view.
const reachCells = 3

// Objects is the usual way: a grid of cells that hold pointers, which each observer has a visitor visit; and for each
// observer a set of the objects that its client knows, from which every visited one is removed, so that those remain that
// are gone.
//
// Source: VisibleNotifier and Player::UpdateVisibilityOf, AzerothCore.
type Objects struct {
	all   []*object
	cells map[[2]int32]*cell
	tick  uint64
}

// A cell is the objects in it.
type cell struct{ members []*object }

// An object is an observer and a subject.
type object struct {
	number int
	guid   uint64
	place  Place
	x, y   float32
	home   grid.Cell
	view   grid.View
	at     [2]int32
	known  map[uint64]*object
	gone   map[uint64]*object
	list   []uint64
}

// A visitor is shown the objects of a cell.
type visitor interface{ visit(*cell) }

// NewObjects adds an object for each place.
func NewObjects(places []Place) *Objects {
	w := &Objects{cells: make(map[[2]int32]*cell)}
	for i, p := range places {
		o := &object{
			number: i, guid: guid(i), place: p, x: p.X, y: p.Y, home: p.home(),
			known: make(map[uint64]*object), gone: make(map[uint64]*object),
		}
		o.view = grid.ViewFrom(o.home)
		o.at = axes(o.x, o.y)
		w.all = append(w.all, o)
		w.cell(o.at).members = append(w.cell(o.at).members, o)
	}
	return w
}

func axes(x, y float32) [2]int32 {
	const half = 1 << 15
	return [2]int32{int32(x/cellYards + half), int32(y/cellYards + half)}
}

func (w *Objects) cell(at [2]int32) *cell {
	c := w.cells[at]
	if c == nil {
		c = new(cell)
		w.cells[at] = c
	}
	return c
}

// Tick moves all, and finds for each the objects that it sees: a list of GUIDs. visit gets the lists; it may be nil.
func (w *Objects) Tick(visit func(observer int, seen []uint64)) {
	w.tick++
	for _, o := range w.all {
		w.move(o)
	}
	for _, o := range w.all {
		o.look(w)
		if visit != nil {
			visit(o.number, o.list)
		}
	}
}

func (w *Objects) move(o *object) {
	o.x, o.y = o.place.stroll(w.tick)
	if home := o.home.Track(o.x, o.y); home != o.home {
		o.home, o.view = home, grid.ViewFrom(home)
	}
	at := axes(o.x, o.y)
	if at == o.at {
		return
	}
	from := w.cell(o.at)
	for i, other := range from.members {
		if other == o {
			last := len(from.members) - 1
			from.members[i] = from.members[last]
			from.members = from.members[:last]
			break
		}
	}
	o.at = at
	w.cell(at).members = append(w.cell(at).members, o)
}

// look updates the objects that a client knows, and lists them.
func (o *object) look(w *Objects) {
	clear(o.gone)
	for guid, other := range o.known {
		o.gone[guid] = other
	}
	o.list = o.list[:0]
	var v visitor = o
	for y := o.at[1] - reachCells; y <= o.at[1]+reachCells; y++ {
		for x := o.at[0] - reachCells; x <= o.at[0]+reachCells; x++ {
			if c := w.cells[[2]int32{x, y}]; c != nil {
				v.visit(c)
			}
		}
	}
	for guid := range o.gone {
		delete(o.known, guid)
	}
}

// visit looks at all objects in a cell.
func (o *object) visit(c *cell) {
	for _, other := range c.members {
		if other == o || !o.view.Has(other.home) {
			continue
		}
		delete(o.gone, other.guid)
		if _, ok := o.known[other.guid]; !ok {
			o.known[other.guid] = other
		}
		o.list = append(o.list, other.guid)
	}
}

// Find is a Tick that says which pairs there are.
func (w *Objects) Find() (found Pairs) {
	w.Tick(func(observer int, seen []uint64) {
		for _, guid := range seen {
			found.add(observer, guid)
		}
	})
	return found
}
