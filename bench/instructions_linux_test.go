package bench

import (
	"runtime"
	"testing"
)

// Twice the work is twice the instructions, whatever else the machine does. A kernel that counts nothing is said to.
func TestInstructionsCountWork(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := countInstructions()
	if err != nil {
		var s sheet
		if _, _, failed := shares(t.Context(), new(Config), &s); failed != nil || len(s.skipped) != 1 || s.skipped[0].Because != err.Error() {
			t.Errorf("%v, and skipped %+v, because %v", failed, s.skipped, err)
		}
		return
	}
	defer c.close()
	count := func(n int) float64 {
		start := c.read()
		mixed = mix(n)
		return c.read() - start
	}
	one, two := count(1_000_000), count(2_000_000)
	if one < 1_000_000 || two/one < 1.9 || two/one > 2.1 {
		t.Errorf("%.0f instructions for a million turns, %.0f for two", one, two)
	}
}

var mixed int

//go:noinline
func mix(n int) (sum int) {
	for i := range n {
		sum ^= i * i
	}
	return sum
}
