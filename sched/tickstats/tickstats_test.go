package tickstats

import (
	"reflect"
	"runtime/pprof"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/ecs/grid"
	"muster/sched"
)

// A world of two systems, of which the second is slow in every third tick.
func beating(step time.Duration) (p *Stats, tick func(n uint64)) {
	plan := sched.NewPlan(func() {},
		sched.System{Name: "move", Run: func(sched.Tick) { time.Sleep(2 * time.Millisecond) }},
		sched.System{Name: "think", Every: 3 * step, Run: func(sched.Tick) { time.Sleep(70 * time.Millisecond) }})
	p = New(1, "Here", step, step, plan)
	return p, func(n uint64) {
		began := time.Now()
		p.Start(n)
		plan.Run(sched.Tick{N: n, Quantum: step})
		p.Finish(n, time.Since(began), Load{Players: int(n), Items: 2 * int(n)})
	}
}

func TestLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, tick := beating(50 * time.Millisecond)
		for n := uint64(1); n <= 4; n++ {
			tick(n)
		}
		const ms = time.Millisecond
		want := []Tick{
			{N: 3, Step: 50 * ms, Took: 2 * ms, Ended: 76 * ms, Load: Load{Players: 3, Items: 6}, Spent: []time.Duration{2 * ms, 0}},
			{N: 4, Step: 50 * ms, Took: 72 * ms, Ended: 148 * ms, Load: Load{Players: 4, Items: 8}, Spent: []time.Duration{2 * ms, 70 * ms}},
		}
		if got := p.Last(100 * ms); !slices.EqualFunc(got, want, same) {
			t.Errorf("last two are %v, want %v", got, want)
		}
		if got := p.Took(time.Second); !slices.Equal(got, []time.Duration{72 * ms, 2 * ms, 2 * ms, 72 * ms}) {
			t.Errorf("they took %v", got)
		}
		if slow := p.Slow(); len(slow) != 2 || slow[0].N != 1 || slow[1].N != 4 || slow[1].Ended != 148*ms {
			t.Errorf("slow ones are %v", slow)
		}
		upTo, n, sum := p.Systems()[1].Took.Read()
		if n != 2 || sum != 140*ms || upTo[0.05] != 0 || upTo[0.2] != 2 {
			t.Errorf("think ran %d times in %v, by size %v", n, sum, upTo)
		}
		if upTo, n, _ := p.Ticks.Read(); n != 4 || upTo[0.002] != 2 || upTo[0.075] != 4 || upTo[0.05] != 2 {
			t.Errorf("%d ticks, by size %v", n, upTo)
		}
	})
}

func same(a, b Tick) bool {
	return a.N == b.N && a.Step == b.Step && a.Took == b.Took && a.Ended == b.Ended && a.Load == b.Load && slices.Equal(a.Spent, b.Spent)
}

// A window is of the same time at every step, and ends with the last tick; no more is kept than that of the shortest step.
func TestWindowsAreOfTime(t *testing.T) {
	const quantum, longest = 5 * time.Millisecond, 50 * time.Millisecond
	for _, c := range []struct {
		stride         uint64
		ticks, seconds int // in 4 s; in all
	}{{1, 800, 29}, {2, 400, 29}, {10, 80, 29}} {
		p := New(1, "", quantum, longest, nil)
		for n := c.stride; n <= 6000; n += c.stride { // 30 s
			p.Finish(n, time.Millisecond, Load{})
		}
		all := p.Last(4 * time.Second)
		if len(all) != c.ticks || all[0].N != 6000-800+c.stride || all[c.ticks-1].N != 6000 || all[0].Step != time.Duration(c.stride)*quantum {
			t.Errorf("steps of %d quanta: %d ticks from %+v", c.stride, len(all), all[0])
		}
		if n := p.Summary(4 * time.Second).N; n != c.ticks {
			t.Errorf("steps of %d quanta: a summary is of %d ticks", c.stride, n)
		}
		if all := p.Last(time.Hour); len(all) != int(Window/quantum)/int(c.stride) {
			t.Errorf("steps of %d quanta: %d ticks in all", c.stride, len(all))
		}
		if all := p.After(6000 - 40); len(all) != 40/int(c.stride) || all[0].N != 6000-40+c.stride {
			t.Errorf("steps of %d quanta: %d ticks after %d, from %+v", c.stride, len(all), 6000-40, all[0])
		}
	}
}

// A tick is slow by the step that it had, and no more than MaxSlow are kept.
func TestSlowByTheStep(t *testing.T) {
	p := New(1, "", 5*time.Millisecond, 50*time.Millisecond, nil)
	for n := uint64(1); n <= 10; n++ { // 1 ms, in steps of 5 ms
		p.Finish(n, time.Millisecond, Load{})
	}
	p.Finish(11, 45*time.Millisecond, Load{})
	p.Finish(20, 45*time.Millisecond, Load{})  // caught up in one step
	p.Finish(30, 45*time.Millisecond, Load{})  // 50 ms
	p.Finish(900, 45*time.Millisecond, Load{}) // after a rest
	p.Finish(902, 45*time.Millisecond, Load{})
	slow := p.Slow()
	if len(slow) != 2 || slow[0].N != 11 || slow[1].N != 902 {
		t.Errorf("slow ones are %v", slow)
	}
	for n := range uint64(100) {
		p.Finish(1000+n, time.Second, Load{})
	}
	if slow := p.Slow(); len(slow) != MaxSlow || slow[0].N != 1100-MaxSlow {
		t.Errorf("slow ones are %v", slow)
	}
}

