package bench

import (
	"context"
	"fmt"
	"runtime"

	"muster/bench/visibility"
)

// sighting is the places of a scenario and what has to be reached by their number.
type sighting struct {
	sizes         []int
	places        func(n int) []visibility.Place
	must, stretch map[int]float64 // times faster than objects
	exponent      float64         // over pairs, at most
	better        float64
	ticks         int
	where         string
	others        []arrangement // of as many as must has, with the same to be reached
}

// An arrangement is other places of as many.
type arrangement struct {
	name   string
	places func(n int) []visibility.Place
}

// spreadOut measures the visibility of players in many places.
func spreadOut(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	w := sighting{
		sizes: []int{10_000, 50_000, 100_000}, places: visibility.Hubs, exponent: 1.2, better: 1.05, ticks: 4,
		must: map[int]float64{10_000: 24, 100_000: 34}, stretch: map[int]float64{10_000: 60, 100_000: 120},
		where:  "live in hubs of a hundred, in a square of 17,066 yards",
		others: []arrangement{{"added hub by hub", visibility.HubsInOrder}, {"who change cells", visibility.HubsOfWalkers}},
	}
	if c.Quick {
		w.sizes = []int{1_000, 3_000, 10_000}
	}
	text, repetitions, err = w.run(ctx, c, s)
	return text + " Players added hub by hub are so in both, so that those of a hub may lie next to each other in memory. Those who " +
		"change cells walk to and fro 40 yards from their place, as fast as players run: one in a hundred comes into another cell " +
		"in each tick, and sees others, and is seen by others, from then on.", repetitions, err
}

// crowded measures the visibility of players in one crowd.
func crowded(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	w := sighting{
		sizes: []int{500, 1_000, 2_000}, exponent: 1.1, better: 1, ticks: 20,
		places: func(n int) []visibility.Place { return visibility.Disc(n, discYards) },
		must:   map[int]float64{500: 18, 1_000: 28, 2_000: 32}, stretch: map[int]float64{2_000: 150},
		where: fmt.Sprintf("stand in one disc of %d yards", discYards),
	}
	if c.Quick {
		w.sizes, w.ticks = []int{250, 500, 1_000}, 4
	}
	return w.run(ctx, c, s)
}

func (w *sighting) run(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	repetitions = 5
	if c.Quick {
		repetitions = 3
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter := c.counter(s)
	defer counter.close()
	grows, executes := make([]growth, repetitions), make([]growth, repetitions)
	var finds []func(*yardstick)
	var all []float64
	for _, n := range w.sizes {
		cells, objects := visibility.NewCells(w.places(n)), visibility.NewObjects(w.places(n))
		found, other := cells.Find(), objects.Find()
		if found != other {
			return "", 0, fmt.Errorf("of %d, cells find %+v and objects %+v", n, found, other)
		}
		for range 6 * ringRounds {
			cells.Tick(nil) // until no buffer grows any more
		}
		objects.Tick(nil)
		runtime.GC()
		pairs := float64(found.Count)
		all = append(all, pairs)
		finds = append(finds, func(y *yardstick) { y.time(func() { cells.Tick(nil) }) })
		for r := range repetitions {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			mine := took(w.ticks, func() { cells.Tick(nil) })
			theirs := took(max(w.ticks/4, 1), func() { objects.Tick(nil) })
			allocated, _ := allocations(func() { cells.Tick(nil) })
			figure := s.put(fmt.Sprintf("a pair, of %s", count(n, "player")), "ns", mine/pairs).beside(plainObjects, theirs/pairs)
			if must, ok := w.must[n]; ok {
				figure.atLeast(must, OfTimes)
			}
			if stretch, ok := w.stretch[n]; ok {
				figure.stretch(stretch)
			}
			s.put(fmt.Sprintf("a tick, of %s", count(n, "player")), "µs", mine/1000).at("a tick", "players", n)
			s.put(fmt.Sprintf("pairs, of %s", count(n, "player")), "", pairs)
			s.put(fmt.Sprintf("allocations per tick, of %s", count(n, "player")), "", allocated).gate(0, OfMedian)
			grows[r].add(pairs, mine)
			executes[r].add(pairs, over(counter, 1, func() { cells.Tick(nil) }))
		}
	}
	for _, other := range w.others {
		if err := w.arranged(ctx, s, other, repetitions); err != nil {
			return "", 0, err
		}
	}
	for r := range grows {
		s.put("exponent over pairs", "", grows[r].exponent()).atMost(w.exponent, OfMedian).stretch(w.better)
		s.put("exponent over pairs, work", "", growth{all, c.inTurns(5*w.ticks, finds...)}.exponent()).gate(w.exponent+exponentMargin, OfMedian)
		s.put("exponent over pairs, instructions", "", executes[r].exponent()).gate(w.exponent, OfMedian).
			instead("exponent over pairs, work")
	}
	return fmt.Sprintf("Every player sees and is seen, and moves each tick; all %s. Muster never computes which players see which: the "+
		"bytes for an observer are gathered from the cells of its view. To be comparable with a full list for each "+
		"observer, every player has a packet with its GUID broadcast, and every observer is sent the packets of all it "+
		"sees: sorting into cells, building the frame, and a replay for each observer, by the code of the server, in "+
		"the order of home cells, as in a gateway. In both, players are added in random order. The baseline has a grid "+
		"of cells with pointers, a visitor for each observer, and a set of the objects that its client knows. Both "+
		"follow the same rule, by home cells and views, and find the same pairs, which is compared before anything is "+
		"measured. Times are those of the thread.", w.where) + onlyWork("exponent"), repetitions, nil
}

// arranged measures other places of the least size, and of those with something to reach, if the run is not quick. Of those that
// move on, each side is held against the pairs that it finds itself just before: it has had ticks of its own.
func (w *sighting) arranged(ctx context.Context, s *sheet, other arrangement, repetitions int) error {
	for i, n := range w.sizes {
		must, judged := w.must[n]
		if i > 0 && (s.quick || !judged) {
			continue
		}
		cells, objects := visibility.NewCells(other.places(n)), visibility.NewObjects(other.places(n))
		if found, other := cells.Find(), objects.Find(); found != other {
			return fmt.Errorf("of %d, cells find %+v and objects %+v", n, found, other)
		}
		for range 6 * ringRounds {
			cells.Tick(nil) // until no buffer grows any more
		}
		runtime.GC()
		name := fmt.Sprintf("%s, %s", count(n, "player"), other.name)
		for range repetitions {
			if err := ctx.Err(); err != nil {
				return err
			}
			pairs, theirPairs := float64(cells.Find().Count), float64(objects.Find().Count)
			crossed := cells.Crossed
			mine := took(w.ticks, func() { cells.Tick(nil) }) / pairs
			theirs := took(max(w.ticks/4, 1), func() { objects.Tick(nil) }) / theirPairs
			figure := s.put("a pair, of "+name, "ns", mine).beside(plainObjects, theirs)
			if judged {
				figure.atLeast(must, OfTimes)
			}
			s.put("into another cell in a tick, of "+name, "%", 100*float64(cells.Crossed-crossed)/float64(w.ticks*n))
		}
	}
	return nil
}

// plainObjects is what the baselines of single parts are called.
const plainObjects = "objects"

// ringRounds is how many ticks it takes until every frame of a ring was used.
const ringRounds = 81
