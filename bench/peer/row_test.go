package peer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/bench/swarm"
)

func TestTurns(t *testing.T) {
	want := []Turn{
		{50, 1, Peer}, {50, 1, Muster}, {50, 2, Peer}, {50, 2, Muster},
		{200, 1, Peer}, {200, 1, Muster}, {200, 2, Peer}, {200, 2, Muster},
	}
	if got := Turns([]int{200, 50}, 2); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestMeasured(t *testing.T) {
	r := swarm.Report{
		Clients: 50,
		In:      swarm.Traffic{PacketsPerSecond: 4900, BytesPerSecond: 250e3},
		Logins:  swarm.Logins{Failed: swarm.Reasons{Total: 2, ByReason: map[string]int{"a": 1, "b": 1}}},
		Lost:    swarm.Reasons{Total: 3, ByReason: map[string]int{"b": 3}},
		Login:   swarm.Latency{P50: 1, P99: 2}, Movement: swarm.Latency{P50: 3, P99: 4},
		Ping: swarm.Latency{P50: 5, P99: 6}, Behind: swarm.Latency{P50: 7, P99: 8},
		Memory: swarm.Memory{Last: 40, Most: 47}, ServerPercent: 2.8, Processor: swarm.Processor{Percent: 4.5},
		Violations: swarm.Violations{Total: 9, ByKind: map[string]uint64{"order": 9}},
	}
	want := Run{
		Turn: Turn{50, 3, Muster},
		Figures: Figures{
			Packets: 4900, Bytes: 250e3, Processor: 2.8, Swarm: 4.5, Memory: 47, LoginP50: 1, LoginP99: 2,
			MovementP50: 3, MovementP99: 4, PingP50: 5, PingP99: 6, BehindP99: 8,
		},
		Violations: 9, ByKind: map[string]uint64{"order": 9},
		Failures: 5, ByReason: map[string]int{"a": 1, "b": 4}, Verified: 50,
	}
	if got := want.Turn.Measured(&r); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !maps.Equal(r.Logins.Failed.ByReason, map[string]int{"a": 1, "b": 1}) {
		t.Errorf("the report has become %v", r.Logins.Failed)
	}
	r.Sample = &swarm.Sample{Clients: 3}
	if got := want.Turn.Measured(&r); got.Verified != 3 {
		t.Errorf("%d clients are verified, want 3", got.Verified)
	}
}

// Each figure has medians, and each has them once.
func TestAllFigures(t *testing.T) {
	var f Figures
	seen := make(map[*float64]bool)
	for _, p := range f.all() {
		seen[p] = true
	}
	if n := reflect.TypeFor[Figures]().NumField(); len(seen) != n || len(f.all()) != n {
		t.Errorf("%d figures, %d fields", len(seen), n)
	}
}

func TestSummary(t *testing.T) {
	run := func(packets, p99 float64, violations uint64, failures, verified int) Run {
		return Run{Figures: Figures{Packets: packets, BehindP99: p99}, Violations: violations, Failures: failures, Verified: verified}
	}
	got := summary([]Run{run(30, 1, 0, 2, 50), run(10, 9, 4, 0, 3), run(11, 2, 1, 5, 50)})
	want := Summary{
		Median: Figures{Packets: 11, BehindP99: 2}, Min: Figures{Packets: 10, BehindP99: 1}, Max: Figures{Packets: 30, BehindP99: 9},
		Violations: 5, Failures: 7, Verified: 3,
	}
	if got != want {
		t.Errorf("three: %+v, want %+v", got, want)
	}
	if got := summary([]Run{run(30, 1, 0, 0, 50), run(10, 2, 0, 0, 50)}); got.Median != (Figures{Packets: 20, BehindP99: 1.5}) {
		t.Errorf("two: %+v", got.Median)
	}
}

// runs are one run of each server, with so many packets per second.
func runs(clients int, theirs, ours float64) []Run {
	return []Run{
		{Turn: Turn{clients, 1, Peer}, Figures: Figures{Packets: theirs, Processor: 30}},
		{Turn: Turn{clients, 1, Muster}, Figures: Figures{Packets: ours, Processor: 4}},
	}
}

// The bound is 2 % of the greater number, whichever server has it.
func TestVoidRows(t *testing.T) {
	for _, c := range []struct {
		theirs, ours float64
		difference   float64
		void         string // its beginning
	}{
		{10000, 10000, 0, ""},
		{10000, 9800, 0.02, ""},
		{9800, 10000, 0.02, ""},
		{10000, 9799, 0.0201, "packets per second differ by 2.01 %, more than 2 %: 10,000 of the peer, 9,799 of muster"},
		{9799, 10000, 0.0201, "packets per second differ by 2.01 %, more than 2 %: 9,799 of the peer, 10,000 of muster"},
		{4900, 5200, 300. / 5200, "packets per second differ by 5.77 %"},
		{0, 10, 1, "the peer sent nothing"},
		{10, 0, 1, "muster sent nothing"},
		{0, 0, 0, "neither server sent anything"},
	} {
		row := Rows(runs(50, c.theirs, c.ours))[0]
		if row.Difference != c.difference && abs(row.Difference-c.difference) > 1e-12 {
			t.Errorf("%v and %v: difference %v, want %v", c.theirs, c.ours, row.Difference, c.difference)
		}
		if !strings.HasPrefix(row.Void, c.void) || c.void == "" && row.Void != "" {
			t.Errorf("%v and %v: %q, want %q", c.theirs, c.ours, row.Void, c.void)
		}
		if times, ok := row.ratio(); ok != (c.void == "") || ok && times != 7.5 {
			t.Errorf("%v and %v: a ratio of %v, %v", c.theirs, c.ours, times, ok)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }

// Medians are compared: one bad repetition of three does not void a row. Rows are in order, and without those of which a
// server still lacks runs.
func TestRows(t *testing.T) {
	all := runs(200, 100, 100)
	all = append(all, runs(50, 100, 100)...)
	all = append(all, runs(50, 60, 100)...)
	all = append(all, runs(50, 101, 100)...)
	all = append(all, runs(500, 1, 1)[0])
	all = append(all, runs(1000, 1, 1)[1])
	rows := Rows(all)
	if len(rows) != 2 || rows[0].Clients != 50 || rows[1].Clients != 200 {
		t.Fatalf("rows %+v", rows)
	}
	if rows[0].Void != "" || rows[0].Peer.Median.Packets != 100 || rows[0].Peer.Min.Packets != 60 {
		t.Errorf("row %+v", rows[0])
	}
	if rows := Rows(nil); rows != nil {
		t.Errorf("no runs: %+v", rows)
	}
}
