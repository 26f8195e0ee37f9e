package visibility

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// Both ways find the same pairs, in a crowd and in hubs, and so often.
func TestBothFindTheSamePairs(t *testing.T) {
	for name, places := range map[string][]Place{"hubs": Hubs(1_000), "in order": HubsInOrder(1_000), "walkers": HubsOfWalkers(1_000), "disc": Disc(300, 60), "alone": Disc(1, 60)} {
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

// In order are the same places as in random order, cluster by cluster.
func TestHubsInOrder(t *testing.T) {
	ordered, shuffled := HubsInOrder(500), Hubs(500)
	if slices.Equal(ordered, shuffled) {
		t.Error("both are in the same order")
	}
	for i := range ordered[:len(ordered)-1] {
		a, b := ordered[i], ordered[i+1]
		if (i+1)%hubMembers != 0 && math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) > 12*hubSigma {
			t.Errorf("%v and %v are one after the other", a, b)
		}
	}
	less := func(a, b Place) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }
	slices.SortFunc(ordered, less)
	slices.SortFunc(shuffled, less)
	if !slices.Equal(ordered, shuffled) {
		t.Error("they are not the same places")
	}
}

// Walkers run as fast as players, and one in a hundred comes into another cell in a tick: each of 30 yards takes 86 ticks. Both
// ways find the same pairs while they do.
func TestWalkersChangeCells(t *testing.T) {
	const walkers, ticks = 300, 260
	places := HubsOfWalkers(walkers)
	for tick := range uint64(1000) {
		for _, p := range places[:20] {
			x, y := p.stroll(tick)
			next, _ := p.stroll(tick + 1)
			if step := math.Abs(float64(next - x)); step > 0.351 || math.Abs(float64(x-p.X)) > 40.001 || y != p.Y {
				t.Fatalf("tick %d: %v yards, at %v, %v of %+v", tick, step, x, y, p)
			}
		}
	}
	cells, objects := NewCells(places), NewObjects(places)
	first := Pairs{}
	for n := range ticks {
		got, want := cells.Find(), objects.Find()
		if got != want {
			t.Fatalf("tick %d: by cells %+v, by objects %+v", n, got, want)
		}
		if n == 0 {
			first = got
		} else if n == ticks/2 && got == first {
			t.Error("the pairs are still the same")
		}
	}
	if share := float64(cells.Crossed) / walkers / ticks; share < 0.006 || share > 0.013 {
		t.Errorf("%v of them come into another cell in a tick", share)
	}
}
