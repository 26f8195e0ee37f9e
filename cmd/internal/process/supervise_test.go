package process

import (
	"testing"
	"time"
)

// Starts of a process that ends again and again are an interval apart, and one that ran for longer than that is started again after the least pause.
func TestPauseAfter(t *testing.T) {
	for _, c := range []struct{ ran, interval, want time.Duration }{
		{0, 100 * time.Millisecond, 100 * time.Millisecond},
		{20 * time.Millisecond, 6400 * time.Millisecond, 6380 * time.Millisecond},
		{4 * time.Second, 10 * time.Second, 6 * time.Second},
		{9950 * time.Millisecond, 10 * time.Second, 100 * time.Millisecond},
		{29 * time.Second, 10 * time.Second, 100 * time.Millisecond},
	} {
		if got := pauseAfter(c.ran, c.interval); got != c.want {
			t.Errorf("after %v, with starts %v apart, the pause is %v, want %v", c.ran, c.interval, got, c.want)
		}
	}
}
