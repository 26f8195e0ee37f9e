package visibility

import "testing"

// Both ways find the same pairs, in a crowd and in hubs, and so often.
func TestBothFindTheSamePairs(t *testing.T) {
	for name, places := range map[string][]Place{"hubs": Hubs(1_000), "disc": Disc(300, 60), "alone": Disc(1, 60)} {
		cells, objects := NewCells(places), NewObjects(places)
		for range 3 {
			got, want := cells.Find(), objects.Find()
			if got != want || len(places) > 1 && got.Count < 20*len(places) {
				t.Errorf("%s: by cells %+v, by objects %+v", name, got, want)
			}
		}
	}
}

// A pair that is not there, or is another, makes a difference.
func TestSumTellsPairsApart(t *testing.T) {
	var one, other Pairs
	one.add(1, guid(2))
	other.add(2, guid(1))
	if one == other || one == (Pairs{}) {
		t.Errorf("%+v and %+v", one, other)
	}
}

// Once warm, cells allocate nothing, with any observers.
func TestCellsDoNotAllocate(t *testing.T) {
	c := NewCells(Hubs(500))
	for range 200 {
		c.Tick(nil)
	}
	if n := testing.AllocsPerRun(100, func() { c.Tick(nil) }); n != 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}
