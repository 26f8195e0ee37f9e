package spell

import (
	"math"
	"testing"
)

func TestHitPercent(t *testing.T) {
	// Source: Unit::MagicSpellHitResult, AzerothCore.
	for _, c := range []struct {
		levels int
		player bool
		want   float32
	}{{-5, false, 101}, {0, false, 96}, {2, false, 94}, {3, false, 83}, {3, true, 87}, {5, true, 73}, {8, false, 28}} {
		if got := hitPercent(c.levels, c.player); got != c.want {
			t.Errorf("%d levels above, player %v: %v %%, want %v", c.levels, c.player, got, c.want)
		}
	}
}

// The clock wraps after 49 days: what lay ahead of the wrap has then passed, and what lies ahead may be beyond it.
func TestBefore(t *testing.T) {
	for _, c := range []struct {
		now, until uint32
		want       bool
		left       uint32
	}{
		{1000, 1001, true, 1}, {1000, 1000, false, 0}, {1000, 999, false, 0}, {1000, 0, false, 0},
		{math.MaxUint32 - 9, 90, true, 100}, {1000 + 1<<31, 1000, false, 0}, {1001 + 3<<30, 1000, false, 1<<30 - 1},
		{math.MaxUint32 - 9, 0, false, 10}, {0, 1 << 24, true, 1 << 24}, {0, 1<<24 + 1, false, 1<<24 + 1},
	} {
		if got := before(c.now, c.until); got != c.want {
			t.Errorf("%d is before %d: %v", c.now, c.until, got)
		}
		if got := until(c.now, c.until); c.until != 0 && got != c.left {
			t.Errorf("from %d until %d: %d ms, want %d", c.now, c.until, got, c.left)
		}
	}
}
