package ecs

import "testing"

func TestRowIsACopy(t *testing.T) {
	w := NewWorld(4)
	one, other := NewArchetype(w, Of2[body, tag]()...), NewArchetype(w, Of2[body, speed]()...)
	bodies := NewAccessor[body](w)
	a, b := one.Spawn(), other.Spawn()
	bodies.Get(a).X, bodies.Get(b).X = 1, 2
	var row Row
	w.Copy(a, &row)
	bodies.Get(a).X = 9
	if c := row.Components(); len(c) != 2 || c[0].Interface() != (body{X: 1}) || c[1].Interface() != (tag{}) {
		t.Errorf("the row is %v", c)
	}
	w.Copy(b, &row)
	if c := row.Components(); len(c) != 2 || c[0].Interface() != (body{X: 2}) || c[1].Interface() != (speed{}) {
		t.Errorf("the row of another archetype is %v", c)
	}
	if n := testing.AllocsPerRun(10, func() { w.Copy(b, &row) }); n > 3 {
		t.Errorf("a row of the same archetype takes %v allocations", n)
	}
	if row.Clear(); len(row.Components()) != 0 {
		t.Error("a row that was cleared has components")
	}
}
