package swarm

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"muster/internal/corrupt"
	"muster/net/protocol/msg"
)

func TestTimersComeInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var heap timers
	var want []timer
	for range 2000 {
		x := timer{at: moment(r.IntN(500)), client: int32(r.IntN(50)), kind: timerKind(r.IntN(4))}
		heap.push(x)
		want = append(want, x)
	}
	slices.SortFunc(want, func(a, b timer) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
	for i, w := range want {
		if at, ok := heap.next(); !ok || at != w.at {
			t.Fatalf("timer %d: next is %v, %v, want %v", i, at, ok, w.at)
		}
		if got := heap.pop(); got != w {
			t.Fatalf("timer %d: %v, want %v", i, got, w)
		}
	}
	if _, ok := heap.next(); ok {
		t.Error("the heap is not empty")
	}
}

func TestTimersDoNotAllocate(t *testing.T) {
	heap := make(timers, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		for i := range 100 {
			heap.push(timer{at: moment(i * 7 % 13)})
		}
		for range 100 {
			heap.pop()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestParseSLO(t *testing.T) {
	got, err := ParseSLO("p99=200ms, p50=100ms,login.p99.9=5s,ping.max=1s,movement.mean=80ms,p999=1s")
	if err != nil {
		t.Fatal(err)
	}
	want := []Objective{
		{MetricMovement, "p99", 99, 200 * time.Millisecond},
		{MetricMovement, "p50", 50, 100 * time.Millisecond},
		{MetricLogin, "p99.9", 99.9, 5 * time.Second},
		{MetricPing, "max", 100, time.Second},
		{MetricMovement, "mean", 0, 80 * time.Millisecond},
		{MetricMovement, "p999", 99.9, time.Second},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, o := range want {
		if again, err := ParseSLO(o.String()); err != nil || again[0] != o {
			t.Errorf("%v reads back as %v, %v", o, again, err)
		}
	}
	if none, err := ParseSLO(" "); none != nil || err != nil {
		t.Errorf("nothing: %v, %v", none, err)
	}
	for _, bad := range []string{"p99", "p99=", "p99=200", "p0=1s", "p101=1s", "q9=1s", "tick.p9=1s", "p99=-1s", "p99=1s,", "pNaN=1s"} {
		if _, err := ParseSLO(bad); !errors.Is(err, ErrSLO) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCorruptSLOs(t *testing.T) {
	for text := range corrupt.Strings(20_000, "p99=200ms,login.p50=1s", "ping.max=1h") {
		all, err := ParseSLO(text)
		for _, o := range all {
			if err != nil || o.Limit <= 0 || o.Percent < 0 || o.Percent > 100 {
				t.Errorf("%q: %v, %v", text, o, err)
			}
		}
	}
}

func TestObjectiveOverNothingIsMissed(t *testing.T) {
	h := newHistogram()
	o := Objective{MetricMovement, "p99", 99, time.Second}
	if o.outcome(h).Met {
		t.Error("met without a sample")
	}
	for i := range 100 {
		record(h, time.Duration(i+1)*time.Millisecond)
	}
	for _, test := range []struct {
		o   Objective
		met bool
	}{
		{Objective{MetricMovement, "p99", 99, 100 * time.Millisecond}, true},
		{Objective{MetricMovement, "p99", 99, 98 * time.Millisecond}, false},
		{Objective{MetricMovement, "max", 100, 101 * time.Millisecond}, true},
		{Objective{MetricMovement, "max", 100, 99 * time.Millisecond}, false},
		{Objective{MetricMovement, "mean", 0, 51 * time.Millisecond}, true},
		{Objective{MetricMovement, "mean", 0, 50 * time.Millisecond}, false},
	} {
		if got := test.o.outcome(h); got.Met != test.met {
			t.Errorf("%v: %+v", test.o, got)
		}
	}
}

func TestRecordClamps(t *testing.T) {
	h := newHistogram()
	record(h, time.Hour)
	record(h, -time.Second)
	if h.TotalCount() != 2 || h.Min() != 0 {
		t.Errorf("count %d, min %d, want 2 and 0", h.TotalCount(), h.Min())
	}
}

func TestCharacterName(t *testing.T) {
	seen := map[string]bool{}
	for _, account := range []string{"SWARM1", "SWARM2", "A10000"} {
		for attempt := range maxNames {
			name := characterName(account, attempt)
			if name != characterName(account, attempt) {
				t.Errorf("%s is not the same twice", name)
			}
			if seen[name] || len(name) > 12 || name[0] < 'A' || name[0] > 'Z' {
				t.Errorf("bad name %q", name)
			}
			for _, b := range []byte(name[1:]) {
				if b < 'a' || b > 'z' {
					t.Errorf("bad name %q", name)
				}
			}
			seen[name] = true
		}
	}
}

func TestTrail(t *testing.T) {
	var trail trail
	for i := range 3 * trailLength {
		trail.add(msg.OpMoveHeartbeat, float32(i), 1, moment(i))
	}
	last := 3*trailLength - 1
	if due, ok := trail.find(msg.OpMoveHeartbeat, float32(last), 1); !ok || due != moment(last) {
		t.Errorf("newest: %v, %v", due, ok)
	}
	if due, ok := trail.find(msg.OpMoveHeartbeat, float32(last-trailLength+1), 1); !ok || due != moment(last-trailLength+1) {
		t.Errorf("oldest: %v, %v", due, ok)
	}
	if _, ok := trail.find(msg.OpMoveHeartbeat, float32(last-trailLength), 1); ok {
		t.Error("found what was overwritten")
	}
	if _, ok := trail.find(msg.OpMoveStop, float32(last), 1); ok {
		t.Error("found another opcode")
	}
	if _, ok := trail.find(msg.OpMoveHeartbeat, float32(last), float32(math.Nextafter32(1, 2))); ok {
		t.Error("found another position")
	}
}

func TestTrailWaits(t *testing.T) {
	var trail trail
	for i := range moment(300) {
		trail.add(msg.OpMoveHeartbeat, float32(i), 1, i)
	}
	waiting := func(from, shown moment) []moment {
		trail.shown = shown
		return slices.Sorted(trail.waiting(from))
	}
	if got := waiting(1, 296); !slices.Equal(got, []moment{297, 298, 299}) {
		t.Errorf("since the last that was shown: %d", got)
	}
	if got := waiting(298, 0); !slices.Equal(got, []moment{298, 299}) {
		t.Errorf("since the measured time began: %d", got)
	}
	if got := waiting(1, 0); len(got) != trailLength || got[0] != 300-trailLength {
		t.Errorf("all: %d", got)
	}
}

// walked steps a walker and holds every step against the rules of its behaviour.
func walked(t *testing.T, b Behaviour, steps int, within func(x, y float64) bool) (legs []float64) {
	t.Helper()
	w := walker{behaviour: b, random: newRandom(7, 3), homeX: 100, homeY: 200}
	w.place(100, 200, 50, 1)
	w.setSpeed(7)
	x, y, walking, leg := float32(100), float32(200), false, 0.0
	for step := range steps {
		strides, n := w.next()
		for _, s := range strides[:n] {
			moved := math.Hypot(float64(s.x-x), float64(s.y-y))
			x, y = s.x, s.y
			leg += moved
			if s.z != 50 || !within(float64(x), float64(y)) {
				t.Fatalf("step %d: at %v %v %v", step, s.x, s.y, s.z)
			}
			if s.fresh != (moved > 0) || (s.flags == msg.MoveForward) != (s.op == msg.OpMoveStartForward || s.op == msg.OpMoveHeartbeat && b != Idle) {
				t.Fatalf("step %d: %+v", step, s)
			}
			if s.fresh && math.Abs(moved-3.5) > 1e-3 {
				t.Fatalf("step %d: moved %v yards in half a second", step, moved)
			}
			switch s.op {
			case msg.OpMoveStartForward:
				if walking {
					t.Fatalf("step %d: starts twice", step)
				}
				walking, leg = true, 0
			case msg.OpMoveStop:
				walking = false
				legs = append(legs, leg)
			case msg.OpMoveHeartbeat:
				if walking != (b != Idle) {
					t.Fatalf("step %d: heartbeat, walking %v", step, walking)
				}
			}
		}
	}
	return legs
}

func TestWalkers(t *testing.T) {
	disc := func(radius float64) func(x, y float64) bool {
		return func(x, y float64) bool { return math.Hypot(x-100, y-200) <= radius+1e-3 }
	}
	if legs := walked(t, Idle, 100, disc(0)); len(legs) != 0 {
		t.Errorf("idle walked %v", legs)
	}
	if legs := walked(t, Walk, 5000, disc(walkRadius)); len(legs) < 200 {
		t.Errorf("walk: %d legs", len(legs))
	}
	if legs := walked(t, Crowd, 5000, disc(crowdRadius)); len(legs) < 100 {
		t.Errorf("crowd: %d legs", len(legs))
	}
	for _, leg := range walked(t, Roam, 20000, func(x, y float64) bool { return math.Abs(x) < 17066 && math.Abs(y) < 17066 }) {
		if leg < roamLeast-3.5 || leg > roamMost {
			t.Errorf("roam: a leg of %v yards", leg)
		}
	}
}

func TestWalkersKeepToTheMap(t *testing.T) {
	w := walker{behaviour: Roam, random: newRandom(1, 1)}
	w.place(16900, -16900, 0, 0)
	w.setSpeed(70)
	for range 20000 {
		strides, n := w.next()
		for _, s := range strides[:n] {
			if math.Abs(float64(s.x)) > 17000 || math.Abs(float64(s.y)) > 17000 {
				t.Fatalf("at %v %v", s.x, s.y)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	var samples []float64
	for i := range 40 {
		samples = append(samples, float64(100+i))
	}
	m := memory(samples)
	if want := (Memory{First: 100, Last: 139, Most: 139, Quarters: [4]float64{105, 115, 125, 135}, Growth: 20.0 / 115}); m != want {
		t.Errorf("%#v, want %#v", m, want)
	}
	if m := memory([]float64{7}); m.Growth != 0 || m.Quarters != [4]float64{7, 7, 7, 7} {
		t.Errorf("one sample: %+v", m)
	}
	if m := memory(nil); m != (Memory{}) {
		t.Errorf("none: %+v", m)
	}
	if mb, err := resident(os.Getpid()); err != nil || mb < 1 || mb > 10_000 {
		t.Errorf("%v MB, %v", mb, err)
	}
}
