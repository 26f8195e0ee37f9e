package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
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
	sharesLeast = 0.005

	// sharesMargin is how much more of its part a system may have in time, beside the others, and allMargin all of them in
	// turns of a loop: how many instructions a processor executes in some time is different from system to system, which
	// cancels only in part, and from processor to processor.
	sharesMargin, allMargin = 2, 3

	perTick      = "thousand instructions per tick"
	perTickTurns = "thousand turns per tick"
	besideOthers = "% of the other systems"
	allSystems   = "all systems"
	work         = ", work"
)

// shares measures which part of a tick's instructions each system has, and beside it what it had in the last committed
// result, in instructions and in turns of a loop. The worlds are the same in a quick run: a count of instructions needs no
// quiet machine.
func shares(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	const players, fights, ticks = 1_000, 500, 200
	repetitions = 5
	if c.Quick {
		repetitions = 3
	}
	text = fmt.Sprintf("Instructions in user mode of the world's thread, by system: of a world with %s players that walk among as many "+
		"creatures, and of %d fights; %d ticks of each. The share of a system is that of its instructions in those of "+
		"all systems. Each system is compared with its part of the last committed result: its instructions, and its "+
		"work, which is the time of the thread relative to that of the other systems. The work of all is in turns of a "+
		"loop that is timed once a tick. For a committed result without work its instructions are used, %d to a turn. "+
		"Systems with less than %.1f%% of the work are judged with all systems only.",
		number(players), fights, ticks, loopInstructions, 100*sharesLeast)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter, stick := c.counter(s), c.yardstick()
	defer counter.close()
	last, err := lastShares(c)
	if err != nil {
		return "", 0, err
	}
	if last == nil {
		s.unjudged("comparison with the last committed result", "there is none in "+c.Committed)
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
	systems := tally{small: make(map[string]bool)}
	watchShares(counter, stick, walk.live.World, &systems)
	watchShares(counter, stick, fight.live.World, &systems)
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		systems.reset()
		for range ticks {
			walk.step()
			fight.step()
			stick.add(0) // times the loop
		}
		systems.put(s, last, ticks, stick.turnNanos())
	}
	return text, repetitions, nil
}

// A tally is what systems have executed, in the order in which they first ran.
type tally struct {
	parts []part
	small map[string]bool // by name: too little to be judged by itself, as the first repetition has found
}

// A part is what one system has executed.
type part struct {
	name  string
	count float64 // instructions
	nanos float64 // processor time of the thread
}

// A shareWatcher adds what the systems of a world execute to a tally.
type shareWatcher struct {
	counter counter
	clock   func() time.Duration
	systems []string
	to      *tally
	began   float64
	since   time.Duration
}

// Begin implements sched.Watcher.
func (w *shareWatcher) Begin(int) { w.since, w.began = w.clock(), w.counter.read() }

// End implements sched.Watcher.
func (w *shareWatcher) End(i int, _ time.Duration) {
	count := w.counter.read() - w.began
	w.to.add(part{w.systems[i], count, float64(w.clock() - w.since)})
}

// watchShares has a tally follow the systems of a world.
func watchShares(c counter, stick *yardstick, w *systems.World, to *tally) {
	w.Plan().Watch(&shareWatcher{counter: c, clock: stick.clock, systems: w.Plan().Names(), to: to})
}

// put notes a repetition of so many ticks, which the turn of a loop has taken so many nanoseconds in, and has it held to
// the last committed result.
func (t *tally) put(s *sheet, last map[string]float64, ticks, turn float64) {
	all := t.sum()
	counted := s.counts.missing() == ""
	s.put(allSystems+work, perTickTurns, all.nanos/turn/ticks/1000).heldTo(last, sharesLimit*allMargin)
	s.put(allSystems, perTick, all.executed()/ticks/1000).heldTo(last, sharesLimit).instead(allSystems + work)
	for i := range t.parts {
		p := &t.parts[i]
		beside := s.put(p.name+work, besideOthers, 100*p.nanos/(all.nanos-p.nanos))
		small, known := t.small[p.name]
		if !known {
			small = p.nanos/all.nanos < sharesLeast && !(p.count/all.count >= sharesLeast)
			t.small[p.name] = small
		}
		if !small {
			beside.heldTo(last, sharesLimit*sharesMargin)
			s.put(p.name, perTick, p.executed()/ticks/1000).heldTo(last, sharesLimit).instead(p.name + work)
		} else if counted {
			s.put(p.name, perTick, p.executed()/ticks/1000)
		}
	}
	for i := range t.parts {
		if p := &t.parts[i]; counted {
			s.put("share of "+p.name, "%", p.count/all.count*100)
		}
	}
}

// executed is how many instructions there were; not a number if none were, which no system does without.
func (p *part) executed() float64 {
	if p.count == 0 {
		return math.NaN()
	}
	return p.count
}

func (t *tally) reset() {
	for i := range t.parts {
		t.parts[i].count, t.parts[i].nanos = 0, 0
	}
}

func (t *tally) add(p part) {
	for i := range t.parts {
		if t.parts[i].name == p.name {
			t.parts[i].count += p.count
			t.parts[i].nanos += p.nanos
			return
		}
	}
	t.parts = append(t.parts, p)
}

func (t *tally) sum() part {
	all := part{name: "all systems"}
	for _, p := range t.parts {
		all.count += p.count
		all.nanos += p.nanos
	}
	return all
}

// heldTo makes a gate of how often a figure is that of the last committed result, if that has it.
func (c *column) heldTo(last map[string]float64, limit float64) *column {
	if was, ok := last[c.metric.Name]; ok {
		c.beside("last committed", was).gate(limit, OfRatio)
	}
	return c
}

// lastShares are the figures of the last committed result, nil if there is none. If it has no work, that is made of its
// instructions.
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
	all, executed := last[allSystems]
	if _, ok := last[allSystems+work]; ok || !executed {
		return last, nil
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Unit == perTick {
			last[m.Name+work] = 100 * m.Value.Median / (all - m.Value.Median)
		}
	}
	last[allSystems+work] = all / loopInstructions
	return last, nil
}
