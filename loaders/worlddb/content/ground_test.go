package content

import (
	"math/rand/v2"
	"testing"
)

// The height is that of the nearest point, as a search of all points finds it.
func TestGround(t *testing.T) {
	seed := rand.Uint64()
	d := rand.New(rand.NewPCG(seed, 1))
	for n := range 200 {
		points := make([]point, n)
		for i := range points { // on a grid, so that there are ties, each place once
			points[i] = point{float32(i%17) * 3, float32(i/17) * 5, float32(i)}
		}
		d.Shuffle(n, func(i, j int) { points[i], points[j] = points[j], points[i] })
		all := append([]point(nil), points...)
		g := newGround(points)
		for range 50 {
			x, y := d.Float32()*70-10, d.Float32()*80-10
			got := g.Height(x, y)
			if n == 0 {
				if got != 0 {
					t.Fatalf("no points: %v", got)
				}
				continue
			}
			square := func(p point) float64 {
				dx, dy := float64(x)-float64(p.x), float64(y)-float64(p.y)
				return dx*dx + dy*dy
			}
			best, found := square(all[0]), -1.0
			for _, p := range all {
				best = min(best, square(p))
				if p.z == got {
					found = square(p)
				}
			}
			if found != best {
				t.Fatalf("seed %d: at (%v, %v) of %d points the height is that of one at %v, the nearest is at %v", seed, x, y, n, found, best)
			}
		}
	}
}

// Of two points at one place the lower one counts, in whatever order they come.
func TestGroundTwice(t *testing.T) {
	for _, points := range [][]point{{{1, 1, 9}, {1, 1, 2}}, {{1, 1, 2}, {1, 1, 9}}} {
		if z := newGround(points).Height(3, 3); z != 2 {
			t.Errorf("height %v, want 2", z)
		}
	}
}
