package bench

import (
	"slices"
	"testing"

	"muster/bench/walkscene"
	"muster/net/replication/frame"
)

// A walk is measured beside objects with each improvement that other servers have, with cold caches, and by the clock on the wall;
// and the plain objects are plain again afterwards.
func TestWalksStandBesideBetterBaselines(t *testing.T) {
	var s sheet
	m := walkscene.Config{Players: 20, PerDisc: 10, DiscYards: reachYards, Apart: apartYards, BeatTicks: 1}
	if err := walks(t.Context(), &s, m, 20, 10, 1, [4]float64{20, 40, 40, 80}); err != nil {
		t.Fatal(err)
	}
	baselines, must := make(map[string]string), make(map[string]float64)
	for _, metric := range s.metrics() {
		if metric.Baseline != nil && metric.Value.Median > 0 && metric.Baseline.Median > 0 {
			baselines[metric.Name] = metric.Baseline.Name
			if metric.Times != nil {
				must[metric.Name] = metric.Target.must()
			}
		}
	}
	for figure, want := range map[string]struct {
		baseline string
		must     float64
	}{
		"whole tick, p50": {"objects", 20},
		"whole tick, p50, beside objects that look every 300 ms":            {"objects that look every 300 ms", 10},
		"whole tick, p50, beside objects with lists":                        {"objects with lists", 10},
		"whole tick, p50, beside objects with lists that look every 300 ms": {"objects with lists that look every 300 ms", 10},
		"whole tick, p50, caches cold":                                      {"objects, caches cold", 20},
		"whole tick, p99 by the clock on the wall":                          {"p99 of the thread's time", 0},
	} {
		if got := baselines[figure]; got != want.baseline || must[figure] != want.must {
			t.Errorf("%s stands beside %q, and must %vx, want %+v", figure, got, must[figure], want)
		}
	}
	if lookEvery*tickMs != 300 {
		t.Errorf("players look every %d ms", lookEvery*tickMs)
	}
}

// An improvement is made for as long as it is measured.
func TestImprovementsEnd(t *testing.T) {
	p := newObjectMarching(small)
	for _, with := range improved {
		during := 0
		p.script = spy{p.script, func() {
			if p.world.Lists() == with.lists && p.world.LookTicks == with.looks {
				during++
			}
		}}
		p.improved(with, 7)
		if during != beatTicks+7 || p.world.Lists() || p.world.LookTicks != 1 {
			t.Errorf("%s: in %d ticks; afterwards it lists: %v, and looks every %d", with.name, during, p.world.Lists(), p.world.LookTicks)
		}
	}
}

// A spy is told when a script is asked what clients send.
type spy struct {
	script
	asked func()
}

func (s spy) Say(tick uint64, visit func(frame.Item)) {
	s.asked()
	s.script.Say(tick, visit)
}

var small = walkscene.Config{Players: 12, PerDisc: 4, DiscYards: reachYards, Apart: apartYards, BeatTicks: 1}

// The time on the wall is that of the ticks that are measured.
func TestPinnedTicks(t *testing.T) {
	p := newMarching(small)
	for range walkscene.EnterTicks {
		p.whole()
	}
	thread, wall, err := p.pinned(30)
	if err != nil {
		t.Fatal(err)
	}
	if len(wall.ticks) != 30 || len(thread.ticks) != 30 {
		t.Errorf("%d ticks on the wall, %d of the thread", len(wall.ticks), len(thread.ticks))
	}
	if wall.ticks[0] <= 0 || !slices.IsSorted(wall.ticks) {
		t.Errorf("ticks took %v µs on the wall", wall.ticks)
	}
}
