package bench

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/golden"
)

// example is a result with one metric of each kind.
func example() *Result { return exampleOf(false) }

// exampleOf is that of a quick run, or of another.
func exampleOf(quick bool) *Result {
	s := sheet{quick: quick}
	for _, v := range [][3]float64{{12.25, 10, 0}, {1234.5, 1000, 0}, {14, 10, 2}} {
		s.put("plain", "", v[0]).at("a curve", "players", 100)
		s.put("cost", "µs", v[0]).beside("floor", v[1]).atMost(1.3, OfRatio)
		s.put("faults", "", v[2]).gate(0, OfWorst)
		s.put("latency", "ms", v[0]).atMost(15, OfMedian).stretch(14)
		s.put("gain", "µs", v[1]).beside("objects", 30*v[1]+v[2]).times(20, 40)
		s.put("density", "", v[0]).atLeast(20, OfMedian)
	}
	s.skip("luck", "there was none")
	return &Result{
		Name: "example", Order: 2, Title: "An example", Text: "What was measured.", Quick: quick,
		Host: Host{Commit: "v1", CPU: "a CPU", Cores: 2, Kernel: "Linux 6", Go: "go1.26", GOMAXPROCS: 2},
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Repetitions: 3, Metrics: s.metrics(),
		Skipped: s.skipped,
	}
}

func TestMetricsSumUpRepetitions(t *testing.T) {
	want := []Metric{
		{Name: "plain", Value: Spread{14, 12.25, 1234.5}, Point: &Point{Curve: "a curve", Of: "players", Size: 100}},
		{
			Name: "cost", Unit: "µs", Value: Spread{14, 12.25, 1234.5},
			Baseline: &Baseline{"floor", Spread{10, 10, 1000}}, Ratio: &Spread{1.2345, 1.225, 1.4},
			Target: &Target{Of: OfRatio, AtMost: 1.3, Met: true},
		},
		{Name: "faults", Value: Spread{0, 0, 2}, Target: &Target{Of: OfWorst, AtMost: 0, Gate: true, Met: false}},
		{
			Name: "latency", Unit: "ms", Value: Spread{14, 12.25, 1234.5},
			Target: &Target{Of: OfMedian, AtMost: 15, Stretch: new(14.0), Met: true, Stretched: true},
		},
		{
			Name: "gain", Unit: "µs", Value: Spread{10, 10, 1000}, Baseline: &Baseline{"objects", Spread{302, 300, 30000}},
			Ratio: &Spread{1. / 30, 1 / 30.2, 1. / 30}, Times: &Spread{30, 30, 30.2},
			Target: &Target{Of: OfTimes, AtLeast: new(20.0), Stretch: new(40.0), Met: true},
		},
		{Name: "density", Value: Spread{14, 12.25, 1234.5}, Target: &Target{Of: OfMedian, AtLeast: new(20.0)}},
	}
	if got := example().Metrics; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := spread([]float64{4, 1, 3, 2}).Median; got != 2.5 {
		t.Errorf("the median of 1, 2, 3, 4 is %v", got)
	}
}

// What a clock is too coarse for is skipped and said, and does not fail a run, even if it has a target.
func TestWhatIsNoNumberIsSkipped(t *testing.T) {
	var s sheet
	for _, v := range []float64{1, 0} {
		s.put("ratio to nothing", "µs", 1).beside("floor", v)
		s.put("times of nothing", "µs", v).beside("floor", 1).times(2, 3)
		s.put("nothing beside something", "µs", v).beside("floor", 1).atMost(1, OfRatio)
		s.put("exponent", "", math.Log(v))
	}
	metrics := s.metrics()
	if len(metrics) != 1 || metrics[0].Name != "nothing beside something" || len(s.skipped) != 3 {
		t.Errorf("%+v, and skipped %+v", metrics, s.skipped)
	}
}

// A gate that cannot be judged, as its counter has counted nothing, fails the run.
func TestUnjudgedGatesFailARun(t *testing.T) {
	counted := func(counts ...float64) *Result {
		var s sheet
		var g growth
		for i, n := range counts {
			g.add(float64(i+1), n)
		}
		s.put("exponent", "", g.exponent()).gate(1, OfMedian)
		return &Result{Name: "example", Metrics: s.metrics(), Skipped: s.skipped}
	}
	for _, r := range []*Result{counted(0, 0, 0), counted(1, 0, 3), counted(1, math.NaN(), 3)} {
		if err := r.gates(); !errors.Is(err, ErrMissed) || !strings.Contains(err.Error(), "exponent is not judged") {
			t.Errorf("%v", err)
		}
		if e := r.Entries(); len(e) != 1 || e[0].Value != nil || e[0].Met == nil || *e[0].Met || *e[0].Target != "median must ≤ 1" {
			t.Errorf("%+v", e)
		}
		if got := r.verdict(); got != "Not judged: exponent." {
			t.Error(got)
		}
	}
	if r := counted(1, 2, 3); r.gates() != nil || len(r.Skipped) > 0 {
		t.Errorf("%+v", r)
	}
}

