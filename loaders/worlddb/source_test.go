package worlddb

import (
	"math"
	"testing"
)

// A number is the nearest one that an integer can be, on every architecture.
func TestIntegral(t *testing.T) {
	for v, want := range map[float64]int64{
		1.9: 1, -1.9: -1, 1e300: 9223372036854775807, -1e300: -9223372036854775808, math.Inf(1): 9223372036854775807, 0x1p62: 4611686018427387904,
	} {
		if got := integral(v); got != want {
			t.Errorf("%v is %d, want %d", v, got, want)
		}
	}
	if got := integral(math.NaN()); got != 0 {
		t.Errorf("NaN is %d", got)
	}
}