// A second of the history has its longest tick, with its systems, and how many were late; none is there before it is over.
func TestHistory(t *testing.T) {
	plan := sched.NewPlan(func() {}, sched.System{Name: "move", Run: func(sched.Tick) {}})
	p := New(1, "", 5*time.Millisecond, 50*time.Millisecond, plan)
	took := func(n uint64, d time.Duration) { p.End(0, d/2); p.Finish(n, d, Load{}) }
	for n := uint64(1); n < 400; n++ { // 2 s
		took(n, time.Millisecond)
	}
	took(400, 8*time.Millisecond)
	took(402, 9*time.Millisecond)
	if got := p.Seconds(-1); len(got) != 2 || got[0].N != 0 || got[0].Ticks != 199 || got[1].Ticks != 200 || got[1].Sum != 200*time.Millisecond {
		t.Fatalf("two seconds are %+v", got)
	}
	took(2000, time.Millisecond) // after a rest
	want := Second{N: 2, Ticks: 2, Late: 1, Sum: 17 * time.Millisecond,
		Longest: Tick{N: 402, Step: 10 * time.Millisecond, Took: 9 * time.Millisecond, Spent: []time.Duration{4500 * time.Microsecond}}}
	if got := p.Seconds(1); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("the third second is %+v, want %+v", got, want)
	}
	for n := uint64(2001); n < 2001+200*1000; n += 10 {
		took(n, time.Millisecond)
	}
	if got := p.Seconds(-1); len(got) != int(History/Span) || got[599].N != 1008 {
		t.Errorf("after 1,000 s there are %d, to %+v", len(got), got[len(got)-1])
	}
}

// The processor time of a tick is that of its thread: what it waits for is not in it. Where the kernel does not tell, it is 0.
func TestRan(t *testing.T) {
	p := New(1, "", time.Second, time.Second, nil)
	tick := func(n uint64, do func()) Tick {
		began := time.Now()
		p.Start(n)
		do()
		p.Finish(n, time.Since(began), Load{})
		last, _ := p.Latest()
		return last
	}
	if _, known := threadTime(); !known {
		if last := tick(1, func() {}); last.Ran != 0 {
			t.Errorf("a tick ran for %v, which is not known", last.Ran)
		}
		return
	}
	if last := tick(1, func() { <-time.After(300 * time.Millisecond) }); last.Took < 300*time.Millisecond || last.Ran <= 0 || last.Ran > last.Took/2 {
		t.Errorf("a tick that waited ran for %v of %v", last.Ran, last.Took)
	}
	last := tick(2, func() {
		for from, _ := threadTime(); ; {
			if now, _ := threadTime(); now-from >= 50*time.Millisecond {
				return
			}
		}
	})
	if last.Ran < 50*time.Millisecond || last.Ran > last.Took+20*time.Millisecond {
		t.Errorf("a tick that took 50 ms of the processor ran for %v of %v", last.Ran, last.Took)
	}
}

func TestRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, tick := beating(50 * time.Millisecond)
		if r, ok := p.Running(); ok {
			t.Errorf("at first %v runs", r)
		}
		go tick(7)
		time.Sleep(30 * time.Millisecond)
		if r, ok := p.Running(); !ok || r != (Running{N: 7, For: 30 * time.Millisecond, System: "think"}) {
			t.Errorf("%v %v runs", r, ok)
		}
		time.Sleep(time.Second)
		if r, ok := p.Running(); ok {
			t.Errorf("in the end %v runs", r)
		}
	})
}

// Readers get whole rows, also from a ring that is overwritten as they read.
func TestReadersSeeWholeTicks(t *testing.T) {
	p := New(1, "", time.Millisecond, time.Hour, nil)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				last := uint64(0)
				for _, tick := range p.Last(Window) {
					n := int(tick.N)
					if tick.N <= last || tick.Took != time.Duration(n) || tick.Load != (Load{n, n, n, n, n, n, n, n, n}) {
						t.Errorf("after %d comes %v", last, tick)
						return
					}
					last = tick.N
				}
				for i, c := range p.Crowds() {
					if c.Things != c.Players || i > 0 {
						t.Errorf("crowd %d is %v", i, c)
						return
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for n := 1; n < 200_000; n++ {
		p.Finish(uint64(n), time.Duration(n), Load{n, n, n, n, n, n, n, n, n})
		p.Crowd(&Crowds{{Things: n, Players: n}})
	}
	close(done)
	readers.Wait()
}

func TestCrowds(t *testing.T) {
	var c Crowds
	for i := range 20 {
		c.Add(Crowd{Cell: grid.Cell(i), Things: i % 7})
	}
	p := New(1, "", time.Second, time.Second, nil)
	p.Crowd(&c)
	got := p.Crowds()
	var things []int
	for _, c := range got {
		things = append(things, c.Things)
	}
	if !slices.Equal(things, []int{6, 6, 5, 5, 5, 4, 4, 4}) || got[0].Cell != 6 || got[1].Cell != 13 {
		t.Errorf("the fullest are %v", got)
	}
}

func TestTicksAllocateNothing(t *testing.T) {
	defer pprof.SetGoroutineLabels(t.Context())
	plan := sched.NewPlan(func() {}, sched.System{Name: "none", Run: func(sched.Tick) {}})
	p := New(1, "Here", time.Millisecond, time.Millisecond, plan)
	var c Crowds
	if n := testing.AllocsPerRun(1000, func() {
		p.Start(1)
		plan.Run(sched.Tick{N: 1})
		p.Crowd(&c)
		p.Finish(1, time.Second, Load{})
	}); n != 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}
