package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"muster/bench/walkscene"
	"muster/loaders/synth"
)

// linear is the greatest exponent at which something counts as growing in step with its size.
const linear = 1.1

// A grower is a world of some size.
type grower struct {
	size int
	step func() time.Duration
}

// growths measures how the cost of a tick follows the size of a world.
func growths(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	ticks, repetitions := 100, 7
	largest := 10_000
	if c.Quick {
		ticks, repetitions, largest = 60, 3, 1_000
	}
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	curves := []struct {
		name, of string
		grow     func(size int) (*grower, error)
		sizes    []int
	}{
		{"players", "players", growPlayers, sizes(largest)},
		{"creatures", "creatures", growCreatures, sizes(2 * largest)},
		{"observers per cell", "pairs of observer and mover", growObservers, sizes(largest / 5)},
		{"fights", "fights", growFights, sizes(largest)},
	}
	for _, curve := range curves {
		var worlds []*grower
		for _, size := range curve.sizes {
			g, err := curve.grow(size)
			if err != nil {
				return "", 0, err
			}
			worlds = append(worlds, g)
		}
		steps := make([]func() time.Duration, len(worlds))
		for i, g := range worlds {
			steps[i] = g.step
		}
		for range repetitions {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			var fit growth
			for i, t := range alternate(ticks, steps...) {
				g := worlds[i]
				s.put(fmt.Sprintf("%s %s", number(float64(g.size)), curve.of), "µs", t.percentile(50)).at(curve.name, curve.of, g.size)
				fit.add(float64(g.size), t.percentile(50))
			}
			s.put(curve.name+", exponent", "", fit.exponent()).atMost(linear, OfMedian)
		}
	}
	return fmt.Sprintf("The median tick of worlds of three sizes, and the exponent of the power of the size that it follows: players "+
		"that walk, %d to a disc, with what gateways gather and encrypt for them; creatures that wander awake about as "+
		"many players; players in one disc that all see each other, with gathering, over the pairs of observer and "+
		"mover, since that is how many moves are delivered; and fights. An exponent of 1 is twice as much for twice the "+
		"size. Times are processor time of the thread, %d ticks of the three worlds, a tick of each in turn: so each "+
		"finds its memory as far from the processor as in a server, where others have used the caches since the last "+
		"tick, and a small world is not warmer than a large one.", perDisc, ticks), repetitions, nil
}

// perDisc is how many players see each other.
const perDisc = 50

// sizes are three, each twice the one before.
func sizes(largest int) []int { return []int{largest / 4, largest / 2, largest} }

// growPlayers is so many players.
func growPlayers(size int) (*grower, error) {
	return &grower{size: size, step: warm(walkscene.Config{
		Players: size, PerDisc: perDisc, DiscYards: reachYards, Apart: apartYards, BeatTicks: beatTicks,
	})}, nil
}

// growObservers is so many players that all see each other; what grows with them is the pairs.
func growObservers(size int) (*grower, error) {
	return &grower{size: size * (size - 1), step: warm(walkscene.Config{
		Players: size, PerDisc: size, DiscYards: reachYards, Apart: apartYards, BeatTicks: 1,
	})}, nil
}

// warm is the whole tick of a walk after all have entered.
func warm(c walkscene.Config) func() time.Duration {
	p := newMarching(c)
	p.wrap = sealed
	for range marchTicks {
		p.whole()
	}
	return p.whole
}

// growCreatures is so many creatures, which are kept awake by as few players as that takes.
func growCreatures(size int) (*grower, error) {
	d, err := synth.New(synth.Config{Creatures: size})
	if err != nil {
		return nil, err
	}
	dice := rand.New(rand.NewPCG(4, 0))
	hubs := size / synth.PerHub
	walkers := make([]walkscene.Walker, min(hubs, len(d.Hubs)))
	for i := range walkers {
		walkers[i] = walkscene.Circling(dice, float64(d.Hubs[i].X), float64(d.Hubs[i].Y), reachYards)
	}
	place := d.Map(d.Hubs[0].Map)
	world := newScene(d, busy(d, place, dice, size, len(walkers)), dice, walkers)
	if awake := world.live.World.Awake(); awake != size+len(walkers) {
		return nil, fmt.Errorf("%d of %d creatures and their players are awake", awake, size)
	}
	return &grower{size: size, step: world.stepThread}, nil
}

// growFights is so many fights.
func growFights(size int) (*grower, error) {
	p := newBrawling(size)
	for range brawlTicks {
		p.step()
	}
	return &grower{size: size, step: p.step}, nil
}