// A gate of instructions that a machine does not count is judged by the one that it names, and fails the run if that one
// is not judged either, or if there is a counter, which has counted nothing.
func TestGatesAreJudgedInstead(t *testing.T) {
	for name, tt := range map[string]struct {
		counts counter
		other  float64 // value of the gate that is judged in its stead
		judged bool
	}{
		"no counter":             {uncounted{errors.New("none")}, 1, true},
		"another's":              {&fakeCounter{because: "another's"}, 1, true},
		"no counter, no time":    {uncounted{errors.New("none")}, math.NaN(), false},
		"a counter stands still": {new(fakeCounter), 1, false},
	} {
		s := sheet{counts: tt.counts}
		s.put("work", "", tt.other).gate(2, OfMedian)
		s.put("instructions", "", math.NaN()).gate(1, OfMedian).instead("work")
		r := &Result{Name: "example", Metrics: s.metrics()}
		r.Skipped = s.skipped
		if err := r.gates(); errors.Is(err, ErrMissed) == tt.judged {
			t.Errorf("%s: %v", name, err)
		}
		e := r.Entries()
		last := e[len(e)-1]
		if tt.judged && (last.Met != nil || last.Instead != "work" || r.verdict() != "All targets are met.") {
			t.Errorf("%s: %+v, %s", name, last, r.verdict())
		}
	}
}

func TestResultsRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	second, first := example(), example()
	first.Name, first.Order, first.Quick = "first", 1, true
	for _, r := range []*Result{second, first} {
		if err := r.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := saveEntries(filepath.Join(dir, "list.json"), first.Entries()); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if want := []Result{*first, *second}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %+v, %v\nwant   %+v", got, err, want)
	}
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("a bad file: %v", err)
	}
	unmeasured := Result{Name: "nothing", Metrics: []Metric{{Value: Spread{Median: math.NaN()}}}}
	if err := unmeasured.Save(dir); err == nil {
		t.Error("a figure that is no number was saved")
	}
}

func TestPage(t *testing.T) {
	other, quick := exampleOf(true), exampleOf(true)
	other.Title, other.Repetitions = "A quick one, with nothing to reach", 1
	other.Metrics, other.Skipped = other.Metrics[:1], nil
	quick.Title = "A quick one, which misses a gate and two targets"
	var b strings.Builder
	for _, r := range []*Result{example(), other, quick} {
		if err := WritePage(&b, r, "../BENCHMARKS.md", r.Name+".svg"); err != nil {
			t.Fatal(err)
		}
	}
	golden.Compare(t, filepath.Join("testdata", "page.md"), []byte(b.String()))
}

// The front page has the headlines that were measured, with the range over machines where there are several.
func TestFrontPage(t *testing.T) {
	figures := func(name, title string, often float64) Result {
		var s sheet
		for _, v := range []float64{10, 8, 16} {
			s.put("whole tick, p50", "µs", v).beside("objects", v*often+16-v).times(20, 40)
			s.put("movement latency, p99", "ms", v).atMost(9, OfMedian)
		}
		return Result{
			Name: name, Title: title, Host: Host{Commit: "v1 commit 0123456789", CPU: "a CPU", Cores: 2, Kernel: "Linux 6", Go: "go1.26"},
			Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Metrics: s.metrics(), Skipped: s.skipped,
		}
	}
	results := []Result{figures("s6", "S6: ticks", 25), figures("s9", "S9: clients", 25), figures("growth", "No headline", 50)}
	results[2].Skipped = []Skip{{Name: "luck", Target: &Target{Of: OfMedian, AtMost: 1}}}
	quick := exampleOf(true)
	quick.Name = "s1"
	results = append(results, *quick)
	second := figures("s6", "S6: ticks", 18)
	second.CPU = "another CPU"
	var b strings.Builder
	page := func(name string) string { return "docs/bench/" + name + ".md" }
	if err := WriteFront(&b, results, []Result{second}, "ratios.svg", page); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("testdata", "front.md"), []byte(b.String()))
}

// Results of further machines lie in folders of their own.
func TestResultsOfOtherMachines(t *testing.T) {
	dir := t.TempDir()
	for _, machine := range []string{"a", "b"} {
		r := example()
		r.CPU = machine
		if err := r.Save(filepath.Join(dir, "machines", machine)); err != nil {
			t.Fatal(err)
		}
	}
	others, err := loadOthers(dir)
	if err != nil || len(others) != 2 || others[0].CPU != "a" || others[1].CPU != "b" {
		t.Errorf("%+v, %v", others, err)
	}
	if results, err := Load(dir); err != nil || len(results) != 0 {
		t.Errorf("%+v, %v", results, err)
	}
}

