// Package tickstats is statistics of the last ticks of a world: the time of each tick and of each system in it, and
// the load. The world's goroutine writes; any other reads at any time. The writer never waits, and does not allocate.
package tickstats

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/sched"
)

// Window is the time of the world whose ticks a Stats remembers, however long their steps are: 500 steps of 50 ms, 5,000 of 5 ms.
const Window = 25 * time.Second

// MaxSlow is how many slow ticks it remembers beyond that.
const MaxSlow = 10

// A Stats is that of one world.
type Stats struct {
	Map  uint32
	Name string
	// Instance is the number of the instance of the map; 0 if there is one world of it. It is set before the Stats is shown.
	Instance uint32
	Quantum  time.Duration // the time that the number of a tick counts, which is the shortest step
	Step     time.Duration // the longest

	// Ticks is the histogram of the time of ticks.
	Ticks *metric.Histogram
	// Late counts ticks that took longer than their step, and Skipped those that were dropped. The loop counts them.
	Late, Skipped atomic.Uint64
	// Behind is the time of the steps that did not come, in nanoseconds. The loop counts it.
	Behind atomic.Int64
	total  atomic.Int64 // nanoseconds of all ticks

	plan    *sched.Plan // nil in tests
	systems []System
	labels  []context.Context // of each system, for profiles
	between context.Context   // the label outside systems

	epoch   time.Time
	number  atomic.Uint64 // of the tick that runs
	since   atomic.Int64  // when it began, as nanoseconds since epoch and one more; 0 while none runs
	spent   []int64       // of the tick that runs; the writer's
	last    uint64        // the tick that ended last; the writer's
	locked  bool          // to its thread, for as long as a tick runs; the writer's
	ran     time.Duration // by its thread, when the tick began; negative if that is not known
	second  Second        // the span that is not over; the writer's
	ticks   ring
	history ring
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
	Late, Blame                 int // what scripts had to leave for the next tick, and the entry of the creatures or game objects whose scripts did the most
}

// A Tick is one that has ended.
type Tick struct {
	N     uint64
	Step  time.Duration // the time of the world since the tick before; the longest step at most, and after a rest
	Took  time.Duration
	Ran   time.Duration // processor time of the thread in Took; 0 if it is not known
	Ended time.Duration // after the Stats was made
	Load  Load
	Spent []time.Duration // by each system, in their order; 0 if it did not run
}

// fixed is how many columns a row of the ring has before those of the systems.
const fixed = 14

// New returns the Stats of a world that is about to run, and follows the systems of its plan, if there is one. The
// longest step is some quanta.
func New(m uint32, name string, quantum, longest time.Duration, plan *sched.Plan) *Stats {
	p := &Stats{Map: m, Name: name, Quantum: quantum, Step: longest, Ticks: metric.NewHistogram(tickBounds...), plan: plan, epoch: time.Now()}
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
	p.ticks.init(int(Window/max(quantum, time.Millisecond)), fixed+len(p.systems))
	p.slow.init(MaxSlow, 3)
	p.history.init(int(History/Span), historyFixed+len(p.systems))
	p.second.Longest.Spent = make([]time.Duration, len(p.systems))
	return p
}

// Systems returns those of the world, in order.
func (p *Stats) Systems() []System { return p.systems }

// Spent is the time of all ticks so far. Any goroutine may call it.
func (p *Stats) Spent() time.Duration { return time.Duration(p.total.Load()) }

// Start records the beginning of a tick. The goroutine keeps its thread until Finish or Abandon, so that the processor time
// of the tick is known.
func (p *Stats) Start(n uint64) {
	runtime.LockOSThread()
	p.locked = true
	p.ran = -1
	if spent, ok := threadTime(); ok {
		p.ran = spent
	}
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

// release lets the goroutine leave its thread, and returns how long that ran since Start; 0 if that is not known.
func (p *Stats) release() (ran time.Duration) {
	if !p.locked {
		return 0
	}
	if now, ok := threadTime(); ok && p.ran >= 0 {
		ran = max(now-p.ran, 1)
	}
	p.locked = false
	runtime.UnlockOSThread()
	return ran
}

// Finish records the end of tick n, and its time.
func (p *Stats) Finish(n uint64, took time.Duration, l Load) {
	ran := p.release()
	ended, step := int64(time.Since(p.epoch)), p.Step
	if n > p.last && p.last > 0 {
		step = min(step, time.Duration(n-p.last)*p.Quantum)
	}
	p.last = n
	row := p.ticks.next()
	for i, v := range [fixed]int64{
		int64(n), int64(step), int64(took), int64(ran), ended, int64(l.Players), int64(l.Creatures), int64(l.Corpses), int64(l.Awake), int64(l.Asleep),
		int64(l.Items), int64(l.Bytes), int64(l.Late), int64(l.Blame),
	} {
		row[i].Store(v)
	}
	for i, v := range p.spent {
		row[fixed+i].Store(v)
	}
	p.remember(n, step, took)
	clear(p.spent)
	p.ticks.commit()
	p.Ticks.Observe(took)
	p.total.Add(int64(took))
	if took > step {
		row := p.slow.next()
		row[0].Store(int64(n))
		row[1].Store(int64(took))
		row[2].Store(ended)
		p.slow.commit()
	}
	p.since.Store(0)
	pprof.SetGoroutineLabels(p.between)
}

// Last returns the ticks in the last d of the world's time, and never of more than Window, the oldest first. That time ends
// with the last tick.
func (p *Stats) Last(d time.Duration) []Tick { return p.newest(p.within(d)) }

// Latest returns the last tick, if there has been one.
func (p *Stats) Latest() (t Tick, ok bool) {
	if all := p.newest(1); len(all) > 0 {
		return all[0], true
	}
	return t, false
}

// After returns the ticks after tick n that Last has.
func (p *Stats) After(n uint64) []Tick { return p.newest(p.ticks.after(int64(n))) }

// within is how many ticks are in the last d of the world's time.
func (p *Stats) within(d time.Duration) (ticks int) {
	p.ticks.last(1, 1, func(row []int64) { ticks = p.ticks.after(row[0] - int64(min(d, Window)/p.Quantum)) })
	return ticks
}

// newest returns the last n ticks at most.
func (p *Stats) newest(n int) []Tick {
	var all []Tick
	p.ticks.last(n, fixed+len(p.systems), func(row []int64) {
		t := Tick{N: uint64(row[0]), Step: time.Duration(row[1]), Took: time.Duration(row[2]), Ran: time.Duration(row[3]), Ended: time.Duration(row[4]), Load: Load{
			Players: int(row[5]), Creatures: int(row[6]), Corpses: int(row[7]), Awake: int(row[8]), Asleep: int(row[9]),
			Items: int(row[10]), Bytes: int(row[11]), Late: int(row[12]), Blame: int(row[13]),
		}}
		for _, v := range row[fixed:] {
			t.Spent = append(t.Spent, time.Duration(v))
		}
		all = append(all, t)
	})
	return all
}

// Took returns the times of the ticks that Last has.
func (p *Stats) Took(d time.Duration) (all []time.Duration) {
	p.ticks.last(p.within(d), 3, func(row []int64) { all = append(all, time.Duration(row[2])) })
	return all
}

// Slow returns the last ticks that took longer than their step, the oldest first, without the times of systems.
func (p *Stats) Slow() []Tick {
	var all []Tick
	p.slow.last(MaxSlow, 3, func(row []int64) {
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

// Abandon records that the running tick will not end, and no other will come. The goroutine of the tick calls it.
func (p *Stats) Abandon() {
	p.release()
	p.since.Store(0)
}

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
