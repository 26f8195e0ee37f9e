package components

import (
	"math"
	"testing"

	"muster/ecs/grid"
)

func TestFacing(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		o, want float32
		ok      bool
	}{
		{0, 0, true}, {6.283185, 6.283185, true}, {6.2831855, 0, true}, {7, 0.71681469, true}, {-1, 5.2831853, true},
		{-1e-9, 0, true}, {-6.2831855, 6.283185, true}, {1e6, 5.925621, true}, {-1e6, 0.35756418, true},
		{1.1e6, 0, false}, {-3e38, 0, false}, {nan, 0, false}, {inf, 0, false}, {-inf, 0, false},
	} {
		got, ok := Facing(c.o)
		if ok != c.ok || got-c.want > 1e-6 || c.want-got > 1e-6 || !(got >= 0 && got < 2*math.Pi) {
			t.Errorf("Facing(%v) = %v, %v, want %v, %v", c.o, got, ok, c.want, c.ok)
		}
	}
}

func TestOnMap(t *testing.T) {
	nan := float32(math.NaN())
	for p, want := range map[Position]bool{
		{}: true, {X: grid.Limit, Y: -grid.Limit, Z: MaxHeight}: true, {X: grid.Limit + 1}: false, {Y: nan}: false,
		{Z: nan}: false, {Z: MaxHeight + 1}: false, {Z: float32(math.Inf(-1))}: false,
	} {
		if got := p.OnMap(); got != want {
			t.Errorf("%v is on the map: %v", p, got)
		}
	}
}
