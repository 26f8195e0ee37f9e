package bench

import (
	"context"
	"fmt"
	"runtime"

	"muster/bench/fightscene"
)

const (
	// brawlTicks is how long the fights go on before they are measured: every player's turns have come round, and no
	// buffer grows any more.
	brawlTicks = 1400
)

// fights measures the tick of a world full of fights beside that of a server of objects.
func fights(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	fights, ticks, repetitions := 10_000, 100, 5
	if c.Quick {
		fights, ticks, repetitions = 1_000, 100, 3
	}
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	whole, half := newBrawling(fights), newBrawling(fights/2)
	object, quiet := newPolling(fights), newPolling(fights)
	for range brawlTicks {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		whole.step()
		half.step()
		object.step()
		quiet.step()
	}
	object.world.Quiet = false // it came so far in less time, and the game is the same
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		t := measure(whole.live.World, whole.step, ticks)
		o := measure(nil, object.step, ticks)
		object.world.List(true)
		l := measure(nil, object.step, ticks)
		object.world.List(false)
		q := measure(nil, quiet.step, ticks)
		h := measure(nil, half.step, ticks) // at the same point of the game
		deciding := measure(nil, whole.rules, ticks)
		gathering := measure(nil, whole.whole, ticks)
		for half.tick < whole.tick {
			half.step()
		}
		turns := alternate(ticks, whole.step, half.step)
		s.put("allocations per tick", "", t.allocations).gate(0, OfMedian)
		s.put("bytes allocated per tick", "", t.bytes).atMost(0, OfMedian)
		s.put("tick up to the finished frame, p50", "µs", t.percentile(50)).beside(objects, o.percentile(50)).atMost(1./20, OfRatio)
		s.put("the same, p50, beside objects with lists", "µs", t.percentile(50)).beside(objects+" with lists", l.percentile(50)).
			atMost(1./5, OfRatio).stretch(1. / 10)
		s.put("the same, p99", "µs", t.percentile(99)).beside(objects, o.percentile(99))
		s.put("the same, with gathering for all players, p50", "µs", gathering.percentile(50)).beside(objects, o.percentile(50))
		s.put("rules alone, p50", "µs", deciding.percentile(50)).beside(objects+" that send nothing", q.percentile(50)).atMost(1./2, OfRatio)
		s.put("twice as many fights, in turn, p50", "µs", turns[0].percentile(50)).
			beside("half of them", turns[1].percentile(50)).atMost(2, OfRatio)
		s.put("the same, each in a row, p50", "µs", t.percentile(50)).beside("half of them", h.percentile(50))
		for _, system := range t.systems {
			s.put(system.name+", mean", "µs", system.micros)
		}
	}
	return fmt.Sprintf("%s players fight as many creatures in one map, one to one and %d to a disc, whose players see all others in "+
		"it: half of them with weapons, half with spells of a second and a half, and with three auras on each, two of "+
		"which are periodic. No unit dies, for all have a billion health. The step is %d ms, a repetition %d ticks of "+
		"each world in turn, without sockets, encryption and compression; times are processor time of the world's "+
		"thread. Ours takes no snapshots of players to be saved. The baseline is an object on the heap for each unit, "+
		"polled in each tick, with a range query for each packet and for each object that has changed, an encoding of "+
		"it for each observer, and a header for each packet and player. It has the same rules and the same dice: a test "+
		"compares what the two send a client, byte for byte. Objects with lists keep for each unit the players whose clients "+
		"know it, in place of range queries, and encode what has changed once for each class of viewers, as AzerothCore does today: they "+
		"send the same bytes. Rules alone are our systems %s, which write each packet "+
		"once, compared with the baseline when it plays the same game and writes no packets. Gathering is what gateways "+
		"do in addition, for every player once in %d ticks. Twice as many fights have as many to a disc, at the same "+
		"moment of the game. In turn, a tick of one world follows a tick of the other, so that both find their memory "+
		"equally far from the processor, as in a server, where others have used the caches since the last tick; in a "+
		"row, the smaller world stays in a cache that is too small for the larger one, and the ratio is also that of "+
		"the caches.",
		number(float64(fights)), fightscene.PerHub, tickMs, ticks, ruling, flushTicks), repetitions, nil
}

const objects = "objects"

// newBrawling is the scene of fights in one of our worlds.
func newBrawling(fights int) *play {
	b := fightscene.New(fights)
	p := newPlay(b, b.Defs, fights)
	p.step()
	p.gatherSome(0, 1) // all views, before the frames with them are overwritten
	return p
}

// newPolling is the scene of fights among objects, which send nothing.
func newPolling(fights int) *objectPlay {
	b := fightscene.New(fights)
	p := newObjectPlay(b, b.Defs)
	p.world.Quiet, p.world.Thrifty = true, true // no player goes anywhere
	return p
}
