package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"muster/components/defs"
	"muster/loaders/synth"
	"muster/net/replication/frame"
	"muster/systems"
	"muster/systems/persist"
)

// keeping measures the cost of snapshots in a tick, which are taken so that nothing is lost if the process is killed.
func keeping(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, creatures, ticks, repetitions := 10_000, 20_000, 400, 7
	if c.Quick {
		players, creatures, ticks, repetitions = 1_000, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	scenes := []*kept{newKept(d, players, false), newKept(d, players, true)}
	err = inTurn(ctx, scenes, ticks, repetitions, func(tolls []toll, n float64) {
		with, without := &tolls[0], &tolls[1]
		s.put("tick, thread time, mean", "µs", micros(with.time)/n).beside("no snapshots", micros(without.time)/n).atMost(1.1, OfRatio)
		s.put("allocations per tick", "", math.Floor(float64(with.allocations)/n)).gate(0, OfMedian)
		s.put("snapshots per second", "", float64(with.snapshots)*1000/tickMs/n)
	})
	if err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("%s players walk as in a steady tick, in a world that takes snapshots of each of them every %v, compared with "+
		"one that takes none before a player leaves. A repetition is %d ticks of each, without sockets; snapshots are "+
		"taken from the exchange after each tick. The figure is processor time of the world's thread, reading the inbox "+
		"and publishing the frame included.", number(float64(players)), persist.Period, ticks), repetitions, nil
}

// inTurn measures scenes, a few ticks of each and then as many of the next: what else the machine does, it does to
// all. After each repetition of n ticks it has them put on the sheet.
func inTurn(ctx context.Context, scenes []*kept, ticks, repetitions int, put func(tolls []toll, n float64)) error {
	for _, k := range scenes {
		k.measure(4*ticks, new(toll)) // until every buffer has met its fullest tick
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return err
		}
		tolls := make([]toll, len(scenes))
		for _, k := range scenes {
			k.settle()
		}
		for range ticks / turnTicks {
			for i, k := range scenes {
				if err := k.within(func() { k.measure(turnTicks, &tolls[i]) }); err != nil {
					return err
				}
			}
		}
		put(tolls, float64(ticks/turnTicks*turnTicks))
	}
	return nil
}

// A kept is a scene of whose players snapshots are taken.
type kept struct {
	*scene
	saves   frame.Saves
	rest    func()             // what the world does after each tick; nil nothing
	counter counter            // of the thread
	around  func(func()) error // does what is measured, while something else goes on; nil does just that
}

// within does something as the scene wants it done.
func (k *kept) within(do func()) error {
	if k.around == nil {
		do()
		return nil
	}
	return k.around(do)
}

// newKept is the same scene whenever it is made, with or without snapshots.
func newKept(d *defs.World, players int, ephemeral bool) *kept {
	dice := rand.New(rand.NewPCG(3, 0))
	walkers := atHubs(d, dice, players)
	place := d.Map(d.Hubs[0].Map)
	live := systems.Live{
		World: systems.New(systems.Config{Defs: d, Map: place, Seed: 1, Ephemeral: ephemeral}), Exchange: frame.NewExchange(),
	}
	live.Exchange.Saving = !ephemeral
	k := &kept{scene: emptyScene(place, live, walkers), counter: uncounted{errUnasked}}
	k.afterTick = func() { k.live.Exchange.Saves(&k.saves) }
	k.fill(rand.New(rand.NewPCG(4, 0)))
	return k
}

// turnTicks is how long one of two scenes runs before it is the other's turn: each player has one or two snapshots.
const turnTicks = 20

// A toll is the cost of ticks, and the number of their snapshots.
type toll struct {
	time        time.Duration
	executed    float64 // instructions; not a number if they are not counted
	allocations uint64
	snapshots   int
}

// settle brings back what the collector takes from pools.
func (k *kept) settle() {
	runtime.GC()
	for range beatTicks {
		k.step()
	}
}

// measure runs some ticks, on one processor as scene.measure does.
func (k *kept) measure(ticks int, t *toll) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range ticks {
		k.send()
		executed := k.counter.read()
		start := threadTime()
		k.live.Step(k.tick)
		if k.rest != nil {
			k.rest()
		}
		t.time += threadTime() - start
		t.executed += k.counter.read() - executed
		k.afterTick()
		t.snapshots += k.saves.Len()
	}
	runtime.ReadMemStats(&after)
	t.allocations += after.Mallocs - before.Mallocs
}
