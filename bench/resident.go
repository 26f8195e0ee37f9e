package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"muster/bench/walkscene"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/net/replication/frame"
	"muster/systems"
)

const (
	// perVisit is how many creatures a visitor wakes, about; visitStep is how far it is to the next visitor.
	perVisit  = 1_500
	visitStep = 120
	// visitTicks is how long a visitor stays, and for how long no other comes after it.
	visitTicks = 4
	// residentMargin is how much more the exponent of work may be than that of instructions: 0.1 is 1.6 times what a tick
	// without others takes, for a hundred times as many.
	residentMargin = 0.05
	// farYards is where the land of the others begins, beyond the sight of all players.
	farYards = 4_000
)

// resident measures the cost of many creatures that observers have seen and none sees now.
func resident(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, most, ticks, repetitions := 10_000, 1_000_000, 200, 7
	if c.Quick {
		players, most, ticks, repetitions = 500, 50_000, 100, 3
	}
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		return "", 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter := c.counter(s)
	defer counter.close()
	var worlds []*scene
	var unseen, seen float64
	sizes := []int{0, most / 10, most}
	for _, others := range sizes {
		w, dormant, asleep, err := newResident(ctx, d, players, others)
		if err != nil {
			return "", 0, err
		}
		worlds, unseen, seen = append(worlds, w), dormant, asleep
		w.measure(4 * ticks) // until every buffer has met its fullest tick
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		var g, work, executed growth
		var costs []float64
		for i, w := range worlds {
			t := w.measureThread(ticks)
			costs = append(costs, t.mean())
			g.add(float64(players+sizes[i]), t.mean())
			executed.add(float64(players+sizes[i]), w.executed(counter, ticks))
			s.put(fmt.Sprintf("awake beside the players, %s others", number(float64(sizes[i]))), "",
				float64(w.live.World.Awake()-players)).gate(0, OfWorst)
			s.put(fmt.Sprintf("allocations per tick, %s others", number(float64(sizes[i]))), "", t.allocations).gate(0, OfMedian)
		}
		for i, turns := range c.inTurns(ticks, worlds[0].work, worlds[1].work, worlds[2].work) {
			work.add(float64(players+sizes[i]), turns)
		}
		start, err := begin(most)
		if err != nil {
			return "", 0, err
		}
		for i, cost := range costs[1:] {
			s.put(fmt.Sprintf("tick, mean, %s others", number(float64(sizes[i+1]))), "µs", cost).
				beside("no others", costs[0]).atMost(1.15, OfRatio).stretch(1.05)
		}
		s.put("exponent over all entities", "", g.exponent()).atMost(0.05, OfMedian)
		s.put("exponent over all entities, work", "", work.exponent()).gate(0.05+residentMargin, OfMedian)
		s.put("exponent over all entities, instructions", "", executed.exponent()).gate(0.05, OfMedian).
			instead("exponent over all entities, work")
		s.put(fmt.Sprintf("start of a world with %s creatures", number(float64(most))), "s", start).atMost(5, OfMedian)
		s.put("memory of a creature that was never in view", "bytes", unseen).atMost(500, OfMedian)
		s.put("memory of a creature that was in view and sleeps", "bytes", seen)
	}
	return fmt.Sprintf("%s players run about in discs, %d to a disc, and no other player is near. %s creatures live elsewhere on the "+
		"map; visitors have seen all of them, so that they are spawned, and have left, so that they sleep. It is "+
		"compared with the same world without other creatures. A repetition is %d ticks of each in turn; times are "+
		"those of the thread. Memory is the heap, without frames, after the start of the world, and after the visits. "+
		"The target is for a world at its start, in which a creature is its spawn point until an observer comes near; "+
		"one that was in view is a whole entity until it has slept for ten minutes, which these have not, and has no "+
		"target. The start is making the synthetic world and the world with it.",
		number(float64(players)), synth.PerHub, number(float64(most)), ticks) + onlyWork("exponent"), repetitions, nil
}

// newResident is players with so many others far away, and what each of these takes of the heap, in bytes: before
// any player has seen it, and when it sleeps after that.
func newResident(ctx context.Context, d *defs.World, players, others int) (_ *scene, dormant, asleep float64, err error) {
	before := heap()
	place := d.Maps[0]
	place.Spawns, place.Pools = make([]defs.Spawn, 0, others), nil
	dice, walkers := discs(players, synth.PerHub)
	visits := int(math.Ceil(math.Sqrt(float64(others) / perVisit)))
	side := float32(visits * visitStep)
	full, err := synth.New(synth.Config{Creatures: 1})
	if err != nil {
		return nil, 0, 0, err
	}
	entries := living(full)
	for i := range others {
		x, y := farYards+dice.Float32()*side, farYards+dice.Float32()*side
		place.Spawns = append(place.Spawns, defs.Spawn{
			Entry: entries[i%len(entries)], X: x, Y: y, Z: place.Height(x, y), Wander: wanderYards, Path: -1,
		})
	}
	w := emptyScene(&place, systems.Live{
		World: systems.New(systems.Config{Defs: full, Map: &place, Seed: 1}), Exchange: frame.NewExchange(),
	}, walkers)
	w.step() // the first begins the world
	if others > 0 {
		dormant = (heap() - before) / float64(others)
	}
	for i := range visits * visits {
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		w.visit(farYards+visitStep*(float64(i%visits)+0.5), farYards+visitStep*(float64(i/visits)+0.5))
	}
	w.live.Exchange = frame.NewExchange() // the frames of visits were for visitors
	if others > 0 {
		asleep = (heap() - before) / float64(others)
	}
	if n := w.live.World.Load().Asleep; n < others*99/100 {
		return nil, 0, 0, fmt.Errorf("only %d of %d creatures sleep", n, others)
	}
	w.fill(dice)
	return w, dormant, asleep, nil
}

// visit has a player see a place, and leave.
func (s *scene) visit(x, y float64) {
	s.walkers = append(s.walkers, walkscene.Walker{X: x, Y: y, Radius: 1})
	walker := len(s.walkers) - 1
	s.enter(walker)
	for range visitTicks {
		s.step()
	}
	s.walkers = s.walkers[:walker]
	s.inbox.Add(frame.Item{Session: uint32(walker + 1), Op: frame.OpLeave})
	for range visitTicks {
		s.step()
	}
}

// stepThread is step, but says what the tick took of the processor.
func (s *scene) stepThread() time.Duration {
	s.send()
	start := threadTime()
	s.live.Step(s.tick)
	return threadTime() - start
}

// measureThread runs some ticks, and says what they took of the processor.
func (s *scene) measureThread(ticks int) timing { return measure(nil, s.stepThread, ticks) }

// work is a tick, which is measured in turns of a loop.
func (s *scene) work(y *yardstick) {
	s.send()
	y.time(func() { s.live.Step(s.tick) })
}

// executed is how many instructions a tick takes, on average over some.
func (s *scene) executed(c counter, ticks int) (each float64) {
	for range ticks {
		s.send()
		each += over(c, 1, func() { s.live.Step(s.tick) }) / float64(ticks)
	}
	return each
}

// begin is how long it takes to make a world with so many creatures, seconds.
func begin(creatures int) (float64, error) {
	start := time.Now()
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return 0, err
	}
	for i := range d.Maps {
		runtime.KeepAlive(systems.New(systems.Config{Defs: d, Map: &d.Maps[i], Seed: 1}))
	}
	return time.Since(start).Seconds(), nil
}

// heap is what lives on it, bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
