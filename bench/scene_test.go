package bench

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/bench/walkscene"
	"muster/ecs/grid"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// The cost of a scene means something only if all players are there, and sent each other's steps.
func TestSceneIsAlive(t *testing.T) {
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	const players = 20
	s := gathered(d, players, players)
	if n := s.live.World.Players(); n != players {
		t.Fatalf("%d players, want %d", n, players)
	}
	if n := s.live.World.Awake(); n != players {
		t.Errorf("%d entities are awake, want %d", n, players)
	}
	// An observer that stands in the middle, and is no subject.
	observer := frame.Cursor{Tick: s.tick, View: grid.View{Center: grid.At(0, 0, grid.Living), Layers: 1 << grid.Living}}
	for range beatTicks {
		s.step()
	}
	var window frame.Window
	window.Open(s.live.Exchange)
	defer window.Close()
	packets, ok := new(frame.Replayer).Replay(nil, &window, &observer)
	if !ok {
		t.Fatal("the ring of frames is too short for half a second")
	}
	beats := make(map[uint64]int)
	for len(packets) > 0 {
		op, payload, header, ok := wire.ServerHeader(packets)
		if !ok {
			t.Fatalf("no header in % x", packets)
		}
		if op == msg.OpMoveHeartbeat {
			guid, _ := wire.ReadPackedGUID(packets[header:])
			beats[guid]++
		}
		packets = packets[header+payload:]
	}
	for guid := uint64(1); guid <= players; guid++ {
		if beats[guid] != 1 {
			t.Errorf("%d heartbeats of player %d in half a second, want 1", beats[guid], guid)
		}
	}
}

func TestWalkersStayNearAndRun(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	m := &d.Maps[0]
	far := func(x, y, toX, toY float32) float64 { return math.Hypot(float64(toX-x), float64(toY-y)) }
	for range 100 {
		w := walkscene.Circling(dice, 200, -400, reachYards)
		x, y, _, _ := w.At(m)
		for range 50 {
			w.Run(strideYards)
			toX, toY, z, o := w.At(m)
			if step := far(x, y, toX, toY); step < 0.95*strideYards || step > 1.001*strideYards {
				t.Fatalf("a stride of %v yards on a circle of %v", step, w.Radius)
			}
			if far(200, -400, toX, toY) > reachYards+0.01 || z != m.Height(toX, toY) || o < 0 || o >= 2*math.Pi {
				t.Fatalf("at %v, %v, %v looking to %v", toX, toY, z, o)
			}
			x, y = toX, toY
		}
	}
}

