package ladder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// names lists rungs.
func names(r Rungs) string {
	var all []string
	for i, rung := range r.All {
		name := r.Name(rung)
		if i == r.Base {
			name = "[" + name + "]"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestRungs(t *testing.T) {
	for _, c := range []struct {
		new     func(step time.Duration, phases int) Rungs
		step    time.Duration
		phases  int
		want    string // the base in brackets
		longest uint64
	}{
		{New, 0, 0, "5ms/1 5ms/2 10ms/2 25ms/2 [50ms/2] 50ms/3 50ms/4 50ms/5 50ms/6 50ms/7 50ms/8 50ms/9 50ms/10", 10},
		{New, 50 * time.Millisecond, 2, "[50ms/2] 50ms/3 50ms/4 50ms/5 50ms/6 50ms/7 50ms/8 50ms/9 50ms/10", 1},
		{New, 50 * time.Millisecond, 0, "50ms/1 [50ms/2] 50ms/3 50ms/4 50ms/5 50ms/6 50ms/7 50ms/8 50ms/9 50ms/10", 1},
		{New, 0, 4, "5ms/4 10ms/4 25ms/4 [50ms/4] 50ms/5 50ms/6 50ms/7 50ms/8 50ms/9 50ms/10 50ms/11 50ms/12", 10},
		{New, 10 * time.Millisecond, 1, "[10ms/1] 10ms/2 10ms/3 10ms/4 10ms/5 10ms/6 10ms/7 10ms/8 10ms/9", 1},
		{New, 5 * time.Millisecond, 0, "5ms/1 5ms/2 5ms/3 5ms/4 5ms/5 5ms/6 5ms/7 5ms/8 5ms/9 [5ms/10]", 1},
		{NewDivided, 0, 0, "7ms/1 7ms/2 14ms/2 28ms/2 [56ms/2] 56ms/3 56ms/4 56ms/5 56ms/6 56ms/7 56ms/8 56ms/9 56ms/10", 8},
		{NewDivided, 50 * time.Millisecond, 2, "[50ms/2] 50ms/3 50ms/4 50ms/5 50ms/6 50ms/7 50ms/8 50ms/9 50ms/10", 1},
	} {
		if r := c.new(c.step, c.phases); names(r) != c.want || r.Longest() != c.longest {
			t.Errorf("step %v, phases %d: %s, at most %d quanta; want %s, %d", c.step, c.phases, names(r), r.Longest(), c.want, c.longest)
		}
	}
}

// A machine is a server whose costs are known: what a ladder makes of it can be computed.
type machine struct {
	tick, packet float64 // seconds of an empty tick, and of what one arrived packet adds to it
	send, byte   float64 // seconds of a send, and of a byte in it
	rest         float64 // cores that everything else takes

	players int
	rate    float64 // packets of each player in a second, which all others see; 40 bytes each
	procs   int
}

// ordinary is roughly what docs/bench has.
var ordinary = machine{tick: 100e-6, packet: 3e-6, send: 8e-6, byte: 1e-9, procs: 2}

// at is what the machine takes on a rung, in seconds of a second.
func (m *machine) at(r *Rungs, rung Rung) (worlds, loops, sends, bytes float64) {
	n, period := float64(m.players), r.Period(rung).Seconds()
	events := n * m.rate
	if n > 0 {
		worlds = m.tick/r.Step(rung).Seconds() + m.packet*events
		sends = n * (1 - math.Exp(-events*period)) / period
	}
	bytes = n * events * 40
	return worlds, m.send*sends + m.byte*bytes, sends, bytes
}

// A trial lets a ladder run a machine.
type trial struct {
	t       *testing.T
	ladder  Ladder
	machine machine
	sample  Sample
	noise   *rand.Rand
	changes int
}

func newTrial(t *testing.T, m machine) *trial {
	const seed = 3
	return &trial{
		t: t, machine: m, noise: rand.New(rand.NewPCG(seed, 1)),
		ladder: Ladder{Rungs: New(0, 0), Budget: 0.5, Procs: m.procs},
		sample: Sample{Worlds: []time.Duration{0, 0}, Loops: []time.Duration{0}},
	}
}

// run runs for so many seconds; each half of one costs up to a twentieth more or less than it should.
func (r *trial) run(seconds float64) *trial {
	for range int(seconds * 2) {
		before := r.ladder.Rung()
		worlds, loops, sends, bytes := r.machine.at(&r.ladder.Rungs, before)
		half := func(v float64) float64 { return v / 2 * (0.95 + 0.1*r.noise.Float64()) }
		spend := func(of *time.Duration, v float64) {
			d := time.Duration(half(v) * 1e9)
			*of += d
			r.sample.Processor += d
		}
		spend(&r.sample.Worlds[0], worlds)
		spend(&r.sample.Loops[0], loops)
		spend(new(time.Duration), r.machine.rest)
		r.sample.Sends += uint64(half(sends))
		r.sample.Bytes += uint64(half(bytes))
		r.sample.Players = r.machine.players
		if r.ladder.Judge(Every, &r.sample) != before {
			r.changes++
		}
	}
	return r
}

func (r *trial) name() string { return r.ladder.Rungs.Name(r.ladder.Rung()) }

// TestLadderFindsItsRung compares where a ladder ends with the first rung that the machine can afford, which is computed
// from its costs: the ladder, which does not know them, is on it or at most two above it.
func TestLadderFindsItsRung(t *testing.T) {
	for _, players := range []int{0, 1, 50, 100, 200, 300, 500, 700, 1000, 2000, 5000, 8000} {
		for _, slower := range []float64{0.5, 1, 2, 4} {
			m := ordinary
			m.tick, m.packet, m.send, m.byte = m.tick*slower, m.packet*slower, m.send*slower, m.byte*slower
			m.players, m.rate, m.rest = players, 2.4, 0.01*float64(players)/1000
			if players > 1000 {
				m.rate = 2400.0 / float64(players) // they do not all see each other
			}
			r := newTrial(t, m).run(30)
			rungs := &r.ladder.Rungs
			first := 0
			for ; first < len(rungs.All)-1; first++ {
				worlds, loops, _, _ := m.at(rungs, rungs.All[first])
				if busy := max(worlds, loops, (worlds+loops)/2); busy <= tooBusy && (first >= rungs.Base || worlds+loops+m.rest <= 0.5*overBudget) {
					break
				}
			}
			if r.ladder.at < first || r.ladder.at > first+2 {
				t.Errorf("%d players, %gx as slow: %s, the first that fits is %s", players, slower, r.name(), rungs.Name(rungs.All[first]))
			}
			if r.changes = 0; r.run(60).changes > 1 {
				t.Errorf("%d players, %gx as slow: %d changes in a minute in which nothing changes", players, slower, r.changes)
			}
		}
	}
}

// TestLadderFollowsTheLoad has players come and go: the rung is another within two seconds, and goes as far as it must.
func TestLadderFollowsTheLoad(t *testing.T) {
	r := newTrial(t, ordinary)
	r.machine.players, r.machine.rate = 50, 2.4
	if r.run(10); r.name() != "5ms/1" {
		t.Fatalf("50 players: %s", r.name())
	}
	r.machine.players, r.machine.rate = 3000, 0.8
	if r.run(2); r.name() != "50ms/2" {
		t.Errorf("two seconds after 3,000 players have come: %s", r.name())
	}
	r.machine.players, r.machine.rate = 50, 2.4
	if r.run(2); r.name() != "5ms/1" {
		t.Errorf("two seconds after all but 50 have left: %s", r.name())
	}
	r.machine.send *= 20 // as if most of the processor were taken away
	if r.run(2); r.name() != "10ms/2" && r.name() != "25ms/2" {
		t.Errorf("two seconds after sends cost 20 times as much: %s", r.name())
	}
}

// TestLadderUnderOverload has a machine that is too slow for the base: players wait for as many steps more as it takes,
// and no longer when it is fast again.
func TestLadderUnderOverload(t *testing.T) {
	r := newTrial(t, ordinary)
	r.machine.players, r.machine.rate, r.machine.send, r.machine.byte = 10_000, 0.01, 10.5e-6, 0
	if r.run(10); r.name() != "50ms/3" { // 10,000 sends of 10.5 us are 105 ms
		t.Errorf("10,000 players: %s", r.name())
	}
	r.machine.send = 40e-6
	if r.run(5); r.name() != "50ms/10" {
		t.Errorf("four times as slow: %s", r.name())
	}
	r.machine.send = 5e-6
	if r.run(5); r.name() != "50ms/2" {
		t.Errorf("twice as fast: %s", r.name())
	}
}

// TestLadderWithoutAProcessor has a machine whose processor is not there when steps begin, though the server takes little of
// it: the steps are longer then. What the server spends does not tell when there is time again, so the ladder tries, and less
// often each time that it was wrong.
func TestLadderWithoutAProcessor(t *testing.T) {
	r := newTrial(t, ordinary)
	r.machine.players, r.machine.rate = 50, 2.4
	r.run(10)
	r.sample.Behind = []time.Duration{0, 0}
	late := func(seconds int) (tries string) {
		for half := range 2 * seconds {
			before := r.name()
			if r.ladder.Rung().Stride < 10 {
				r.sample.Behind[1] += 200 * time.Millisecond
			}
			if r.run(0.5); r.name() != before {
				tries += fmt.Sprintf(" %d:%s", half, r.name())
			}
		}
		return tries
	}
	if got, want := late(30), " 1:50ms/2 4:5ms/1 6:50ms/2 12:5ms/1 14:50ms/2 26:5ms/1 28:50ms/2 52:5ms/1 54:50ms/2"; got != want {
		t.Errorf("tries%s, want%s", got, want)
	}
	if r.run(60); r.name() != "5ms/1" {
		t.Errorf("with time again: %s", r.name())
	}
	if got, want := late(4), " 1:50ms/2 4:5ms/1 6:50ms/2"; got != want {
		t.Errorf("after a minute in time it tries%s, want%s", got, want)
	}
	r.run(60)
	r.sample.Behind[1] += 125 * time.Millisecond // a quarter of the time is not too much
	if r.run(0.5); r.ladder.over != 0 {
		t.Error("a quarter of the time behind counts")
	}
}

// TestBudget says what the budget is for: steps shorter than the base, by all that the process takes.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		budget, rest float64
		want         string
	}{{0, 0, "50ms/2"}, {0.5, 0, "5ms/1"}, {0.5, 0.6, "50ms/2"}, {2, 0.6, "5ms/1"}} {
		r := newTrial(t, ordinary)
		r.machine.players, r.machine.rate, r.machine.rest = 50, 2.4, c.rest
		r.ladder.Budget = c.budget
		if r.run(10); r.name() != c.want {
			t.Errorf("a budget of %g cores, %g taken by the rest: %s, want %s", c.budget, c.rest, r.name(), c.want)
		}
	}
}

// TestPacer has a pacer judge by the clock, count its changes and the time on each rung.
func TestPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPacer(New(0, 0))
		l := &Ladder{Rungs: p.Rungs, Budget: 0.5, Procs: 2}
		busy := time.Duration(0) // of each second, from its third on
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second+time.Millisecond)
		defer stop()
		var changed []string
		p.Run(ctx, l, func(s *Sample) {
			if past := time.Since(began); past > 3*time.Second && past <= 6*time.Second {
				busy += 400 * time.Millisecond
			}
			s.Processor, s.Worlds, s.Loops, s.Players = busy, []time.Duration{0}, []time.Duration{busy}, 9
		}, func(from, to Rung) { changed = append(changed, p.Rungs.Name(from)+" "+p.Rungs.Name(to)) })
		if got, want := strings.Join(changed, ", "), "5ms/1 50ms/2, 50ms/2 5ms/1"; got != want {
			t.Errorf("changed %q, want %q", got, want)
		}
		if up, down := p.Changes(); up != 1 || down != 1 || p.Name() != "5ms/1" || p.Step() != 5*time.Millisecond || p.Period() != 5*time.Millisecond {
			t.Errorf("%d up, %d down, %s", up, down, p.Name())
		}
		spent := map[string]time.Duration{}
		p.Spent(func(name string, d time.Duration) { spent[name] = d })
		if spent["50ms/2"] != 3500*time.Millisecond || spent["5ms/1"] != 6500*time.Millisecond || len(spent) != len(p.Rungs.All) {
			t.Errorf("spent %v", spent)
		}
	})
}
