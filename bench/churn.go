package bench

import (
	"context"
	"fmt"
	"runtime"

	"muster/bench/stores"
)

// churn measures what it takes to make and unmake a mover, and to turn a flag of one.
func churn(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	makes, repetitions := 1_000_000, 5
	if c.Quick {
		makes, repetitions = 100_000, 3
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	compared := []string{ours, "ark, columns", "donburi", objects}
	for _, n := range storeSizes(c.Quick) {
		kept := make([]stores.Store, len(compared))
		for i, name := range compared {
			kept[i] = stores.Make(name, n)
			kept[i].Churn(min(makes, n))
		}
		runtime.GC()
		for range repetitions {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			made := map[string]float64{}
			for i, name := range compared {
				made[name] = tookBy(processTime, makes/n+1, func() { kept[i].Churn(n) }) / float64(n)
			}
			for _, name := range compared[1:] {
				figure := s.put(fmt.Sprintf("make and unmake, %s, beside %s", count(n, "mover"), name), "ns", made[ours]).
					beside(name, made[name])
				switch {
				case name == objects && n == 1_000_000:
					figure.atLeast(7, OfTimes)
				case name == objects:
					figure.atLeast(3.5, OfTimes)
				}
			}
			s.put(fmt.Sprintf("make and unmake, %s", count(n, "mover")), "ns", made[ours]).
				atMost(100, OfMedian).stretch(70).at("make and unmake, ours", "movers", n)
			s.put(fmt.Sprintf("turn a flag, %s", count(n, "mover")), "ns", took(makes/n+1, kept[0].Toggle)/float64(n)).
				atMost(2, OfMedian)
			allocated, _ := allocations(kept[0].Toggle)
			s.put(fmt.Sprintf("allocations as flags turn, %s", count(n, "mover")), "", allocated).gate(0, OfMedian)
			allocated, _ = allocations(func() { kept[0].Churn(min(n, 10_000)) })
			s.put(fmt.Sprintf("allocations as movers come and go, %s", count(n, "mover")), "", allocated).gate(0, OfMedian)
		}
	}
	return fmt.Sprintf("As many movers as there are already come, with all that they begin with, and go again: through `ecs` as a "+
		"tick has them, a thousand to a stage, who are made together as those are who wake together; beside it ark, which makes "+
		"all together, donburi, and objects on the heap in a map by GUID. Movers have six components, of %d bytes. "+
		"A flag is a bit of a component: muster's store has no way to give an entity a component or to take one, so what "+
		"comes and goes within a tick moves nothing from one archetype to another. Times are nanoseconds of the process, so that the collector "+
		"of garbage counts.",
		stores.Bytes), repetitions, nil
}

// allocations is how often, and how many bytes, a call allocates.
func allocations(do func()) (mallocs, bytes float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
}