// A run writes what it measured and judged, and names for each gate of instructions that the machine cannot judge the one
// that it judged instead. A gate that is judged by neither fails it.
func TestRunWritesResultAndReport(t *testing.T) {
	const executed, asMany = "tick, all in one disc, instructions", "as many"
	always := []string{"tick, all in one disc", "the same", "tick, all in one disc, work", "as much"}
	counted := append(slices.Clone(always), executed, asMany)
	instead := func(because string) []Skip {
		gate := func() *Target { return &Target{Of: OfRatio, AtMost: 1.5, Gate: true} }
		return []Skip{{executed, because, gate(), always[2]}, {asMany, because, gate(), always[3]}}
	}
	for name, tt := range map[string]struct {
		count   func() (counter, error)
		metrics []string
		skipped []Skip
		missed  string
	}{
		"counts":         {counts, counted, nil, ""},
		"counts nothing": {countsNothing, always, instead("nothing counts here"), ""},
		"stands still":   {standsStill, always, nil, executed + " is not judged"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := Config{
				Quick: true, Only: []string{"observers"}, Commit: "v1", Results: dir, Report: filepath.Join(dir, "report.md"),
				count: tt.count, clock: steadyClock(),
			}
			err := Run(t.Context(), config)
			if errors.Is(err, ErrMissed) != (tt.missed != "") || err != nil && !strings.Contains(err.Error(), tt.missed) {
				t.Fatal(err)
			}
			results, err := Load(dir)
			if err != nil || len(results) != 1 {
				t.Fatalf("%d results, %v", len(results), err)
			}
			r := results[0]
			if r.Name != "observers" || !r.Quick || r.Commit != "v1" || r.Repetitions != 3 || r.Order != slices.Index(Names(), "observers")+1 {
				t.Errorf("%+v", r)
			}
			var names []string
			for i, m := range r.Metrics {
				names = append(names, m.Name)
				if m.Value.Min <= 0 || m.Value.Min > m.Value.Median || m.Value.Median > m.Value.Max || m.Target.Gate != (i >= 2) || m.Target.Unjudged != (i < 2) {
					t.Errorf("%+v", m)
				}
				if limit := []float64{1.5, 1.5, 3, 3, 1.5, 1.5}[i]; m.Target.AtMost != limit {
					t.Errorf("%s must be at most %v, want %v", m.Name, m.Target.AtMost, limit)
				}
				if i >= 2 && (m.Ratio.Median != 1 || !m.Target.Met) || i >= 4 && m.Value.Median != 1000 {
					t.Errorf("of one step of clock and counter for each tick came %+v", m)
				}
			}
			if !slices.Equal(names, tt.metrics) || tt.missed == "" && !reflect.DeepEqual(r.Skipped, tt.skipped) {
				t.Errorf("%q, and skipped %+v\nwant %q, and %+v", names, r.Skipped, tt.metrics, tt.skipped)
			}
			text, err := os.ReadFile(filepath.Join(dir, "docs", "bench", "observers.md"))
			if err != nil || !strings.HasPrefix(string(text), "# "+r.Title+"\n") || !strings.HasSuffix(string(text), r.details("")) {
				t.Errorf("the page is\n%s%v", text, err)
			}
		})
	}
}

// What is to grow in step with its size, or not at all, is held to that by instructions and by work, which has a margin. Of
// one step of the clock for each tick, whatever its size, nothing grows.
func TestExponentsAreGates(t *testing.T) {
	dir := t.TempDir()
	err := Run(t.Context(), Config{
		Quick: true, Only: []string{"s4", "s12"}, Results: dir, Report: filepath.Join(dir, "report.md"),
		count: countsNothing, clock: steadyClock(),
	})
	if err != nil {
		t.Fatal(err)
	}
	results, err := Load(dir)
	if err != nil || len(results) != 2 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for i, want := range []struct {
		exponent   string
		executed   float64 // the most that it may be
		work       float64
		otherGates []string
	}{
		{"exponent over pairs", 1.1, 1.35, nil},
		{"exponent over all entities", 0.05, 0.1, []string{"awake beside the players, 0 others", "awake beside the players, 50,000 others"}},
	} {
		r := &results[i]
		at := slices.IndexFunc(r.Metrics, func(m Metric) bool { return m.Name == want.exponent+", work" })
		if at < 0 || r.Metrics[at].Target.AtMost != want.work || !r.judges(want.exponent+", work") || math.Abs(r.Metrics[at].Value.Median) > 1e-9 {
			t.Errorf("%+v, want %s of work of at most %v", r.Metrics, want.exponent, want.work)
		}
		skipped := []Skip{{
			want.exponent + ", instructions", "nothing counts here",
			&Target{Of: OfMedian, AtMost: want.executed, Gate: true}, want.exponent + ", work",
		}}
		if !reflect.DeepEqual(r.Skipped, skipped) {
			t.Errorf("skipped %+v, want %+v", r.Skipped, skipped)
		}
		for _, gate := range want.otherGates {
			if !r.judges(gate) {
				t.Errorf("%s is not judged: %+v", gate, r.Metrics)
			}
		}
	}
}

func BenchmarkTick(b *testing.B) {
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		perDisc int
	}{{"apart", 1}, {"hubs", synth.PerHub}, {"crowd", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			s := gathered(d, 1000, c.perDisc)
			b.ReportAllocs()
			for b.Loop() {
				s.step()
			}
		})
	}
}
