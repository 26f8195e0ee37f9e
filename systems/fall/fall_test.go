package fall

import (
	"math"
	"testing"
)

// By Player::HandleFall of AzerothCore: nothing below 14.57 yards, half at 41.26, death from 69.04 on.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		yards  float32
		health uint32
		want   uint32
	}{
		{0, 1000, 0}, {14.56, 1000, 0}, {14.57, 100_000, 1965}, {20, 1000, 117}, {41.26, 10_000, 5000},
		{69, 10_000, 9994}, {69.1, 1000, 1000}, {1e9, 1000, 1000},
		{float32(math.NaN()), 1000, 0}, {float32(math.Inf(1)), 1000, 1000}, {50, 0, 0},
	} {
		if got := Damage(c.yards, c.health); got != c.want {
			t.Errorf("%v yards cost %d of %d, want %d", c.yards, got, c.health, c.want)
		}
	}
}
