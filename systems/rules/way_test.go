package rules

import (
	"errors"
	"slices"
	"testing"

	"muster/components/defs"
)

// Paths that are edited have numbers of their own, or are copies of those of the map, which worlds share. Their number and their
// nodes are bounded.
func TestWays(t *testing.T) {
	m := &defs.Map{Paths: []defs.Path{{Nodes: []defs.Node{{X: 1}, {X: 2}}}, {Nodes: []defs.Node{{Y: 1}, {Y: 2}}}}}
	var w Ways
	if next := w.Next(m); next != 2 {
		t.Errorf("the first path that is begun is %d, want 2", next)
	}
	nodes := func(number int32) (x []float32) {
		if p := w.Find(m, number); p != nil {
			for _, n := range p.Nodes {
				x = append(x, n.X)
			}
		}
		return x
	}
	for _, step := range []struct {
		number, next int32
		want         []float32
	}{
		{2, 3, []float32{10}}, {2, 3, []float32{10, 11}}, {0, 3, []float32{1, 2, 12}}, {3, 4, []float32{13}}, {2, 4, []float32{10, 11, 14}},
	} {
		x := step.want[len(step.want)-1]
		n, err := w.Append(m, step.number, defs.Node{X: x})
		if err != nil || n != len(step.want) || !slices.Equal(nodes(step.number), step.want) {
			t.Errorf("path %d has %v, %d nodes, %v, want %v", step.number, nodes(step.number), n, err, step.want)
		}
		if next := w.Next(m); next != step.next {
			t.Errorf("after path %d the next is %d, want %d", step.number, next, step.next)
		}
	}
	if len(m.Paths[0].Nodes) != 2 || !slices.Equal(nodes(1), []float32{0, 0}) {
		t.Error("a path of the map is another")
	}
	for _, number := range []int32{-1, 4, 1 << 30} {
		if w.Find(m, number) != nil {
			t.Errorf("there is a path %d", number)
		}
	}

	for n := 3; n < 200; n++ {
		if _, err := w.Append(m, 2, defs.Node{}); err != nil {
			t.Fatalf("node %d: %v", n+1, err)
		}
	}
	if n, err := w.Append(m, 2, defs.Node{}); n != 0 || !errors.Is(err, ErrWayNodes) || len(nodes(2)) != 200 {
		t.Errorf("one too many: %d, %v, of %d", n, err, len(nodes(2)))
	}
	for n := 3; n < 1000; n++ {
		if _, err := w.Append(m, w.Next(m), defs.Node{}); err != nil {
			t.Fatalf("path %d: %v", n+1, err)
		}
	}
	if n, err := w.Append(m, w.Next(m), defs.Node{}); n != 0 || !errors.Is(err, ErrWays) {
		t.Errorf("a path too many: %d, %v", n, err)
	}
	if n, err := w.Append(m, 3, defs.Node{X: 7}); n != 2 || err != nil {
		t.Errorf("a path that is edited already: %d, %v", n, err)
	}
}

// A node is replaced, or taken out; a path of the map is copied first. Of a path that cannot be edited nothing changes.
func TestWayChanges(t *testing.T) {
	m := &defs.Map{Paths: []defs.Path{{Nodes: []defs.Node{{X: 1}, {X: 2}, {X: 3}}}}}
	var w Ways
	if err := w.Change(m, 0, 1, defs.Node{X: 9}); err != nil || w.Find(m, 0).Nodes[1].X != 9 {
		t.Errorf("changed to %+v, %v", w.Find(m, 0).Nodes, err)
	}
	if err := w.Remove(m, 0, 0); err != nil || !slices.Equal(w.Find(m, 0).Nodes, []defs.Node{{X: 9}, {X: 3}}) {
		t.Errorf("without its first node it has %+v, %v", w.Find(m, 0).Nodes, err)
	}
	if !slices.Equal(m.Paths[0].Nodes, []defs.Node{{X: 1}, {X: 2}, {X: 3}}) {
		t.Errorf("the map has %+v", m.Paths[0].Nodes)
	}
	for len(w.edited) < MaxWays {
		w.edited = append(w.edited, way{number: int32(len(w.edited))})
	}
	if err := w.Change(m, 5000, 0, defs.Node{}); !errors.Is(err, ErrWays) {
		t.Errorf("a path too many to change: %v", err)
	}
	if err := w.Remove(m, 5000, 0); !errors.Is(err, ErrWays) {
		t.Errorf("a path too many to take a node from: %v", err)
	}
}
