package bench

import (
	"context"
	"fmt"
	"math"

	"muster/ecs/grid"
	"muster/loaders/synth"
	"muster/net/replication/inspect"
)

// lookTicks is how many ticks lie between two looks of a watcher: the 250 ms of the live page.
const lookTicks = 5

// watched measures what it costs a tick that the live page shows its world.
func watched(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, creatures, ticks, repetitions := 10_000, 20_000, 400, 7
	if c.Quick {
		players, creatures, ticks, repetitions = 1_000, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	var scenes [3]*kept // not watched; the whole map; as many entities as are sent one by one
	for i := range scenes {
		scenes[i] = newKept(d, players, false)
		scenes[i].live.Inspector = inspect.NewInspector()
		scenes[i].rest = scenes[i].live.Rest
	}
	far, near := &inspect.Query{Box: square(grid.Limit)}, &inspect.Query{}
	for half := float32(grid.Limit); near.Box == (inspect.Box{}) || near.Grain > 0; half *= 0.95 {
		near.Box = square(half)
		scenes[2].live.World.Inspect(near)
	}
	scenes[1].rest, scenes[2].rest = scenes[1].watch(far), scenes[2].watch(near)
	err = inTurn(ctx, scenes[:], ticks, repetitions, func(tolls []toll, n float64) {
		alone := micros(tolls[0].time) / n
		s.put("tick with the whole map watched, thread time, mean", "µs", micros(tolls[1].time)/n).beside("not watched", alone).atMost(1.02, OfRatio)
		s.put("tick watched entity by entity, thread time, mean", "µs", micros(tolls[2].time)/n).beside("not watched", alone).atMost(1.02, OfRatio)
		s.put("entities sent one by one", "", float64(len(near.Things)))
		s.put("allocations per tick, not watched", "", math.Floor(float64(tolls[0].allocations)/n)).gate(0, OfMedian)
	})
	if err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("%s players walk as in a steady tick, in three worlds that run in turn. The first is not watched. The others "+
		"answer a question every %d ms, as from the live page: the whole map, in blocks, and as large a part of it as "+
		"is sent entity by entity. A repetition is %d ticks of each. The figure is processor time of the world's "+
		"thread, answering included; encoding the answers is done by other threads.",
		number(float64(players)), lookTicks*tickMs, ticks), repetitions, nil
}

// square is the part of a map around its middle.
func square(half float32) inspect.Box {
	return inspect.Box{MinX: -half, MinY: -half, MaxX: half, MaxY: half}
}

// watch is what a world does after each tick while it is watched.
func (k *kept) watch(l *inspect.Query) (rest func()) {
	return func() {
		k.live.Rest()
		if k.tick%lookTicks == 0 {
			k.live.World.Inspect(l)
		}
	}
}
