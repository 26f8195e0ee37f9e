package sched

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"muster/ecs"
	"muster/internal/metric"
)

type fakeMap struct {
	steps []uint64
	took  map[uint64]time.Duration
	clock Clock
	until uint64 // idle from here on
	wake  chan struct{}
	asked chan struct{}
	rests int
}

func (m *fakeMap) Step(n uint64) {
	m.steps = append(m.steps, n)
	if d := m.took[n]; d > 0 {
		if c, ok := m.clock.(*VirtualClock); ok {
			c.Wait(context.Background(), c.Now()+d, nil, nil)
		} else {
			time.Sleep(d)
		}
	}
}
func (m *fakeMap) Idle() bool             { return len(m.steps) > 0 && m.steps[len(m.steps)-1] >= m.until }
func (m *fakeMap) Wake() <-chan struct{}  { return m.wake }
func (m *fakeMap) Asked() <-chan struct{} { return m.asked }
func (m *fakeMap) Rest()                  { m.rests++ }

func TestLoopKeepsItsStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewRealClock()
		m := &fakeMap{clock: clock, until: 1 << 40}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		(&Loop{Map: m, Clock: clock}).Run(ctx)
		if n := len(m.steps); n != 19 && n != 20 {
			t.Errorf("%d ticks in a second of 50 ms steps", n)
		}
	})
}

func TestLoopCatchesUpWithinItsDebt(t *testing.T) {
	for _, tt := range []struct {
		took    time.Duration
		dropped uint64
		steps   []uint64
	}{
		{120 * time.Millisecond, 0, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{420 * time.Millisecond, 3, []uint64{1, 2, 6, 7, 8, 9, 10, 11, 12}},
	} {
		synctest.Test(t, func(t *testing.T) {
			clock := NewRealClock()
			m := &fakeMap{clock: clock, until: 1 << 40, took: map[uint64]time.Duration{2: tt.took}}
			ctx, stop := context.WithCancel(t.Context())
			var report string
			l := &Loop{Map: m, Clock: clock, Overrun: func(n uint64, step, took time.Duration, dropped uint64) {
				report += fmt.Sprintf("tick %d took %v, %d dropped;", n, took, dropped)
			}}
			done := make(chan struct{})
			go func() { l.Run(ctx); close(done) }()
			time.Sleep(2 * time.Second)
			stop()
			<-done
			if want := fmt.Sprintf("tick 2 took %v, %d dropped;", tt.took, tt.dropped); report != want {
				t.Errorf("reported %q, want %q", report, want)
			}
			if got := m.steps[:len(tt.steps)]; !slices.Equal(got, tt.steps) {
				t.Errorf("stepped %v, want %v", got, tt.steps)
			}
		})
	}
}

// A tick is late by the step that it had: 45 ms are in 5 ms steps, also for the first tick after a rest, and not in a step of
// 50 ms, nor for the longer step in which the loop catches up.
func TestOverrunIsByTheStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewRealClock()
		const late = 45 * time.Millisecond
		m := &fakeMap{clock: clock, until: 1 << 40, took: map[uint64]time.Duration{1: late, 9: late, 20: late, 60: late}}
		var report []string
		l := &Loop{Map: m, Clock: clock, Quantum: 5 * time.Millisecond, Longest: 10, Stride: func() uint64 {
			if clock.Now() > 200*time.Millisecond {
				return 10
			}
			return 1
		}, Overrun: func(n uint64, step, took time.Duration, dropped uint64) {
			report = append(report, fmt.Sprintf("tick %d of %v took %v", n, step, took))
		}}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		l.Run(ctx)
		if want := []string{"tick 1 of 5ms took 45ms", "tick 20 of 5ms took 45ms"}; !slices.Equal(report, want) {
			t.Errorf("reported %q, want %q", report, want)
		}
		if !slices.Contains(m.steps, 60) {
			t.Errorf("stepped %v, without tick 60", m.steps)
		}
	})
}

