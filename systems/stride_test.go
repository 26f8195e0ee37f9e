package systems

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// TestWorkHasItsOwnTimes has worlds live for ten minutes with steps of 5 to 50 ms, one of them with a step that changes
// all the time: creatures that walk take as many decisions, and one that was hurt regenerates as much, however long a step is. Only
// the rounding of times to steps differs: a decision of a stroll comes after 4 to 12 s, and is late by 50 ms at most.
func TestWorkHasItsOwnTimes(t *testing.T) {
	t.Parallel()
	live := func(stride func(n uint64) uint64) (strolls uint64, after [5]uint32) {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		m := &d.Maps[0]
		for i := range 40 {
			m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: float32(i), Wander: 10, Path: -1})
		}
		var counts metric.Table
		w := New(Config{Defs: d, Map: m, Metric: &counts, Quantum: 5 * time.Millisecond})
		body := components.CreatureGUID(7, respawn.FirstCounter)
		enter(w, 1, 80, 0) // far enough not to be attacked
		vitals := ecs.NewAccessor[components.Vitals](w.ecs)
		var f frame.Frame
		second, hurt := uint64(0), uint64(0)
		for n := stride(0); n <= 600*200; n += stride(n) {
			w.Tick(n, &f)
			if n/200 == second {
				continue
			}
			second = n / 200
			if v := vitals.Get(w.Find(body)); hurt == 0 {
				hurt = second
				w.Damage(rules.Damage{To: w.Find(body), Amount: v.MaxHealth - 1})
			} else if i := (second - hurt) / 4; (second-hurt)%4 == 3 && i < uint64(len(after)) {
				after[i] = v.Health
			}
		}
		return counts.Value("ai.stroll") + counts.Value("ai.rest"), after
	}
	fixed := func(units uint64) func(uint64) uint64 { return func(uint64) uint64 { return units } }
	r := rand.New(rand.NewPCG(2, 2))
	want, healed := live(fixed(10))
	if want < 40*600/16 || healed[0] < 2 || healed[4] <= healed[0] {
		t.Fatalf("with steps of 50 ms %d decisions, health %v", want, healed)
	}
	for name, stride := range map[string]func(uint64) uint64{
		"5 ms": fixed(1), "10 ms": fixed(2), "25 ms": fixed(5),
		"changing": func(n uint64) uint64 {
			s := [...]uint64{1, 2, 5, 10}[r.IntN(4)]
			return (n/s+1)*s - n
		},
	} {
		got, after := live(stride)
		if math.Abs(float64(got)/float64(want)-1) > 0.05 {
			t.Errorf("%s: %d decisions, and %d with steps of 50 ms", name, got, want)
		}
		if after != healed {
			t.Errorf("%s: health %v, and %v with steps of 50 ms", name, after, healed)
		}
	}
}
