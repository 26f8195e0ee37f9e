package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"muster/bench/stores"
)

// storeSizes are how many movers the stores have.
func storeSizes(quick bool) []int {
	if quick {
		return []int{1_000, 10_000, 100_000}
	}
	return []int{1_000, 10_000, 100_000, 1_000_000}
}

// ours is muster's store walked column by column.
const ours = "ecs, rows"

// columns measures what it takes to visit every mover of a store.
func columns(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	visits, repetitions := 4_000_000, 5
	if c.Quick {
		visits, repetitions = 400_000, 3
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	grows := make([]struct{ move, regain growth }, repetitions)
	for _, n := range storeSizes(c.Quick) {
		kept := make([]stores.Store, len(stores.Makers))
		for i, m := range stores.Makers {
			kept[i] = m.Make(n)
		}
		runtime.GC()
		const dt = tickMs / 1000.0
		for r := range repetitions {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			move, regain := map[string]float64{}, map[string]float64{}
			for i, m := range stores.Makers {
				times := max(visits/n, 2)
				move[m.Name] = took(times, func() { kept[i].Move(dt) }) / float64(n)
				regain[m.Name] = took(times, func() { kept[i].Regain(dt) }) / float64(n)
			}
			grows[r].move.add(float64(n), move[ours]*float64(n))
			grows[r].regain.add(float64(n), regain[ours]*float64(n))
			putStores(s, "two components", n, move)
			putStores(s, "three components", n, regain)
		}
	}
	for r := range grows {
		s.put("exponent over movers, two components, less one", "", math.Abs(grows[r].move.exponent()-1)).atMost(0.08, OfMedian)
		s.put("exponent over movers, three components, less one", "", math.Abs(grows[r].regain.exponent()-1)).atMost(0.08, OfMedian)
	}
	return fmt.Sprintf(columnsText, stores.Bytes), repetitions, nil
}

// columnsText says what was measured, and how that compares with what the systems of a world do.
const columnsText = "Movers with six components, of %d bytes: all are moved on by their velocity, and in the second part regain " +
	"health too. Ours is `ecs`, column by column as slices. Compared with it are the same loop over plain slices, ours by " +
	"query (that is arche's query, through our names), ark by columns and by query, donburi, and objects on the " +
	"heap that are called through an interface. Times are nanoseconds of the thread for each mover. The exponent is " +
	"that of the cost over the number of movers.\n\n" +
	"A world walks few columns from end to end: most of its systems process what events and timers name. What this " +
	"scenario measures of that, and what does not:\n\n" +
	"| access | in a tick | measured |\n|---|---|---|\n" +
	"| a walk over all rows of two columns (`Rows`) | system visibility, over players | here, two components |\n" +
	"| single rows of columns that are looked up once in a tick (`Rows`, `Row`) | systems movement and movecontrol, for each movement report of a player | S6, S7 |\n" +
	"| a component of one entity (`Read`, `ReadRef`, `Write`), prefetched where many follow | all other systems, for each event and each timer that is due | fights, S6, S7 |\n" +
	"| a walk by query | systems of game masters that look for a name, once for a command | here, `ecs, query` |\n" +
	"| a comparison with what was sent last | system fanout, for each entity that is marked as dirty | S5, fights |\n" +
	"| spawn and despawn | stages end | S2 |"

// putStores notes ours beside each of the others.
func putStores(s *sheet, what string, n int, ns map[string]float64) {
	name := func(other string) string { return fmt.Sprintf("%s, %s, beside %s", what, count(n, "mover"), other) }
	for _, m := range stores.Makers {
		if m.Name == ours {
			continue
		}
		figure := s.put(name(m.Name), "ns", ns[ours]).beside(m.Name, ns[m.Name])
		switch {
		case m.Name == plainSlices:
			figure.atMost(1.25, OfRatio).stretch(1.1)
			figure.at(what+", ours", "movers", n)
		case m.Name == objects && n == 1_000_000:
			figure.atLeast(15, OfTimes)
		case m.Name == objects && n == 100_000:
			figure.atLeast(4, OfTimes)
		}
	}
}

// took is the processor time that a call takes the thread, nanoseconds, over so many.
func took(times int, do func()) float64 { return tookBy(threadTime, times, do) }

func tookBy(clock func() time.Duration, times int, do func()) float64 {
	start := clock()
	for range times {
		do()
	}
	return float64(clock()-start) / float64(time.Nanosecond) / float64(times)
}