// A loop is behind by the steps that did not come: a tick of 45 ms is followed by one longer step instead of nine of 5 ms; for
// the 80 steps of 400 ms there are 21 dropped and six longer ones.
func TestBehind(t *testing.T) {
	for _, c := range []struct{ took, behind time.Duration }{
		{4 * time.Millisecond, 0}, {6 * time.Millisecond, 0}, {11 * time.Millisecond, 5 * time.Millisecond},
		{45 * time.Millisecond, 40 * time.Millisecond}, {400 * time.Millisecond, 370 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			clock := NewRealClock()
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			var behind atomic.Int64
			m := &fakeMap{clock: clock, until: 1 << 40, took: map[uint64]time.Duration{10: c.took}}
			(&Loop{Map: m, Clock: clock, Quantum: 5 * time.Millisecond, Longest: 10, Behind: &behind}).Run(ctx)
			if got := time.Duration(behind.Load()); got != c.behind {
				t.Errorf("after a tick of %v it is behind by %v, want %v", c.took, got, c.behind)
			}
		})
	}
}

func TestIdleMapSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewRealClock()
		m := &fakeMap{clock: clock, until: 3, wake: make(chan struct{})}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { (&Loop{Map: m, Clock: clock}).Run(ctx); close(done) }()
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := []uint64{1, 2, 3}; !slices.Equal(m.steps, want) {
			t.Fatalf("an idle map was stepped %v, want %v", m.steps, want)
		}
		m.until = 1 << 40
		m.wake <- struct{}{}
		time.Sleep(60 * time.Millisecond)
		stop()
		<-done
		if want := uint64(time.Hour/(50*time.Millisecond)) + 1; m.steps[3] != want {
			t.Errorf("woke at tick %d, want %d", m.steps[3], want)
		}
	})
}

// A timedMap notes the time of its steps.
type timedMap struct {
	fakeMap
	at      []time.Duration
	stepped chan uint64
}

func (m *timedMap) Step(n uint64) {
	m.fakeMap.Step(n)
	m.at = append(m.at, m.clock.Now())
	m.stepped <- n
}

// A loop that waits by timers of the kernel takes no step before its time, and none while its map is idle, answers queries meanwhile, and leaves nothing
// running.
func TestLoopByFineClock(t *testing.T) {
	clock := NewFineClock()
	m := &timedMap{fakeMap: fakeMap{clock: clock, until: 5, wake: make(chan struct{}), asked: make(chan struct{})}, stepped: make(chan uint64)}
	l := &Loop{Map: m, Clock: clock, Quantum: 3 * time.Millisecond}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { l.Run(ctx); close(done) }()
	m.asked <- struct{}{} // while it waits for a tick
	for n := uint64(0); n < m.until; {
		n = <-m.stepped
	}
	for range 3 { // while it sleeps
		m.asked <- struct{}{}
	}
	idle := clock.Now()
	m.wake <- struct{}{} // in vain
	m.asked <- struct{}{}
	stop()
	<-done
	for i, n := range m.steps {
		if due := time.Duration(n) * l.Quantum; m.at[i] < due || m.at[i] > idle {
			t.Errorf("tick %d is taken at %v, want %v or later, and not after %v", n, m.at[i], due, idle)
		}
	}
}

// A panicMap panics in its third tick.
type panicMap struct{ fakeMap }

func (m *panicMap) Step(n uint64) {
	m.fakeMap.Step(n)
	if n == 3 {
		panic("three")
	}
}

// TestPanicEndsOneMap has two maps on one clock: one panics, and is not stepped again, the other goes on.
func TestPanicEndsOneMap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewRealClock()
		bad, good := &panicMap{fakeMap{clock: clock, until: 1 << 40}}, &fakeMap{clock: clock, until: 1 << 40}
		ctx, stop := context.WithCancel(t.Context())
		var report string
		ended := make(chan struct{}, 2)
		run := func(l *Loop) { l.Run(ctx); ended <- struct{}{} }
		go run(&Loop{Map: good, Clock: clock, Panicked: func(uint64, any, []byte) { t.Error("the wrong map panicked") }})
		go run(&Loop{Map: bad, Clock: clock, Panicked: func(n uint64, value any, stack []byte) {
			report = fmt.Sprintf("tick %d: %v, in Step %v", n, value, strings.Contains(string(stack), "panicMap"))
		}})
		<-ended
		if want := "tick 3: three, in Step true"; report != want {
			t.Errorf("reported %q, want %q", report, want)
		}
		time.Sleep(time.Second)
		stop()
		<-ended
		if want := []uint64{1, 2, 3}; !slices.Equal(bad.steps, want) {
			t.Errorf("the map that panics was stepped %v, want %v", bad.steps, want)
		}
		if len(good.steps) < 20 {
			t.Errorf("the other map was stepped %v", good.steps)
		}
	})
}

func TestVirtualClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewVirtualClock()
		m := &fakeMap{clock: clock, until: 1 << 40}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { (&Loop{Map: m, Clock: clock}).Run(ctx); close(done) }()
		time.Sleep(time.Hour) // of a time that is not the loop's
		synctest.Wait()
		if len(m.steps) != 0 {
			t.Errorf("stepped %v while the clock stood", m.steps)
		}
		for range 4 {
			clock.Advance(50 * time.Millisecond)
			synctest.Wait()
		}
		if want := []uint64{1, 2, 3, 4}; !slices.Equal(m.steps, want) {
			t.Errorf("stepped %v, want %v", m.steps, want)
		}
		stop()
		<-done
	})
}

func TestPlanOrder(t *testing.T) {
	var ran []string
	system := func(name string, s Stage, every time.Duration) System {
		return System{Name: name, Stage: s, Every: every, Run: func(Tick) { ran = append(ran, name) }}
	}
	p := NewPlan(func() { ran = append(ran, "|") },
		system("intake", Take, 0), system("movement", Move, 0), system("regen", Settle, 100*time.Millisecond), system("respawn", Settle, 0))
	for n := uint64(1); n <= 3; n++ {
		p.Run(Tick{N: n, Quantum: 50 * time.Millisecond})
	}
	want := "intake | movement | regen respawn | intake | movement | respawn | intake | movement | regen respawn |"
	if got := strings.Join(ran, " "); got != want {
		t.Errorf("ran %s, want %s", got, want)
	}
	defer func() {
		if r := recover(); r != "sched: movement (Move) stands after respawn (Settle)" {
			t.Errorf("recovered %v", r)
		}
	}()
	NewPlan(func() {}, system("respawn", Settle, 0), system("movement", Move, 0))
}

func TestWheelEqualsSortedList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var w Wheel[uint64]
	pending := map[uint64]int{}
	for n := uint64(0); n < 20000; {
		for range r.IntN(4) {
			at := n + uint64(r.IntN(3*wheelSlots)) + 1
			w.Add(at, at)
			pending[at]++
		}
		n += uint64(1 + r.IntN(3)*r.IntN(400))
		for _, at := range w.Take(n) {
			if at > n || pending[at] == 0 {
				t.Fatalf("at tick %d something of tick %d became due", n, at)
			}
			pending[at]--
		}
		for at, left := range pending {
			if at <= n && left > 0 {
				t.Fatalf("at tick %d something of tick %d is still waiting", n, at)
			}
		}
	}
}

func TestDiceRepeat(t *testing.T) {
	draw := func(n uint64, purpose string, subject uint64) uint64 {
		d := Tick{N: n, Seed: 1}.Dice(purpose, subject)
		return d.Uint64()
	}
	if first, again := draw(1, "ai", 1), draw(1, "ai", 1); first != again {
		t.Errorf("the same draw gives %d and %d", first, again)
	}
	seen := map[uint64]bool{}
	for n := range uint64(30) {
		for subject := range uint64(30) {
			seen[draw(n, "ai", subject)] = true
			seen[draw(n, "combat", subject)] = true
		}
	}
	if len(seen) != 1800 {
		t.Errorf("%d different throws of 1800", len(seen))
	}
	d := Tick{Seed: 5}.Dice("x", 0)
	for range 1000 {
		if f := d.Between(2, 3); f < 2 || f >= 3 {
			t.Fatalf("%v is not in [2, 3)", f)
		}
	}
}

type fakeWatcher struct {
	plan *Plan
	said string
}

func (w *fakeWatcher) Begin(i int) { w.said += fmt.Sprintf("begin %d %s;", i, w.plan.Running()) }
func (w *fakeWatcher) End(i int, took time.Duration) {
	w.said += fmt.Sprintf("end %d %v;", i, took)
}

func TestWatcherFollowsWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPlan(func() {},
			System{Name: "often", Run: func(Tick) { time.Sleep(3 * time.Millisecond) }},
			System{Name: "seldom", Every: time.Second, Run: func(t Tick) {
				if t.N > 1 {
					panic("broken")
				}
			}})
		w := &fakeWatcher{plan: p}
		p.Watch(w)
		tick := Tick{Quantum: 50 * time.Millisecond}
		for tick.N = 1; tick.N <= 2; tick.N++ {
			p.Run(tick)
		}
		want := "begin 0 often;end 0 3ms;begin 1 seldom;end 1 0s;begin 0 often;end 0 3ms;"
		if w.said != want || p.Running() != "" {
			t.Errorf("said %q and %q runs, want %q and nothing", w.said, p.Running(), want)
		}
		if got := p.Names(); !slices.Equal(got, []string{"often", "seldom"}) {
			t.Errorf("systems %q", got)
		}
		defer func() {
			if recover() == nil || p.Running() != "seldom" {
				t.Errorf("after a panic in seldom %q runs", p.Running())
			}
		}()
		tick.N = 21
		p.Run(tick)
	})
}

func TestAround(t *testing.T) {
	said := ""
	p := NewPlan(func() {}, System{Name: "move", Run: func(Tick) { said += "move;" }}, System{Name: "think", Run: func(Tick) { said += "think;" }})
	p.Around("think", func(t Tick, run func(Tick)) { said += fmt.Sprint(t.N, " "); run(t); said += "slowly;" })
	p.Run(Tick{N: 3})
	if said != "move;3 think;slowly;" {
		t.Errorf("ran %s", said)
	}
}

type ask struct{ left int }

// A repeater reacts to each ask with one of its own, while there is any left.
type repeater struct {
	asks  ecs.Requests[ask]
	again ecs.Emit[ask]
	ran   *[]string
}

func (s *repeater) Run(Tick) { *s.ran = append(*s.ran, "run") }

func (s *repeater) React(Tick) {
	*s.ran = append(*s.ran, "react")
	for _, a := range s.asks.Take() {
		if a.left > 0 {
			s.again.Emit(ask{a.left - 1})
		}
	}
}

func TestReactionsRunInRounds(t *testing.T) {
	for _, c := range []struct {
		left, rounds int
		late         uint64
	}{{0, 1, 0}, {2, 3, 0}, {MaxRounds - 1, MaxRounds, 0}, {MaxRounds, MaxRounds + 1, 1}} {
		var ran []string
		w, late := ecs.NewWorld(1), new(metric.Counter)
		reactor := &repeater{ran: &ran}
		first := System{Name: "act", Stage: Act, Run: func(tick Tick) {
			if tick.N == 2 {
				reactor.again.Emit(ask{c.left})
			}
		}}
		last := System{Name: "send", Stage: Send, Run: func(Tick) { ran = append(ran, "send") }}
		p := NewPlan(func() { ran = append(ran, "|") }, first, Bind(w, Settle, reactor), last)
		p.CountLate(late)
		p.Run(Tick{N: 1})
		if got := strings.Join(ran, " "); got != "| run | send |" {
			t.Errorf("with nothing to react to: ran %s", got)
		}
		ran = nil
		p.Run(Tick{N: 2})
		reacts := func(n int) string { return strings.Repeat("react ", n) }
		want := reacts(min(c.rounds, MaxRounds)) + "| run " + reacts(max(c.rounds-MaxRounds, 0)) + "| send |"
		if got := strings.Join(ran, " "); got != want || late.Value() != c.late {
			t.Errorf("%d more: ran %s and counted %d, want %s and %d", c.left, got, late.Value(), want, c.late)
		}
	}
}

// A reader is a Handler of all that there is to read in three ways.
type reader struct {
	numbers ecs.Events[int]
	flags   ecs.EventReader[bool]
	asks    ecs.Requests[string]
	out     ecs.Emit[rune]
	said    *string
}

