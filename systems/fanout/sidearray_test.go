package fanout

import (
	"math/rand/v2"
	"testing"
	"time"

	"muster/components"
	"muster/ecs"
)

// An entryOf is what would take the place of FanOut.entry as a component.
type entryOf struct{ N int32 }

// BenchmarkEntries compares both ways to keep a number for some entities during a tick: by entity id in an array, as FanOut
// does, and as a component. A tick marks 1,000 of 10,000 entities, in an order unlike that of their rows, asks for each twice
// and clears them. Both run in turns.
func BenchmarkEntries(b *testing.B) {
	w := ecs.NewWorld(1024)
	kind := ecs.NewArchetype(w, ecs.Of3[components.Object, components.Vitals, entryOf]()...)
	all := make([]ecs.Entity, 10_000)
	for i := range all {
		all[i] = kind.Spawn()
	}
	dice := rand.New(rand.NewPCG(1, 1))
	dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	some := all[:1000]
	entries := ecs.NewAccessor[entryOf](w)
	var s FanOut
	var sum int32
	inArray := func() {
		for i, e := range some {
			s.setEntry(e, int32(i))
		}
		for range 2 {
			for _, e := range some {
				sum += s.entryOf(e)
			}
		}
		for _, e := range some {
			s.setEntry(e, 0)
		}
	}
	asComponent := func() {
		for i, e := range some {
			entries.Get(e).N = int32(i)
		}
		for range 2 {
			for _, e := range some {
				sum += entries.Get(e).N
			}
		}
		for _, e := range some {
			entries.Get(e).N = 0
		}
	}
	var array, component time.Duration
	for b.Loop() {
		began := time.Now()
		inArray()
		between := time.Now()
		asComponent()
		array, component = array+between.Sub(began), component+time.Since(between)
	}
	if sum == 0 {
		b.Error("nothing was marked")
	}
	uses := float64(b.N) * float64(4*len(some))
	b.ReportMetric(float64(array)/uses, "ns/use-array")
	b.ReportMetric(float64(component)/uses, "ns/use-component")
	b.ReportMetric(float64(component)/float64(array), "component/array")
}
