package defs

import (
	"math"
	"testing"
)

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

// A sphere and a turned box reach as far as their sizes and some yards more.
func TestNearTrigger(t *testing.T) {
	ball := Trigger{X: 10, Y: 20, Z: 30, Radius: 4}
	box := Trigger{X: 10, Y: 20, Z: 30, Box: Box{Length: 10, Width: 2, Height: 4, O: math.Pi / 2}} // its length is along y
	for _, c := range []struct {
		of      *Trigger
		x, y, z float32
		want    bool
	}{
		{&ball, 15, 20, 30, true}, {&ball, 15.1, 20, 30, false}, {&ball, 10, 20, 24.9, false},
		{&box, 10, 25.9, 30, true}, {&box, 10, 26.1, 30, false}, {&box, 11.9, 20, 30, true}, {&box, 12.1, 20, 30, false}, {&box, 10, 20, 32.9, true}, {&box, 10, 20, 33.1, false},
	} {
		if got := c.of.Near(c.x, c.y, c.z, 1); got != c.want {
			t.Errorf("%+v of %+v: %v", c, *c.of, got)
		}
	}
}
