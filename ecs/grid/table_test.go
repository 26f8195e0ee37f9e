package grid

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestTableEqualsMap(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 1))
	var table Table[int]
	model := map[Tile]int{0: 1, Tiles - 1: 2}
	for tile, v := range model {
		*table.Of(tile) = v
	}
	for i := range 2000 {
		tile := Tile(r.IntN(Tiles))
		*table.Of(tile) += i
		model[tile] += i
	}
	for tile := range Tile(Tiles) {
		if got := table.At(tile); got != model[tile] {
			t.Fatalf("seed %d: tile %d holds %d, want %d", seed, tile, got, model[tile])
		}
	}
}

// What lies in a small part of a map takes little memory: a world has a directory for each of its frames.
func TestSmallIsSmall(t *testing.T) {
	const limit = 8 << 10 // bytes
	c := At(100, 100, Living)
	for name, make := range map[string]func() any{
		"directory": func() any { d := new(Directory); d.Mark(c); return d },
		"set":       func() any { s := new(Set); s.AddView(ViewFrom(c)); return s },
	} {
		least := uint64(math.MaxUint64) // of some: the runtime allocates now and then, too
		for range 10 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			made := make()
			runtime.ReadMemStats(&after)
			least = min(least, after.TotalAlloc-before.TotalAlloc)
			runtime.KeepAlive(made)
		}
		if least > limit {
			t.Errorf("a %s of one place takes %d bytes, want at most %d", name, least, limit)
		}
	}
}
