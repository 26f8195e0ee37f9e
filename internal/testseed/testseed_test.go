package testseed

import (
	"fmt"
	"strings"
	"testing"
)

// A recorder is a test of which is known what it logs.
type recorder struct {
	testing.TB
	said   []string
	failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = true
	r.Logf(format, args...)
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		variable string
		want     uint64
		says     string
		fails    bool
	}{
		{"", 1, "SEED=1", false},
		{"18446744073709551615", 1<<64 - 1, "SEED=18446744073709551615", false},
		{"0", 0, "SEED=0", false},
		{"dice", 0, "SEED=dice: want a number, or random", true},
	} {
		t.Setenv(Variable, c.variable)
		var r recorder
		got := Of(&r)
		if r.failed != c.fails || r.said[0] != c.says || !c.fails && got != c.want {
			t.Errorf("%q: seed %d, says %q, fails: %v", c.variable, got, r.said, r.failed)
		}
	}
}

// A seed that is drawn is another each time, and is the one that is logged.
func TestRandom(t *testing.T) {
	t.Setenv(Variable, Random)
	var r recorder
	first, second := Of(&r), Of(&r)
	if want := fmt.Sprintf("SEED=%d SEED=%d", first, second); first == second || strings.Join(r.said, " ") != want {
		t.Errorf("seeds %d and %d, and it says %q", first, second, r.said)
	}
}
