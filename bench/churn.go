package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"muster/bench/stores"
)

// churn measures the cost of spawning and despawning a mover, and of flipping a flag of one.
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
			stores.Churn(kept[i], min(makes, n), n)
		}
		runtime.GC()
		for range repetitions {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			for _, way := range churnWays {
				atATime := way.atATime
				if n <= perStage { // one way is as the other
					atATime = n
				}
				made := map[string]float64{}
				for i, name := range compared {
					made[name] = tookBy(processTime, makes/n+1, func() { stores.Churn(kept[i], n, min(atATime, n)) }) / float64(n)
				}
				putChurn(s, way.name, n, made, atATime >= n)
				if atATime == n {
					break
				}
			}
			mine := kept[0].(stores.Ordered)
			was := mine.Order()
			s.put(fmt.Sprintf("flip a flag, %s", count(n, "mover")), "ns", took(makes/n+1, mine.Toggle)/float64(n)).
				atMost(2, OfMedian)
			moved := 0
			for row, mover := range mine.Order() {
				if was[row] != mover {
					moved++
				}
			}
			s.put(fmt.Sprintf("movers in another row after flips of flags, of %s", count(n, "mover")), "", float64(moved)).gate(0, OfWorst)
			allocated, _ := allocations(mine.Toggle)
			s.put(fmt.Sprintf("allocations of flips of flags, %s", count(n, "mover")), "", allocated).gate(0, OfMedian)
			allocated, _ = allocations(func() { stores.Churn(mine, min(n, 10_000), perStage) })
			s.put(fmt.Sprintf("allocations of spawn and despawn, %s", count(n, "mover")), "", allocated).gate(0, OfMedian)
		}
	}
	return fmt.Sprintf("As many movers as there are already are spawned, with their initial components, and despawned again: through "+
		"`ecs`, whose batches a tick uses for entities that wake together; compared with it are ark, which has batches "+
		"too, donburi, and objects on the heap in a map by GUID. All do it in two ways: a thousand at a time, which is "+
		"a stage of a tick for ours and lets the others reuse what is still in the cache; and, where the name has it, "+
		"at once, to which the targets apply. Movers have six components, of %d bytes. A flag is a bit of a component: "+
		"muster's store cannot add a component to an entity or remove one, so a state that changes within a tick moves "+
		"no entity from one archetype to another; if it did, other entities would be in its row. Times are nanoseconds "+
		"of the process, garbage collection included.",
		stores.Bytes), repetitions, nil
}

// perStage is how many movers are spawned and despawned in a stage of a tick.
const perStage = 1_000

// churnWays are the ways in which movers are spawned and despawned.
var churnWays = []struct {
	name    string
	atATime int
}{{"spawn and despawn", perStage}, {"spawn and despawn at once", math.MaxInt}}

// putChurn notes ours beside each of the others.
func putChurn(s *sheet, how string, n int, made map[string]float64, atOnce bool) {
	what := fmt.Sprintf("%s, %s", how, count(n, "mover"))
	for _, name := range []string{"ark, columns", "donburi"} {
		s.put(what+", beside "+name, "ns", made[ours]).beside(name, made[name])
	}
	beside := s.put(what+", beside "+objects, "ns", made[ours]).beside(objects, made[objects])
	if must := 3.5; atOnce {
		if n == 1_000_000 {
			must = 7
		}
		beside.atLeast(must, OfTimes)
	}
	each := s.put(what, "ns", made[ours]).at(how+", ours", "movers", n)
	if atOnce {
		each.atMost(100, OfMedian).stretch(70)
	}
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
