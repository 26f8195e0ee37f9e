package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"muster/bench/walkscene"
	"muster/components/defs"
	"muster/loaders/synth"
)

const (
	discYards = 60  // radius of the disc
	hubYards  = 200 // from one place to the next
	asDear    = 1.5 // how many times what it costs apart a tick in one disc may cost
)

// How the players stand that are not in one disc.
var (
	inHubs = fmt.Sprintf("%d to a disc", synth.PerHub)
	lonely = "1 to a disc"
)

// observers measures whether a tick costs a world more if all players see each other.
func observers(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, ticks, repetitions := 2_000, 400, 5
	if c.Quick {
		players, ticks, repetitions = 500, 200, 3
	}
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		return "", 0, err
	}
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	counter := c.counter(s)
	defer counter.close()
	crowd := gathered(d, players, players)
	hubs := gathered(d, players, synth.PerHub)
	alone := gathered(d, players, 1)
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		together, spread, apart := crowd.measureThread(ticks), hubs.measureThread(ticks), alone.measureThread(ticks)
		s.put("tick, all in one disc", "µs", together.percentile(50)).beside(inHubs, spread.percentile(50)).atMost(asDear, OfRatio)
		s.put("the same", "µs", together.percentile(50)).beside(lonely, apart.percentile(50)).atMost(asDear, OfRatio)
		work := c.inTurns(ticks, crowd.work, hubs.work, alone.work)
		s.put("tick, all in one disc, work", "turns", work[0]).beside(inHubs, work[1]).gate(asDear*ratioMargin, OfRatio)
		s.put("as much", "turns", work[0]).beside(lonely, work[2]).gate(asDear*ratioMargin, OfRatio)
		executed, inMany, ofOne := crowd.executed(counter, ticks), hubs.executed(counter, ticks), alone.executed(counter, ticks)
		s.put("tick, all in one disc, instructions", "", executed).beside(inHubs, inMany).gate(asDear, OfRatio).
			instead("tick, all in one disc, work")
		s.put("as many", "", executed).beside(lonely, ofOne).gate(asDear, OfRatio).instead("as much")
	}
	return fmt.Sprintf("%s players run about in one disc of %d yards, where each sees nearly all others, compared with as many in "+
		"discs %d yards apart, %d to a disc or alone; all send two heartbeats per second, and there are no creatures. A "+
		"repetition is %d ticks of each world; the figure is its median tick, in time of the thread, the median of as "+
		"many in turns of a loop, and the mean of as many in instructions.",
		number(float64(players)), discYards, hubYards, synth.PerHub, ticks) + onlyWork("ratio"), repetitions, nil
}

// gathered is a scene with so many walkers in each disc.
func gathered(d *defs.World, players, perDisc int) *scene {
	dice, walkers := discs(players, perDisc)
	return newScene(d, &d.Maps[0], dice, walkers)
}

// discs is walkers in discs around the middle of a map, and the dice that they were thrown with.
func discs(players, perDisc int) (*rand.Rand, []walkscene.Walker) {
	dice := rand.New(rand.NewPCG(2, 0))
	walkers := make([]walkscene.Walker, players)
	side := int(math.Ceil(math.Sqrt(float64(players) / float64(perDisc))))
	for i := range walkers {
		disc := i / perDisc
		walkers[i] = walkscene.Circling(dice, hubYards*float64(disc%side-side/2), hubYards*float64(disc/side-side/2), discYards)
	}
	return dice, walkers
}
