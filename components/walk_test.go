package components

import (
	"math"
	"math/rand/v2"
	"testing"

	"muster/internal/testseed"
)

func TestWalk(t *testing.T) {
	var w Walk
	if w.Walking() {
		t.Error("the zero walk walks")
	}
	// 10 yards north, 5 yards up to the west (3-4-5), at 2.5 yards per second.
	start := uint32(math.MaxUint32 - 999) // the clock wraps on the way
	if !w.Begin(Vec{100, 200, 10}, []Vec{{100, 200, 10}, {110, 200, 10}, {110, 204, 13}}, 2.5, start) {
		t.Fatal("no way")
	}
	if w.SplineID != 1 || w.Count != 2 || w.DurationMs() != 6000 {
		t.Fatalf("spline %d with %d legs takes %d ms", w.SplineID, w.Count, w.DurationMs())
	}
	west := float32(math.Pi / 2)
	for _, c := range []struct {
		ms   int
		want Position
		done bool
		legs int
		left uint32
	}{
		{-50, Position{100, 200, 10, 0}, false, 2, 6000},
		{0, Position{100, 200, 10, 0}, false, 2, 6000},
		{1000, Position{102.5, 200, 10, 0}, false, 2, 5000},
		{4000, Position{110, 200, 10, west}, false, 1, 2000},
		{5000, Position{110, 202, 11.5, west}, false, 1, 1000},
		{6000, Position{110, 204, 13, west}, true, 0, 0},
		{99000, Position{110, 204, 13, west}, true, 0, 0},
	} {
		now := start + uint32(c.ms)
		if got, done := w.At(now); got != c.want || done != c.done {
			t.Errorf("after %d ms at %v, %v; want %v, %v", c.ms, got, done, c.want, c.done)
		}
		if legs, left := w.Remaining(now); len(legs) != c.legs || left != c.left {
			t.Errorf("after %d ms %d legs and %d ms remain; want %d, %d", c.ms, len(legs), left, c.legs, c.left)
		}
	}
	w.Stop()
	if w.Walking() || w.DurationMs() != 0 {
		t.Error("walks after Stop")
	}
	if w.Begin(Vec{1, 1, 1}, []Vec{{1, 1, 1}}, 2.5, 0) || w.Begin(Vec{1, 1, 1}, []Vec{{2, 1, 1}}, 0, 0) {
		t.Error("walks nowhere, or without speed")
	}
	if w.SplineID != 1 {
		t.Errorf("a walk nowhere took number %d", w.SplineID)
	}
}

// TestWalkSmooth checks on random paths that a walker never exceeds its speed, faces where it goes, and
// that what remains leads from where it is to the end.
func TestWalkSmooth(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		points := make([]Vec, 1+r.IntN(MaxLegs+3))
		for i := range points {
			points[i] = Vec{r.Float32() * 50, r.Float32() * 50, r.Float32() * 5}
		}
		speed := 1 + r.Float32()*9
		start := r.Uint32()
		var w Walk
		if !w.Begin(Vec{r.Float32(), r.Float32(), r.Float32()}, points, speed, start) {
			t.Fatalf("seed %d: no way", seed)
		}
		before := w.Start
		for ms := uint32(0); ms <= w.DurationMs()+100; ms += 50 {
			p, done := w.At(start + ms)
			far := length(Vec{p.X - before.X, p.Y - before.Y, p.Z - before.Z})
			// Leg ends are whole milliseconds: each leg walked in this step may be one short.
			if limit := speed * (0.050 + 0.001*MaxLegs); far > limit {
				t.Fatalf("seed %d: %v yards in 50 ms at speed %v", seed, far, speed)
			}
			legs, left := w.Remaining(start + ms)
			if done != (left == 0) || (len(legs) == 0) != done {
				t.Fatalf("seed %d: done is %v with %d legs, %d ms left", seed, done, len(legs), left)
			}
			if !done {
				to := legs[0].To
				if o := heading(to.X-p.X, to.Y-p.Y); turn(o, p.O) > 0.01 && length(Vec{to.X - p.X, to.Y - p.Y, 0}) > 0.1 {
					t.Fatalf("seed %d: faces %v, goes %v", seed, p.O, o)
				}
			}
			before = p.Vec()
		}
		if end := w.Legs[w.Count-1].To; before != end {
			t.Fatalf("seed %d: ends at %v, want %v", seed, before, end)
		}
	}
}

// turn is the angle between two orientations.
func turn(a, b float32) float64 {
	d := math.Abs(float64(a - b))
	return min(d, 2*math.Pi-d)
}

// At faces exactly where the direction of each leg points, whatever was computed when.
func TestWalkFacesAlongItsLegs(t *testing.T) {
	from := Vec{1, 2, 3}
	points := []Vec{{11, 2, 3}, {11, 2, 3}, {-7, -9.5, 3}, {-7, -9.5, 8}, {0, 0, 0}}
	var w Walk
	w.Begin(from, points, 2.5, 1000)
	for _, leg := range w.Legs[:w.Count] {
		if p, _ := w.At(1000 + leg.EndMs - 1); p.O != heading(leg.To.X-from.X, leg.To.Y-from.Y) {
			t.Errorf("to %v it faces %v", leg.To, p.O)
		}
		from = leg.To
	}
}

func BenchmarkWalkAt(b *testing.B) {
	var w Walk
	w.Begin(Vec{1, 2, 3}, []Vec{{11, 7, 3}, {-7, -9.5, 3}, {0, 0, 0}}, 2.5, 0)
	nowMs, all := uint32(0), w.DurationMs()
	for b.Loop() {
		w.At(nowMs)
		if nowMs += 50; nowMs >= all {
			nowMs = 0
		}
	}
}

// A walk of 5 yards at 2.5 yards per second takes two seconds, and one without a speed or a way does not begin.
func TestLegMs(t *testing.T) {
	for _, c := range []struct {
		to    Vec
		speed float32
		want  uint32
	}{
		{Vec{X: 3, Y: 4}, 2.5, 2000}, {Vec{Z: 7}, 7, 1000}, {Vec{X: 0.0001}, 7, 1}, {Vec{}, 7, 0}, {Vec{X: 3}, 0, 0}, {Vec{X: 3}, float32(math.NaN()), 0},
	} {
		if got := LegMs(Vec{}, c.to, c.speed); got != c.want {
			t.Errorf("to %v at %v takes %d ms, want %d", c.to, c.speed, got, c.want)
		}
	}
}
