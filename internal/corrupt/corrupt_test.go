package corrupt

import (
	"bytes"
	"slices"
	"testing"
)

// Every kind of change happens, and the same ones in every run.
func TestBytes(t *testing.T) {
	seeds := [][]byte{{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}, {}}
	all := slices.Collect(Bytes(2000, seeds...))
	again := slices.Collect(Bytes(2000, seeds...))
	if len(all) != 2003 || !slices.EqualFunc(all, again, bytes.Equal) {
		t.Fatalf("%d inputs, and %d others", len(all), len(again))
	}
	if !bytes.Equal(seeds[0], []byte{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("the seed has become % x", seeds[0])
	}
	var shorter, longer, other, limit int
	distinct := make(map[string]bool)
	for _, b := range all[3:] {
		distinct[string(b)] = true
		switch {
		case len(b) < 8:
			shorter++
		case len(b) > 8:
			longer++
		case bytes.Contains(b, []byte{0xFF}):
			limit++
		default:
			other++
		}
	}
	if min(shorter, longer, limit, other) < 50 || len(distinct) < 1000 {
		t.Errorf("%d are shorter, %d longer, %d have a limit, %d are otherwise changed; %d distinct", shorter, longer, limit, other, len(distinct))
	}
	if got := slices.Collect(Strings(0, "a", "b")); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the seeds are %q", got)
	}
}
