package bench

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"muster/bench/march"
	"muster/ecs/grid"
	"muster/loaders/synth"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
)

// What a scene costs means something only if everybody is there, and told of everybody's steps.
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
	// Somebody who stands in the middle, and is nobody.
	observer := frame.Cursor{Tick: s.tick, View: grid.View{Home: grid.At(0, 0, grid.Living), Layers: 1 << grid.Living}}
	for range beatTicks {
		s.step()
	}
	var window frame.Window
	window.Open(s.live.Port)
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
		w := march.Circling(dice, 200, -400, reachYards)
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

func TestRunWritesResultAndReport(t *testing.T) {
	dir := t.TempDir()
	config := Config{Quick: true, Only: []string{"observers"}, Commit: "v1", Results: dir, Report: filepath.Join(dir, "report.md")}
	if err := Run(t.Context(), config); err != nil && !errors.Is(err, ErrMissed) {
		t.Fatal(err)
	}
	results, err := Load(dir)
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	r := results[0]
	if r.Name != "observers" || !r.Quick || r.Commit != "v1" || r.Repetitions != 3 || len(r.Metrics) != 4-2*len(r.Skipped) ||
		r.Order != slices.Index(Names(), "observers")+1 {
		t.Errorf("%+v", r)
	}
	for i, m := range r.Metrics {
		if m.Value.Min <= 0 || m.Value.Min > m.Value.Median || m.Value.Median > m.Value.Max || m.Target.Gate != (i >= 2) {
			t.Errorf("%+v", m)
		}
	}
	if text, err := os.ReadFile(config.Report); err != nil || string(text) != preamble+section(&r, "") {
		t.Errorf("the report is\n%s%v", text, err)
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
