package intake

import "testing"

// A hand-over is taken once, for as long as fewer than 1,024 others have followed. Zero is none.
func TestArrivals(t *testing.T) {
	var a arrivals
	for n := range uint64(1024) {
		if !a.take(n + 1) {
			t.Fatalf("hand-over %d is refused", n+1)
		}
	}
	for _, n := range []uint64{1, 2, 1024} {
		if a.take(n) {
			t.Errorf("hand-over %d is taken twice", n)
		}
	}
	if !a.take(1025) || a.take(2) {
		t.Error("one more takes the place of another one than the oldest")
	}
	if !a.take(1) {
		t.Error("the oldest is remembered")
	}
	for range 2 {
		if !a.take(0) {
			t.Error("what is no hand-over is refused")
		}
	}
}
