package ecs

import (
	"slices"
	"testing"
)

func TestPendingSeesWhatIsNotTaken(t *testing.T) {
	w := NewWorld(1)
	var s struct {
		emit    Emit[int]
		take    Requests[int]
		pending Pending[int]
	}
	Bind(w, &s)
	s.emit.Emit(7)
	w.EndTick()
	s.emit.Emit(8)
	if got := s.pending.All(); !slices.Equal(got, []int{7, 8}) {
		t.Errorf("pending %v, want 7 and 8", got)
	}
	s.take.Take()
	if got := s.pending.All(); len(got) != 0 {
		t.Errorf("pending %v once they are taken", got)
	}
}
