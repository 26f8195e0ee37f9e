package bench

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// A system that executes far more than it last did fails a run: by its instructions where they are counted, by its work
// wherever it runs. A run with nothing to hold it to fails openly.
func TestSharesFailARun(t *testing.T) {
	for name, tt := range map[string]struct {
		count     func() (counter, error)
		committed bool
		missed    []string
	}{
		"counted":     {counts, true, []string{"movement, ratio", "movement, work, ratio"}},
		"not counted": {countsNothing, false, []string{"comparison with the last committed result is not judged"}},
	} {
		t.Run(name, func(t *testing.T) {
			committed, dir := t.TempDir(), t.TempDir()
			last := Result{Name: "shares", Metrics: []Metric{
				{Name: "movement", Unit: perTick, Value: Spread{Median: .5}}, {Name: allSystems, Unit: perTick, Value: Spread{Median: 2_489}},
			}}
			if tt.committed {
				if err := last.Save(committed); err != nil {
					t.Fatal(err)
				}
			}
			err := Run(t.Context(), Config{
				Quick: true, Only: []string{"shares"}, Committed: committed, Results: dir, Report: filepath.Join(dir, "report.md"),
				count: tt.count, clock: steadyClock(),
			})
			if !errors.Is(err, ErrMissed) {
				t.Fatalf("missed: %v", err)
			}
			for _, missed := range tt.missed {
				if !strings.Contains(err.Error(), missed) {
					t.Errorf("missed: %v; and not %s", err, missed)
				}
			}
		})
	}
}

// What fails is a system that grows beside the others, all that grow together, and a counter that has counted nothing.
func TestSharesAreHeldToTheLast(t *testing.T) {
	const ticks, turn = 100, 2.0
	last := map[string]float64{
		"ai": 60, "fanout": 40, allSystems: 100, // thousand instructions per tick
		"ai, work": 150, "fanout, work": 100 * 2. / 3, "all systems, work": 20,
	}
	none := uncounted{errors.New("none")}
	for name, tt := range map[string]struct {
		counts             counter
		ai, fanout         float64 // thousand instructions per tick
		aiTurns, fanTurns  float64 // thousand turns per tick
		missed, judgeInstr string
	}{
		"as before":                   {new(fakeCounter), 60, 40, 12, 8, "", "ai"},
		"a little more":               {new(fakeCounter), 89, 59, 30, 8, "", "ai"},
		"ai executes more":            {new(fakeCounter), 91, 40, 12, 8, "ai, ratio", "ai"},
		"all execute more":            {new(fakeCounter), 89, 63, 12, 8, "all systems, ratio", "ai"},
		"ai takes more":               {none, 0, 0, 37, 8, "ai, work, ratio", ""},
		"all take more":               {none, 0, 0, 60, 31, "all systems, work, ratio", ""},
		"none, as before":             {none, 0, 0, 12, 8, "", ""},
		"a counter that stands still": {new(fakeCounter), 0, 0, 12, 8, "ai is not judged", ""},
	} {
		s := sheet{counts: tt.counts}
		systems := tally{small: make(map[string]bool)}
		systems.add(part{"ai", tt.ai * 1000 * ticks, tt.aiTurns * 1000 * ticks * turn})
		systems.add(part{"fanout", tt.fanout * 1000 * ticks, tt.fanTurns * 1000 * ticks * turn})
		systems.add(part{"gm", tt.ai, 1})
		for range 3 {
			systems.put(&s, last, ticks, turn)
		}
		r := &Result{Name: "shares", Metrics: s.metrics()}
		r.Skipped = s.skipped
		err := r.gates()
		if (err != nil) != (tt.missed != "") || err != nil && !strings.Contains(err.Error(), tt.missed) {
			t.Errorf("%s: %v, want %q", name, err, tt.missed)
		}
		if tt.judgeInstr != "" && !r.judges(tt.judgeInstr) || !r.judges("ai, work") || !r.judges("fanout, work") || r.judges("gm, work") {
			t.Errorf("%s: judged %+v", name, r.Metrics)
		}
	}
}

// A committed result without work has its instructions taken for it.
func TestLastSharesHaveWork(t *testing.T) {
	dir := t.TempDir()
	r := Result{Name: "shares", Metrics: []Metric{
		{Name: allSystems, Unit: perTick, Value: Spread{Median: 100}}, {Name: "ai", Unit: perTick, Value: Spread{Median: 60}},
	}}
	for _, want := range []float64{150, 7} {
		if err := r.Save(dir); err != nil {
			t.Fatal(err)
		}
		last, err := lastShares(&Config{Committed: dir})
		if err != nil || last["ai, work"] != want || want == 150 && last["all systems, work"] != 100./6 {
			t.Errorf("%v, %v", last, err)
		}
		r.Metrics = append(r.Metrics, Metric{Name: "all systems, work", Value: Spread{Median: 9}}, Metric{Name: "ai, work", Value: Spread{Median: 7}})
	}
}
