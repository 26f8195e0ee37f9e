package rules

import "testing"

// The shares are worked out by hand.
func TestMitigate(t *testing.T) {
	for _, c := range []struct {
		armor float32
		level uint32
		want  float32
	}{
		{0, 1, 1000}, {-50, 1, 1000}, {100, 1, 829.06}, {485, 1, 500}, {10000, 1, 250},
		{5500, 60, 516.8}, {5500, 80, 734.72}, {1e9, 80, 250},
	} {
		if got := ReduceByArmor(1000, c.armor, c.level); got < c.want-0.6 || got > c.want+0.6 {
			t.Errorf("armour %v leaves %v of 1000 to level %d, want %v", c.armor, got, c.level, c.want)
		}
	}
}