// BENCHMARKS.md, the pages in docs/bench and the charts are what the committed results say, and each headline is a figure
// of them.
func TestReportIsThatOfItsResults(t *testing.T) {
	results, err := Load("results")
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 {
		t.Fatal("no results are committed")
	}
	for _, r := range results {
		if r.Quick {
			t.Errorf("the committed result of %s is of a quick run", r.Name)
		}
	}
	for _, h := range headlines() {
		if find(results, h) == nil {
			t.Errorf("no committed result of %s has %q", h.scenario, h.figure)
		}
	}
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "bench", "results"), os.DirFS("results")); err != nil {
		t.Fatal(err)
	}
	err = Report(Config{Results: filepath.Join(root, "bench", "results"), Report: filepath.Join(root, "BENCHMARKS.md")})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"BENCHMARKS.md", "docs/bench/*.md", "bench/results/*.svg"} {
		made, committed := relative(t, root, pattern), relative(t, "..", pattern)
		if len(made) == 0 || !slices.Equal(made, committed) {
			t.Errorf("%s: committed are %q, of the results come %q", pattern, committed, made)
		}
		for _, name := range made {
			text, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, filepath.Join("..", name), text)
		}
	}
}

// relative lists the files of a folder that match a pattern, by their paths from it.
func relative(t *testing.T, root, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if files[i], err = filepath.Rel(root, files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestGatesFailARun(t *testing.T) {
	r := example()
	const want = "bench: missed: example: faults is 2, target at most 0"
	if err := r.gates(); !errors.Is(err, ErrMissed) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	r.Metrics[1].Target.Met = false // depends on the machine
	r.Metrics[2].Target.Met = true
	if err := r.gates(); err != nil {
		t.Error(err)
	}
	const short = "Missed: cost, ratio to floor is 1.23, target at most 1.30; " +
		"density is 14, target at least 20."
	if got := r.verdict(); got != short {
		t.Errorf("%q, want %q", got, short)
	}
}

// Of a quick run gates alone are judged: no other target is met or missed, counted, or listed as one that could not be judged.
func TestQuickRunsJudgeGates(t *testing.T) {
	r := exampleOf(true)
	var s sheet
	s.quick = true
	s.put("too short", "", math.NaN()).atMost(1, OfMedian)
	s.put("too short for a gate", "", math.NaN()).gate(1, OfMedian)
	s.metrics()
	r.Skipped = s.skipped
	const short = "Missed: faults is 2, target at most 0. Not judged: too short for a gate."
	if got := r.verdict(); got != short {
		t.Errorf("%q, want %q", got, short)
	}
	if met, all := r.targets(); met != 0 || all != 1 {
		t.Errorf("%d met of %d, want 0 of 1", met, all)
	}
	judged := map[string]bool{"faults": true, "too short for a gate": true}
	for _, e := range r.Entries() {
		if (e.Met != nil) != judged[e.Figure] || e.Met != nil && *e.Met || e.Stretched != nil {
			t.Errorf("%+v", e)
		}
	}
	for _, m := range r.Metrics {
		if target := m.Target; target != nil && !target.Gate && (target.Met || target.Stretched) {
			t.Errorf("%s: %+v", m.Name, target)
		}
	}
	r.Metrics[2].Target.Met, r.Skipped = true, nil
	if got := r.verdict(); got != "All gates are met." {
		t.Error(got)
	}
}

func TestEntries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "made", "list.json")
	if err := saveEntries(file, example().Entries()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("testdata", "list.json"), got)
}

func TestExponentIsThatOfThePower(t *testing.T) {
	for _, want := range []float64{0, 0.5, 1, 1.25, 2} {
		var g growth
		for _, n := range []float64{1e3, 1e4, 3e4, 1e6} {
			g.add(n, 7*math.Pow(n, want))
		}
		if got := g.exponent(); math.Abs(got-want) > 1e-9 {
			t.Errorf("fitted %v, want %v", got, want)
		}
	}
	uneven := growth{[]float64{1, 10, 100}, []float64{2, 10, 200}} // log costs 0.301, 1, 2.301
	if got := uneven.exponent(); math.Abs(got-1) > 1e-9 {
		t.Errorf("fitted %v, want 1", got)
	}
}

func TestOnlyAndLong(t *testing.T) {
	short, long := scenario{name: "short"}, scenario{name: "long", long: true}
	for _, tt := range []struct {
		c           Config
		short, long bool
	}{
		{Config{}, true, true},
		{Config{Quick: true}, true, false},
		{Config{Quick: true, Only: []string{"long"}}, false, true},
		{Config{Only: []string{"long", "short"}}, true, true},
	} {
		if tt.c.wants(&short) != tt.short || tt.c.wants(&long) != tt.long {
			t.Errorf("%+v: short %v, long %v", tt.c, tt.c.wants(&short), tt.c.wants(&long))
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 0.12345: "0.123", 1.5: "1.50", 12.34: "12.3", 123.4: "123", 999.9: "1000",
		1234.4: "1,234", 1234567: "1,234,567", 12345678: "12,345,678", -1234: "-1,234", -2.5: "-2.50",
	} {
		if got := number(v); got != want {
			t.Errorf("number(%v) is %s, want %s", v, got, want)
		}
	}
}
