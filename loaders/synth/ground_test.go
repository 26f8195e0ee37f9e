package synth

import (
	"math"
	"testing"
)

func TestPlainIsFlat(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	d := newDice(99, 0)
	for i := range w.Maps {
		m := &w.Maps[i]
		for range 20_000 {
			x, y := d.disc()
			px, py := float32(x*lands[i].flat), float32(y*lands[i].flat)
			if z := m.Height(px, py); z != level {
				t.Fatalf("map %d at (%v, %v) has height %v, want %v", i, px, py, z, level)
			}
		}
	}
}

func TestLandIsSmooth(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	d := newDice(99, 0)
	for i := range w.Maps {
		m := &w.Maps[i]
		half := float64(m.Half)
		low, high, steep := math.Inf(1), math.Inf(-1), 0.0
		for range 200_000 {
			x, y := d.between(-half, half), d.between(-half, half)
			dx, dy := d.direction()
			a := float64(m.Height(float32(x), float32(y)))
			b := float64(m.Height(float32(x+dx), float32(y+dy)))
			low, high, steep = min(low, a), max(high, a), max(steep, math.Abs(a-b))
		}
		if steep > 1 {
			t.Errorf("map %d rises %.2f yards in one, want at most 1", i, steep)
		}
		if low < level-165 || high > level+165 || high-low < 10 {
			t.Errorf("map %d has heights from %.0f to %.0f", i, low, high)
		}
		t.Logf("map %d: heights %.0f to %.0f, slope up to %.2f", i, low, high, steep)
	}
}

func TestHeightIsFinite(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	far := []float32{0, 1, -17066.666, 17066.666, 1e9, -1e30, math.MaxFloat32}
	for _, x := range far {
		for _, y := range far {
			if z := w.Maps[0].Height(x, y); !(abs(z) < 1000) {
				t.Errorf("at (%v, %v) the height is %v", x, y, z)
			}
		}
	}
}

func TestHeightDoesNotAllocate(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	if n := testing.AllocsPerRun(100, func() { w.Maps[0].Height(9000, 9000) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
