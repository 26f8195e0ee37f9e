package login

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// mannWhitney is the chance that two samples of one thing differ as much as these do, by the normal approximation.
func mannWhitney(a, b []float64) (p float64) {
	type sample struct {
		value float64
		first bool
	}
	var all []sample
	for _, v := range a {
		all = append(all, sample{v, true})
	}
	for _, v := range b {
		all = append(all, sample{v, false})
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.value, b.value) })
	ranks := 0.0
	for i, s := range all {
		if s.first {
			ranks += float64(i + 1)
		}
	}
	n, m := float64(len(a)), float64(len(b))
	u := ranks - n*(n+1)/2
	z := (u - n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

func TestMannWhitney(t *testing.T) {
	var low, high []float64
	for i := range 50 {
		low, high = append(low, float64(2*i)), append(high, float64(2*i+1))
	}
	if p := mannWhitney(low, high); p < 0.5 {
		t.Errorf("two of a kind: p = %v", p)
	}
	for i := range high {
		high[i] += 60
	}
	if p := mannWhitney(low, high); p > 1e-6 {
		t.Errorf("two kinds: p = %v", p)
	}
}
