package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"muster/bench/walkscene"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/net/replication/frame"
)

// How creatures are put to sleep: visitors see all of a square of land, and leave.
const (
	visitors     = 36 // six in a row
	visitorYards = 120
)

// asleep measures the cost of creatures without observers.
func asleep(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	creatures, ticks, repetitions := 100_000, 400, 5
	if c.Quick {
		creatures, ticks, repetitions = 10_000, 200, 3
	}
	d, err := synth.New(synth.Config{Creatures: 1})
	if err != nil {
		return "", 0, err
	}
	m := defs.Map{ID: d.Maps[0].ID, Half: d.Maps[0].Half, Ground: d.Maps[0].Ground}
	dice := rand.New(rand.NewPCG(3, 0))
	side := float32(6 * visitorYards)
	entries := living(d)
	for i := range creatures {
		x, y := dice.Float32()*side, dice.Float32()*side
		m.Spawns = append(m.Spawns, defs.Spawn{
			Entry: entries[i%len(entries)], X: x, Y: y, Z: m.Height(x, y), Wander: wanderYards, Path: -1,
		})
	}
	walkers := []walkscene.Walker{{X: -2000, Y: -2000, Radius: 10}}
	for i := range visitors {
		walkers = append(walkers, walkscene.Walker{
			X: visitorYards * (float64(i%6) + 0.5), Y: visitorYards * (float64(i/6) + 0.5), Radius: 10,
		})
	}
	world := newScene(d, &m, dice, walkers)
	awake := world.live.World.Awake()
	world.due = [beatTicks][]int{0: {0}} // the others say no more
	for i := range visitors {
		world.inbox.Add(frame.Item{Session: uint32(i + 2), Op: frame.OpLeave})
	}
	for range settleTicks {
		world.step()
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		t := world.measure(ticks)
		s.put("creatures that have been awake", "", float64(awake-len(walkers)))
		s.put("entities awake", "", float64(world.live.World.Awake())).gate(1, OfWorst)
		s.put("tick, mean", "µs", t.mean())
		s.put("processor, % of a core", "", t.mean()/(tickMs*1000)*100).atMost(1, OfMedian)
		s.put("allocations per tick", "", t.allocations).gate(0, OfMedian)
	}
	return fmt.Sprintf("%s creatures that wander live in a square of %d yards, all of which %d players have seen; then these have "+
		"left. One player is left, which runs about two thousand yards away. The step is %d ms, a repetition %d ticks.",
		number(float64(creatures)), 6*visitorYards, visitors, tickMs, ticks), repetitions, nil
}