func (s *reader) OnEvents(t Tick) {
	*s.said += fmt.Sprintf("%d: %v %v %v; ", t.N, s.numbers.All(), s.flags.Next(), s.asks.Take())
}

// A taker only reacts.
type taker struct {
	asks ecs.Requests[uint8]
	said *string
}

func (s *taker) React(t Tick) { *s.said += fmt.Sprintf("%d takes %v; ", t.N, s.asks.Take()) }

// What acts on events runs in ticks with any that it reads: also in the tick after those that an EventReader sees, or that
// are taken, late. It does not run for what it emits itself.
func TestHandlersRunInTicksWithEvents(t *testing.T) {
	w, said := ecs.NewWorld(1), ""
	r := &reader{said: &said}
	handler := Bind(w, Act, r)
	first := System{Name: "first", Stage: Take, Run: func(t Tick) {
		if t.N == 2 {
			*ecs.QueueOf[int](w).Next() = 7
			r.out.Emit(1)
		}
	}}
	last := System{Name: "last", Stage: Send, Run: func(t Tick) {
		switch t.N {
		case 4:
			*ecs.QueueOf[bool](w).Next() = true
		case 7:
			*ecs.QueueOf[string](w).Next() = "more"
			*ecs.QueueOf[uint8](w).Next() = 9
		}
		r.out.Emit(2)
	}}
	p := NewPlan(w.EndStage, first, handler, Bind(w, Settle, &taker{said: &said}), last)
	p.FollowEvents(w.Emitted)
	for n := uint64(1); n < 12; n++ {
		p.Run(Tick{N: n})
		w.EndTick()
	}
	if want := "2: [7] [] []; 5: [] [true] []; 7 takes [9]; 8: [] [] [more]; "; said != want {
		t.Errorf("said %q, want %q", said, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a system with nothing to run is planned")
		}
	}()
	NewPlan(func() {}, Bind(w, Act, new(struct{ out ecs.Emit[rune] })))
}

type timed struct {
	In     ecs.Events[rune]
	Timers Wheel[int]
}

func (*timed) OnEvents(Tick) {}

type timedReactor struct {
	In     ecs.Requests[rune]
	Timers [2]struct{ Wheel[int] }
}

func (*timedReactor) React(Tick) {}

type timedRunner struct{ Timers Wheel[int] }

func (*timedRunner) Run(Tick) {}

// Only what runs in each tick has timers: they would wait for events otherwise.
func TestTimersNeedRunners(t *testing.T) {
	for _, system := range []any{new(timed), new(timedReactor)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T is bound", system)
				}
			}()
			Bind(ecs.NewWorld(1), Act, system)
		}()
	}
	if s := Bind(ecs.NewWorld(1), Act, new(timedRunner)); len(s.Timers) != 1 || s.If != nil {
		t.Errorf("%+v", s)
	}
}

type word struct{}

type note struct{}

type speaker struct {
	words ecs.Emit[word]
	notes ecs.Emit[note]
}

func (s *speaker) Run(Tick) {
	s.words.Emit(word{})
	s.notes.Emit(note{})
}

type listener struct{ words ecs.EventReader[word] }

func (s *listener) Run(Tick) { s.words.Next() }

type scribe struct {
	words ecs.EventReader[word]
	notes ecs.Events[note]
	more  ecs.Emit[note]
}

func (s *scribe) Run(Tick) {
	if len(s.words.Next()) > len(s.notes.All()) {
		s.more.Emit(note{})
	}
}

func TestWriteEvents(t *testing.T) {
	w := ecs.NewWorld(1)
	p := NewPlan(func() {}, Bind(w, Take, new(speaker)), Bind(w, Move, new(listener)), Bind(w, Act, new(scribe)), Bind(w, Act, new(repeater)))
	var out strings.Builder
	if err := p.WriteEvents(&out, w.EventTypes()); err != nil {
		t.Fatal(err)
	}
	want := `emitters of each event, and its readers
  sched.ask
    from    repeater
    to      repeater, by Requests
  sched.note
    from    speaker, scribe
    to      scribe, by Events
  sched.word
    from    speaker
    to      listener, scribe, by an EventReader
`
	if out.String() != want {
		t.Errorf("wrote\n%swant\n%s", &out, want)
	}
}
