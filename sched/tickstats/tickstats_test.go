package tickstats

import (
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
	p = New(1, "Here", step, plan)
	return p, func(n uint64) {
		began := time.Now()
		p.Start(n)
		plan.Run(sched.Tick{N: n, Unit: step})
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
			{N: 3, Took: 2 * ms, Ended: 76 * ms, Load: Load{Players: 3, Items: 6}, Spent: []time.Duration{2 * ms, 0}},
			{N: 4, Took: 72 * ms, Ended: 148 * ms, Load: Load{Players: 4, Items: 8}, Spent: []time.Duration{2 * ms, 70 * ms}},
		}
		if got := p.Last(2); !slices.EqualFunc(got, want, same) {
			t.Errorf("last two are %v, want %v", got, want)
		}
		if got := p.Took(9); !slices.Equal(got, []time.Duration{72 * ms, 2 * ms, 2 * ms, 72 * ms}) {
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
	return a.N == b.N && a.Took == b.Took && a.Ended == b.Ended && a.Load == b.Load && slices.Equal(a.Spent, b.Spent)
}

func TestNoMoreThanTheWindow(t *testing.T) {
	p := New(1, "", time.Millisecond, nil)
	for n := range uint64(3 * Window) {
		p.Finish(n, time.Second, Load{})
	}
	all := p.Last(10 * Window)
	if len(all) != Window || all[0].N != 2*Window || all[Window-1].N != 3*Window-1 {
		t.Errorf("%d ticks from %d", len(all), all[0].N)
	}
	if slow := p.Slow(); len(slow) != MaxSlow || slow[0].N != 3*Window-MaxSlow {
		t.Errorf("slow ones are %v", slow)
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
	p := New(1, "", time.Hour, nil)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				last := uint64(0)
				for _, tick := range p.Last(Window) {
					n := int(tick.N)
					if tick.N <= last || tick.Took != time.Duration(n) || tick.Load != (Load{n, n, n, n, n, n, n}) {
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
		p.Finish(uint64(n), time.Duration(n), Load{n, n, n, n, n, n, n})
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
	p := New(1, "", time.Second, nil)
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
	p := New(1, "Here", time.Nanosecond, plan)
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
