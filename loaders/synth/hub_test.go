package synth

import (
	"math"
	"testing"

	"muster/components/defs"
)

func TestHubs(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	if len(w.Hubs) != 441 {
		t.Fatalf("%d hubs, want 441", len(w.Hubs))
	}
	for i, want := range [][2]float32{
		{0, 0}, {200, 0}, {200, 200}, {0, 200}, {-200, 200}, {-200, 0}, {-200, -200}, {0, -200}, {200, -200}, {400, -200},
	} {
		if h := w.Hubs[i]; h.X != want[0] || h.Y != want[1] {
			t.Errorf("hub %d is at (%v, %v), want %v", i, h.X, h.Y, want)
		}
	}
	at := make(map[defs.Hub]bool)
	for i, h := range w.Hubs {
		if at[h] {
			t.Errorf("hub %d is at the place of another", i)
		}
		at[h] = true
		if h.Map != 0 || h.Z != level || max(abs(h.X), abs(h.Y)) > 2000 {
			t.Errorf("hub %d is %+v", i, h)
		}
		if i > 0 {
			if step := distance(h.X, h.Y, w.Hubs[i-1].X, w.Hubs[i-1].Y); step != 200 {
				t.Errorf("hub %d is %v yards from the one before, want 200", i, step)
			}
		}
	}
}

func TestHubOfCharacter(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	seen := make(map[defs.Hub]int)
	for n := range 2 * PerHub * len(w.Hubs) {
		h, hub := Hub(w, n), w.Hubs[n/50%441]
		if d := distance(h.X, h.Y, hub.X, hub.Y); h.Map != 0 || d > 5.001 || h.Z != level || !(h.O >= 0 && h.O < 2*math.Pi) {
			t.Fatalf("character %d begins at %+v, %v yards from %+v", n, h, d, hub)
		}
		if other, taken := seen[h]; taken {
			t.Errorf("characters %d and %d begin in one point", other, n)
		}
		seen[h] = n
		if h != Hub(w, n) {
			t.Errorf("character %d begins now here, now there", n)
		}
	}

	one := newWorld(t, Config{Creatures: -1, Start: One})
	for _, n := range []int{0, 49, 50, 9_999, 1_000_000} {
		if h := Hub(one, n); h.Map != 0 || distance(h.X, h.Y, 0, 0) > 5.001 {
			t.Errorf("character %d begins at %+v, want the first hub", n, h)
		}
	}
	if a, b := Hub(w, 49), Hub(one, 49); a != b {
		t.Errorf("character 49 begins at %+v or %+v", a, b)
	}
}

func TestCrosses(t *testing.T) {
	for _, c := range []struct {
		a, b  point
		yards float64
		want  bool
	}{
		{point{0, 0}, point{0, 0}, 10, true},
		{point{10, 0}, point{10, 0}, 10, false},
		{point{200, 209.9}, point{200, 209.9}, 10, true},
		{point{-30, 9}, point{30, 9}, 10, true},
		{point{-30, 11}, point{30, 11}, 10, false},
		{point{11, 9}, point{60, 9}, 10, false},
		{point{100, 100}, point{100, 100}, 25, false},
		{point{2009, 2000}, point{2060, 2000}, 10, true},
		{point{2200, 2000}, point{2200, 2000}, 25, false}, // no hub so far out
		{point{9000, -9000}, point{9000, -9000}, 25, false},
	} {
		if got := crosses(c.a, c.b, c.yards); got != c.want {
			t.Errorf("%v to %v within %v yards of a hub: %v, want %v", c.a, c.b, c.yards, got, c.want)
		}
	}
}

func abs(v float32) float32 { return max(v, -v) }

func distance(ax, ay, bx, by float32) float64 {
	return math.Hypot(float64(ax)-float64(bx), float64(ay)-float64(by))
}
