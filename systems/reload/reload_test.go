package reload

import (
	"bytes"
	"testing"

	"muster/components/defs"
	"muster/sched"
)

// Parts are read beside the tick and count in their order, none before one that came before it; one that was restored from a snapshot is read when it counts,
// and so are those behind it.
func TestReads(t *testing.T) {
	var packed [3][]byte
	for i := range packed {
		b, err := (&defs.Patch{Part: defs.PartTexts, Map: uint32(i)}).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		packed[i] = b
	}
	tick := sched.Tick{N: 10, Quantum: 50e6}
	for _, restored := range []int{0, 1} {
		s := new(Reloads)
		if restored > 0 {
			s.waits = []waiting{{id: 9, due: 40, bytes: packed[0]}}
		}
		for i := restored; i < len(packed); i++ {
			s.await(tick, uint64(i), packed[i])
		}
		s.await(tick, 3, bytes.Repeat([]byte{0xFF}, 1<<20)) // no patch, and 3 s long
		if restored > 0 && len(s.reads) != 0 || restored == 0 && len(s.reads) != 4 {
			t.Errorf("%d restored: %d are read beside the tick", restored, len(s.reads))
		}
		for i, first := 0, uint64(11); i < 4; i++ {
			if want := max(first, 40*uint64(restored)); i < 3 && s.waits[0].due != want || i == 3 && s.waits[0].due != 10+60 {
				t.Errorf("%d restored: part %d counts in tick %d", restored, i, s.waits[0].due)
			}
			got := s.read(s.waits[0].bytes)
			if i < 3 && (got.err != nil || got.patch.Map != uint32(i)) || i == 3 && got.err == nil {
				t.Errorf("%d restored: part %d is %+v, %v", restored, i, got.patch, got.err)
			}
			s.waits = s.waits[1:]
		}
	}
}
