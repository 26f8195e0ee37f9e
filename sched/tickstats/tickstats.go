// Package tickstats is statistics of the last ticks of a world: the time of each tick and of each system in it, and
// the load. The world's goroutine writes; any other reads at any time. The writer never waits, and does not allocate.
package tickstats

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/sched"
)

// Window is how many ticks a Stats remembers: 25 s of 50 ms.
const Window = 512

// MaxSlow is how many slow ticks it remembers beyond that.
const MaxSlow = 10

// A Stats is that of one world.
type Stats struct {
	Map  uint32
	Name string
	Step time.Duration // the longest; a tick that takes longer is slow

	// Ticks is the histogram of the time of ticks.
	Ticks *metric.Histogram
	// Late counts ticks that took longer than the longest step, and Skipped those that were dropped. The loop counts them.
	Late, Skipped atomic.Uint64
	total         atomic.Int64 // nanoseconds of all ticks

	plan    *sched.Plan // nil in tests
	systems []System
	labels  []context.Context // of each system, for profiles
	between context.Context   // the label outside systems

	epoch   time.Time
	number  atomic.Uint64 // of the tick that runs
	since   atomic.Int64  // when it began, as nanoseconds since epoch and one more; 0 while none runs
	spent   []int64       // of the tick that runs; the writer's
	ticks   ring
	slow    ring
	crowded board
}

// A System is one of the systems of a world.
type System struct {
	Name string
	Took *metric.Histogram
}

// A Load is the load of a tick.
type Load struct {
	Players, Creatures, Corpses int // in the world
	Awake, Asleep               int // entities that were simulated, and that were not
	Items, Bytes                int // of the inbox
}

// A Tick is one that has ended.
type Tick struct {
	N     uint64
	Took  time.Duration
	Ended time.Duration // after the Stats was made
	Load  Load
	Spent []time.Duration // by each system, in their order; 0 if it did not run
}

// fixed is how many columns a row of the ring has before those of the systems.
const fixed = 10

// New returns the Stats of a world that is about to run, and follows the systems of its plan, if there is one.
func New(m uint32, name string, step time.Duration, plan *sched.Plan) *Stats {
	p := &Stats{Map: m, Name: name, Step: step, Ticks: metric.NewHistogram(tickBounds...), plan: plan, epoch: time.Now()}
	labels := pprof.Labels("map", strconv.Itoa(int(m)))
	p.between = pprof.WithLabels(context.Background(), labels)
	if plan != nil {
		for _, name := range plan.Names() {
			p.systems = append(p.systems, System{name, metric.NewHistogram(systemBounds...)})
			p.labels = append(p.labels, pprof.WithLabels(p.between, pprof.Labels("system", name)))
		}
		plan.Watch(p)
	}
	p.spent = make([]int64, len(p.systems))
	p.ticks.init(Window, fixed+len(p.systems))
	p.slow.init(MaxSlow, 3)
	return p
}

// Systems returns those of the world, in order.
func (p *Stats) Systems() []System { return p.systems }

// Spent is the time of all ticks so far. Any goroutine may call it.
func (p *Stats) Spent() time.Duration { return time.Duration(p.total.Load()) }

// Start records the beginning of a tick.
func (p *Stats) Start(n uint64) {
	p.number.Store(n)
	p.since.Store(1 + int64(time.Since(p.epoch)))
	pprof.SetGoroutineLabels(p.between)
}

// Begin labels the goroutine with the i-th system. It implements sched.Watcher.
func (p *Stats) Begin(i int) { pprof.SetGoroutineLabels(p.labels[i]) }

// End records the time of the i-th system. It implements sched.Watcher.
func (p *Stats) End(i int, took time.Duration) {
	p.spent[i] += int64(took)
	p.systems[i].Took.Observe(took)
}

// Finish records the end of tick n, and its time.
func (p *Stats) Finish(n uint64, took time.Duration, l Load) {
	ended := int64(time.Since(p.epoch))
	row := p.ticks.next()
	for i, v := range [fixed]int64{
		int64(n), int64(took), ended, int64(l.Players), int64(l.Creatures), int64(l.Corpses), int64(l.Awake), int64(l.Asleep),
		int64(l.Items), int64(l.Bytes),
	} {
		row[i].Store(v)
	}
	for i, v := range p.spent {
		row[fixed+i].Store(v)
	}
	clear(p.spent)
	p.ticks.commit()
	p.Ticks.Observe(took)
	p.total.Add(int64(took))
	if p.Step > 0 && took > p.Step {
		row := p.slow.next()
		row[0].Store(int64(n))
		row[1].Store(int64(took))
		row[2].Store(ended)
		p.slow.commit()
	}
	p.since.Store(0)
	pprof.SetGoroutineLabels(p.between)
}

// Last returns the last n ticks at most, and never more than Window, the oldest first.
func (p *Stats) Last(n int) []Tick {
	var all []Tick
	p.ticks.last(n, func(row []int64) {
		t := Tick{N: uint64(row[0]), Took: time.Duration(row[1]), Ended: time.Duration(row[2]), Load: Load{
			Players: int(row[3]), Creatures: int(row[4]), Corpses: int(row[5]), Awake: int(row[6]), Asleep: int(row[7]),
			Items: int(row[8]), Bytes: int(row[9]),
		}}
		for _, v := range row[fixed:] {
			t.Spent = append(t.Spent, time.Duration(v))
		}
		all = append(all, t)
	})
	return all
}

// Took returns the times of the last n ticks, as Last has them.
func (p *Stats) Took(n int) (all []time.Duration) {
	p.ticks.last(n, func(row []int64) { all = append(all, time.Duration(row[1])) })
	return all
}

// Slow returns the last ticks that took longer than a step, the oldest first, without the times of systems.
func (p *Stats) Slow() []Tick {
	var all []Tick
	p.slow.last(MaxSlow, func(row []int64) {
		all = append(all, Tick{N: uint64(row[0]), Took: time.Duration(row[1]), Ended: time.Duration(row[2])})
	})
	return all
}

// Now returns the time of Ended.
func (p *Stats) Now() time.Duration { return time.Since(p.epoch) }

// A Running tick has not ended yet.
type Running struct {
	N      uint64
	For    time.Duration
	System string // "" between two systems
}

// Abandon records that the running tick will not end, and no other will come.
func (p *Stats) Abandon() { p.since.Store(0) }

// Running returns the running tick, if there is one.
func (p *Stats) Running() (r Running, ok bool) {
	since := p.since.Load()
	if since == 0 {
		return Running{}, false
	}
	r = Running{N: p.number.Load(), For: time.Since(p.epoch) - time.Duration(since-1)}
	if p.plan != nil {
		r.System = p.plan.Running()
	}
	return r, true
}
