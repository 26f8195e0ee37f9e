package frame

import "testing"

// The newest 80 frames of an exchange are readable, also while the next one is written; a window is not ok if one
// before them is asked for, and a replay that needs it is refused.
//
// Source: docs/frames.md, lag.
func TestRingHasItsFrames(t *testing.T) {
	p := NewExchange()
	for n := uint64(1); n <= 200; n++ {
		publish(p, n)
	}
	p.Write() // of the next tick
	for behind, want := range map[uint64]bool{0: true, 1: true, 79: true, 80: true, 81: false, 82: false, 200: false} {
		var w Window
		w.Open(p)
		frames, ok := w.After(200 - behind)
		if ok != want || ok && len(frames) != int(behind) {
			t.Errorf("%d ticks behind there are %d frames, %v; want %v", behind, len(frames), ok, want)
		}
		var r Replayer
		c := Cursor{Session: 1, Tick: 200 - behind}
		if _, ok := r.Replay(nil, &w, &c); ok != want || ok && c.Tick != 200 {
			t.Errorf("%d ticks behind, a replay goes up to %d, %v; want %v", behind, c.Tick, ok, want)
		}
		w.Close()
	}
}
