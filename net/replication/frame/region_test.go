package frame

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/ecs/grid"
	"muster/internal/testseed"
)

// The regions of a view have all its cells; one whose home is up to a tile away touches none but those that are so far ahead.
func TestRegionsOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Of(t), 1))
	within := func(v float64) float32 { return float32((r.Float64()*2 - 1) * v) }
	for range 5000 {
		x, y := within(grid.Limit), within(grid.Limit)
		v := grid.View{Center: grid.At(x, y, r.IntN(grid.Layers)), Layers: uint8(1 + r.IntN(7))}
		touched := AppendRegions(nil, v, 0)
		if !slices.IsSorted(touched) || len(slices.Compact(slices.Clone(touched))) != len(touched) || len(touched) > 4 {
			t.Fatalf("the view from %g, %g touches %v, want at most four, ascending", x, y, touched)
		}
		var buf [grid.MaxPatches]grid.Patch
		for _, p := range v.Patches(&buf) {
			if !slices.Contains(touched, RegionOf(p.Tile)) {
				t.Fatalf("the view from %g, %g has cells in region %d, which is not among %v", x, y, RegionOf(p.Tile), touched)
			}
		}
		ahead := AppendRegions(nil, v, 1)
		nx := min(max(x+within(grid.TileYards), -grid.Limit), grid.Limit)
		ny := min(max(y+within(grid.TileYards), -grid.Limit), grid.Limit)
		for _, region := range AppendRegions(nil, grid.ViewFrom(grid.At(nx, ny, grid.Living)), 0) {
			if !slices.Contains(ahead, region) {
				t.Fatalf("from %g, %g region %d is seen at %g, %g, and is not among %v", x, y, region, nx, ny, ahead)
			}
		}
	}
	if got := AppendRegions(nil, grid.View{}, 1); len(got) > 0 {
		t.Errorf("no view touches %v, want nothing", got)
	}
}
