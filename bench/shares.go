package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"muster/loaders/synth"
	"muster/systems"
)

const (
	// sharesLimit is how often a system may have its part of the last committed instructions.
	sharesLimit = 1.5
	// sharesLeast is the share that a system must have to be judged: what is less follows the length of a loop over
	// nothing.
	sharesLeast = 0.01

	perTick = "thousand instructions per tick"
)

// shares measures which part of a tick's instructions each system has, and beside it what it had in the last committed
// result. The worlds are the same in a quick run: an instruction count needs no quiet machine and few repetitions.
func shares(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	const players, fights, ticks = 1_000, 500, 200
	repetitions = 3
	text = fmt.Sprintf("Instructions in user mode of the world's thread, by system: of a world with %s players who walk "+
		"among as many creatures, and of %d fights; %d ticks of each. The share of a system is that of its instructions in "+
		"those of all systems. What a system executes is held against its part of the last committed result.",
		number(players), fights, ticks)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter, err := countInstructions()
	if err != nil {
		s.skip("share of each system in the instructions of a tick", err.Error())
		return text, 1, nil
	}
	defer counter.close()
	last, err := lastShares(c)
	if err != nil {
		return "", 0, err
	}
	if last == nil {
		s.skip("comparison with the last committed result", "there is none in "+c.Committed)
	}
	d, err := synth.New(synth.Config{Creatures: players})
	if err != nil {
		return "", 0, err
	}
	dice := rand.New(rand.NewPCG(1, 0))
	walkers := atHubs(d, dice, players)
	place := d.Map(d.Hubs[0].Map)
	walk := newScene(d, busy(d, place, dice, players, players/synth.PerHub), dice, walkers)
	fight := newBrawling(fights)
	for range brawlTicks {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		fight.step()
	}
	var systems tally
	watchShares(counter, walk.live.World, &systems)
	watchShares(counter, fight.live.World, &systems)
	small := make(map[string]bool) // what the first repetition has found too little to be judged
	for r := range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		clear(systems.counts)
		for range ticks {
			walk.step()
			fight.step()
		}
		all := systems.sum()
		s.put("all systems", perTick, all/ticks/1000)
		for i, name := range systems.names {
			figure := s.put(name, perTick, systems.counts[i]/ticks/1000)
			if r == 0 {
				small[name] = systems.counts[i]/all < sharesLeast // what was not counted is judged
			}
			if was, ok := last[name]; ok && !small[name] {
				figure.beside("last committed", was).gate(sharesLimit, OfRatio)
			}
		}
		for i, name := range systems.names {
			s.put("share of "+name, "%", systems.counts[i]/all*100)
		}
	}
	return text, repetitions, nil
}

// A tally is the instructions of systems by name, in the order in which they first ran.
type tally struct {
	names  []string
	counts []float64
}

// A shareWatcher adds what the systems of a world execute to a tally.
type shareWatcher struct {
	counter *instructionCounter
	systems []string
	to      *tally
	began   float64
}

// Begin implements sched.Watcher.
func (w *shareWatcher) Begin(int) { w.began = w.counter.read() }

// End implements sched.Watcher.
func (w *shareWatcher) End(i int, _ time.Duration) {
	w.to.add(w.systems[i], w.counter.read()-w.began)
}

// watchShares has a tally follow the systems of a world.
func watchShares(counter *instructionCounter, w *systems.World, to *tally) {
	w.Plan().Watch(&shareWatcher{counter: counter, systems: w.Plan().Names(), to: to})
}

func (t *tally) add(name string, count float64) {
	for i := range t.names {
		if t.names[i] == name {
			t.counts[i] += count
			return
		}
	}
	t.names, t.counts = append(t.names, name), append(t.counts, count)
}

func (t *tally) sum() (sum float64) {
	for _, n := range t.counts {
		sum += n
	}
	return sum
}

// lastShares are the figures of the last committed result, nil if there is none.
func lastShares(c *Config) (map[string]float64, error) {
	text, err := os.ReadFile(filepath.Join(c.Committed, "shares.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(c.Committed, "shares.json"), err)
	}
	last := make(map[string]float64)
	for i := range r.Metrics {
		last[r.Metrics[i].Name] = r.Metrics[i].Value.Median
	}
	return last, nil
}
