package defs

import "testing"

func TestLookups(t *testing.T) {
	w := World{
		Maps:      []Map{{ID: 0, Name: "a"}, {ID: 7, Name: "b"}},
		Creatures: []Creature{{Entry: 3}, {Entry: 5}, {Entry: 300}},
	}
	for i := range w.Creatures {
		if c := w.Creature(w.Creatures[i].Entry); c != &w.Creatures[i] {
			t.Errorf("entry %d found %+v", w.Creatures[i].Entry, c)
		}
	}
	for _, entry := range []uint32{0, 4, 301} {
		if c := w.Creature(entry); c != nil {
			t.Errorf("entry %d found %+v, want none", entry, c)
		}
	}
	if m := w.Map(7); m != &w.Maps[1] {
		t.Errorf("map 7 found %+v", m)
	}
	if m := w.Map(1); m != nil {
		t.Errorf("map 1 found %+v, want none", m)
	}
}

func TestZone(t *testing.T) {
	m := Map{Zones: []Zone{
		{ID: 2, MinX: -10, MinY: -10, MaxX: 10, MaxY: 10},
		{ID: 1, MinX: -100, MinY: -100, MaxX: 100, MaxY: 100},
	}}
	for _, c := range []struct {
		x, y float32
		want uint32
	}{
		{0, 0, 2}, {-10, -10, 2}, {10, 0, 1}, {0, 10, 1}, {-100, 99, 1}, {100, 0, 0}, {0, -101, 0},
	} {
		if got := m.Zone(c.x, c.y); got != c.want {
			t.Errorf("(%v, %v) is in zone %d, want %d", c.x, c.y, got, c.want)
		}
	}
}
