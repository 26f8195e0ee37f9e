package gateway

import (
	"testing"
	"time"
)

// What is read while a loop stands still, and shortly after, may have waited for as long as that took. Else it has
// waited since the last drain point.
func TestGap(t *testing.T) {
	var g stallDetector
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
	expect := func(now, want float64) {
		t.Helper()
		if got := g.lag(at(now)).Seconds(); got != want {
			t.Errorf("after %v s something has waited %v s, want %v", now, got, want)
		}
	}
	expect(100, 0) // there was no drain point
	g.drain(at(100))
	g.drain(at(100.5))
	expect(101, 0.5)
	expect(121.5, 21) // the first that is read after a pause
	g.drain(at(121.5))
	expect(121.5, 21) // and what was read before it
	g.drain(at(122))
	expect(123.25, 21)
	expect(123.5, 1.5)
	g.drain(at(123.5))
	expect(123.75, 1.5)
	g.drain(at(124.25))
	expect(126, 1.75)
}
