package components

import "testing"

// An order is closed by its own answer alone, once, and only if no other of its kind has followed.
func TestReins(t *testing.T) {
	var r PendingMoveAcks
	for i, step := range []struct {
		kind    int
		counter uint32
		give    bool
		want    bool
	}{
		{SpeedRun, 0, false, false}, // nothing was ordered, and 0 is no counter
		{SpeedRun, 1, true, false},
		{OrderRoot, 2, true, false},
		{OrderRoot, 1, false, false}, // that was the speed
		{SpeedRun, 1, false, true},
		{SpeedRun, 1, false, false},
		{OrderRoot, 3, true, false},
		{OrderRoot, 2, false, false}, // replaced
		{OrderRoot, 3, false, true},
		{OrderTeleport, 4, true, false},
		{OrderTeleport, 4, false, true},
	} {
		if step.give {
			if got := r.Add(step.kind); got != step.counter {
				t.Errorf("step %d: the order has %d, want %d", i, got, step.counter)
			}
		} else if got := r.Ack(step.kind, step.counter); got != step.want {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

// Who was slowed down is believed to be fast for ten seconds, by the fastest of them; also where the clock goes round.
func TestPaceLately(t *testing.T) {
	for _, start := range []uint32{20_000, 0xFFFFFFFF - 3000} {
		var p MoveValidation
		for _, step := range []struct {
			atMs uint32
			slow float32
			want float32
		}{
			{0, 14, 14}, {5000, 7, 14}, {14_999, 0, 14}, {15_001, 0, 0}, {16_000, 3, 3}, {26_001, 0, 0},
		} {
			now := start + step.atMs
			if step.slow > 0 {
				p.NoteSlowdown(step.slow, now)
			}
			if got := p.RecentSpeed(now); got != step.want {
				t.Errorf("from %d, at %d: %v, want %v", start, step.atMs, got, step.want)
			}
		}
	}
}
