package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"

	"muster/bench/stores"
)

const (
	// garbageRate is how much garbage others make while ticks run, bytes per second: what a busy gateway, a console and
	// an admin page come to many times over.
	garbageRate = 500e6
	// garbageLives is how many pieces of it live at a time.
	garbageLives = 10_000
	// forcedRuns is how many forced collections are measured.
	forcedRuns = 7
	// objectTicks is how many ticks objects get: a million of them take some tens of milliseconds for one.
	objectTicks = 50
)

// garbage measures what the collector of garbage takes of a large world.
func garbage(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	movers, ticks, repetitions := 1_000_000, 1_000, 5
	if c.Quick {
		movers, ticks, repetitions = 50_000, 300, 2
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		none := forced()
		mine := collected(stores.Make(ours, movers), ticks)
		theirs := collected(stores.Make(objects, movers), objectTicks)
		s.put("a forced collection without movers, processor time", "ms", none)
		s.put("a forced collection, processor time", "ms", mine.forcedMs).beside(objects, theirs.forcedMs).times(10, 35)
		s.put("a forced collection of ours, above that", "ms", max(mine.forcedMs-none, 0)).atMost(25, OfMedian).stretch(12)
		s.put("longest stop of the world", "ms", mine.stopMs).beside(objects, theirs.stopMs).atMost(1, OfWorst)
		s.put("tick, p99.9, while garbage is made", "µs", mine.busy).beside("quiet", mine.quiet).atMost(1.5, OfRatio)
		s.put("tick of objects, p98, while garbage is made", "µs", theirs.busy).beside("quiet", theirs.quiet)
		s.put("collections while ticks ran", "", mine.collections)
		s.put("allocations per tick", "", mine.allocations).gate(0, OfMedian)
		s.put("bytes of heap for a mover", "", mine.heap/float64(movers)).beside(objects, theirs.heap/float64(movers))
	}
	return fmt.Sprintf("%s, each with six components of %d bytes in all, in `ecs`, compared with objects on the heap. A forced "+
		"collection is the processor time of the process, as the median of seven; the time that the same process takes "+
		"without movers is part of it. Of ours the collector follows one pointer for each mover, in arche's index of "+
		"entities, and nothing else; these targets are the measured cost of that, not what is to be wished: objects "+
		"took 14 to 33 times as much in five runs, so ten times is the target, and thirty-five, which an index without "+
		"pointers surpasses, is the stretch; above a process without movers it took 12 ms on a quiet machine of the "+
		"reference class, and may take twice that. A stop of the world lasts from the runtime's request until all "+
		"threads run again, so that it includes the time in which a host takes a processor away; the figure is the "+
		"longest of each repetition, and the longest of all is judged. A tick moves all movers; %d run without garbage, %d of "+
		"objects, and as many while another goroutine makes %s MB of garbage per second, packets of 40 bytes to 2 KB "+
		"of which %s live at a time. The two are never in memory together. Ticks are wall time: on a machine with two "+
		"cores the collector takes its part of both.",
		count(movers, "mover"), stores.Bytes, ticks, objectTicks, number(garbageRate/1e6), number(garbageLives)), repetitions, nil
}

// A collection is what the collector of garbage took of a store.
type collection struct {
	forcedMs, stopMs, quiet, busy, collections, allocations, heap float64
}

// forced is what a collection takes of the processor, in milliseconds: the median of seven.
func forced() float64 {
	runtime.GC()
	took := make([]float64, forcedRuns)
	for i := range took {
		start := processTime()
		runtime.GC()
		took[i] = float64(processTime()-start) / float64(time.Millisecond)
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// collected measures a store.
func collected(kept stores.Store, ticks int) (c collection) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.heap = float64(before.HeapAlloc)
	stopped := newStops()
	c.forcedMs = forced()
	const dt = tickMs / 1000.0
	run := func() float64 {
		took := make([]float64, ticks)
		for i := range took {
			start := time.Now()
			kept.Move(dt)
			took[i] = micros(time.Since(start))
		}
		slices.Sort(took)
		return took[(len(took)-1)*999/1000]
	}
	c.allocations, _ = allocations(func() { kept.Move(dt) })
	c.quiet = run()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		litter(done)
		close(ended)
	}()
	c.busy = run()
	close(done)
	<-ended
	runtime.ReadMemStats(&after)
	c.collections = float64(after.NumGC - before.NumGC - forcedRuns - 1)
	c.stopMs = stopped.longest() * 1000
	runtime.KeepAlive(kept)
	return c
}

// litter makes garbage until done.
func litter(done <-chan struct{}) {
	lives := make([][]byte, garbageLives)
	at, made := 0, 0.0
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		select {
		case <-done:
			return
		default:
		}
		for due := time.Since(start).Seconds() * garbageRate; made < due; at++ {
			size := 40 + at*977%2000
			lives[at%garbageLives] = make([]byte, size)
			made += float64(size)
		}
	}
}

// stops are the stops of the world for collections, as the runtime counts them.
type stops struct {
	sample [1]metrics.Sample
	before []uint64
}

func newStops() *stops {
	s := new(stops)
	s.sample[0].Name = "/sched/pauses/total/gc:seconds"
	metrics.Read(s.sample[:])
	s.before = slices.Clone(s.sample[0].Value.Float64Histogram().Counts)
	return s
}

// longest is the length of the longest since, seconds: the upper end of its bucket.
func (s *stops) longest() float64 {
	metrics.Read(s.sample[:])
	h := s.sample[0].Value.Float64Histogram()
	for i := len(h.Counts) - 1; i >= 0; i-- {
		if h.Counts[i] > s.before[i] {
			if end := h.Buckets[i+1]; !math.IsInf(end, 1) {
				return end
			}
			return h.Buckets[i]
		}
	}
	return 0
}
