package rules

import (
	"cmp"
	"errors"
	"slices"

	"muster/components/defs"
)

// Bounds of paths that are edited, our own choice.
const (
	MaxWays     = 1000 // of a map
	MaxWayNodes = 200  // of one
)

// Why a path is not edited.
var (
	ErrWays     = errors.New("rules: too many paths are edited")
	ErrWayNodes = errors.New("rules: a path has too many nodes")
)

// Ways are the paths of a map that game masters have begun or changed: a resource. All others are as the map has them.
type Ways struct{ edited []way } // by number

// A way is an edited path.
type way struct {
	number int32
	path   defs.Path
}

// Find is the path of a number, nil if there is none.
func (w *Ways) Find(m *defs.Map, number int32) *defs.Path {
	if at, ok := w.search(number); ok {
		return &w.edited[at].path
	}
	if number < 0 || int(number) >= len(m.Paths) {
		return nil
	}
	return &m.Paths[number]
}

// Next is the number of a path that is begun now.
func (w *Ways) Next(m *defs.Map) int32 {
	next := int32(len(m.Paths))
	if n := len(w.edited); n > 0 {
		next = max(next, w.edited[n-1].number+1)
	}
	return next
}

// Append appends a node to the path of a number, which is begun if there is none, and returns how many nodes it has then.
func (w *Ways) Append(m *defs.Map, number int32, node defs.Node) (nodes int, err error) {
	p, err := w.edit(m, number)
	if err != nil {
		return 0, err
	}
	if len(p.Nodes) >= MaxWayNodes {
		return 0, ErrWayNodes
	}
	p.Nodes = append(p.Nodes, node)
	return len(p.Nodes), nil
}

// Change replaces a node of a path by its index. The path has it.
func (w *Ways) Change(m *defs.Map, number int32, at int, node defs.Node) error {
	p, err := w.edit(m, number)
	if err == nil {
		p.Nodes[at] = node
	}
	return err
}

// Remove removes a node from a path by its index. The path has it and another: creatures go to the nodes of a path in a circle.
func (w *Ways) Remove(m *defs.Map, number int32, at int) error {
	p, err := w.edit(m, number)
	if err == nil {
		p.Nodes = slices.Delete(p.Nodes, at, at+1)
	}
	return err
}

// edit is the path of a number, to be changed. It is begun if there is none.
func (w *Ways) edit(m *defs.Map, number int32) (*defs.Path, error) {
	at, ok := w.search(number)
	if !ok {
		if len(w.edited) == MaxWays {
			return nil, ErrWays
		}
		edited := way{number: number}
		if was := w.Find(m, number); was != nil { // which worlds share
			edited.path.Nodes = slices.Clone(was.Nodes)
		}
		w.edited = slices.Insert(w.edited, at, edited)
	}
	return &w.edited[at].path, nil
}

func (w *Ways) search(number int32) (at int, ok bool) {
	return slices.BinarySearchFunc(w.edited, number, func(e way, n int32) int { return cmp.Compare(e.number, n) })
}
