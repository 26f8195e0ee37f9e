package conformance

import (
	"math/rand/v2"
	"testing"
)

func TestTableAgainstMap(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	var table table
	model := map[uint64]float32{}
	for step := range 20000 {
		guid := 1 + r.Uint64N(300)
		if r.IntN(3) == 0 {
			guid |= 0xF130 << 48
		}
		_, known := model[guid]
		switch {
		case known && r.IntN(2) == 0:
			if !table.remove(guid) {
				t.Fatalf("step %d: remove(%d) did not find it", step, guid)
			}
			delete(model, guid)
		case known:
			table.find(guid).x = float32(step)
			model[guid] = float32(step)
		case r.IntN(4) == 0:
			if table.remove(guid) {
				t.Fatalf("step %d: removed %d, which is not there", step, guid)
			}
		default:
			table.insert(entry{guid: guid, x: float32(step)})
			model[guid] = float32(step)
		}
		if table.n != len(model) {
			t.Fatalf("step %d: %d entries, want %d", step, table.n, len(model))
		}
		for guid, x := range model {
			if e := table.find(guid); e == nil || e.x != x {
				t.Fatalf("step %d: find(%d) = %v, want x %v", step, guid, e, x)
			}
			if step%100 != 0 {
				break
			}
		}
	}
}
