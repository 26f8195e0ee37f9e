package bench

import (
	"errors"
	"math"
	"strings"
	"testing"

	"muster/bench/swarm"
)

// Where no client has seen a violation, a tenth of them must have looked, in a quick run too.
func TestZeroViolationsOfEnoughClients(t *testing.T) {
	for _, tt := range []struct {
		verified, clients int
		missed            string
	}{
		{1000, 1000, ""},
		{100, 1000, ""},
		{99, 1000, "clients verified throughout is 99, target at least 100"},
		{0, 50, "clients verified throughout is 0, target at least 5"},
	} {
		for where, put := range map[string]func(*figures, *sheet){
			"":                 func(f *figures, s *sheet) { f.put(s) },
			"50 clients: ":     func(f *figures, s *sheet) { (&paced{clients: 50, p50: 1, p99: 1, ping: 1, processor: 1}).put(s, f, f) },
			"15,000 clients: ": func(f *figures, s *sheet) { f.putRung(s, "15,000 clients: ", waits15000) },
		} {
			s := sheet{quick: true}
			// The first repetition is as it should be: the worst of all counts.
			put(&figures{report: swarm.Report{Clients: tt.clients, Verified: tt.clients}}, &s)
			put(&figures{report: swarm.Report{Clients: tt.clients, Verified: tt.verified}}, &s)
			r := &Result{Name: "example", Quick: true, Metrics: s.metrics()}
			err := r.gates()
			if tt.missed == "" && err != nil || tt.missed != "" && (!errors.Is(err, ErrMissed) || !strings.Contains(err.Error(), where+tt.missed)) {
				t.Errorf("%s%d of %d: %v, want %q", where, tt.verified, tt.clients, err, tt.missed)
			}
		}
	}
}

// The rungs can miss their targets for latency. Where one of them does not hold, that they are not judged is said.
func TestRungsAreJudgedByLatency(t *testing.T) {
	const name = "15,000 clients: "
	at := func(p50, p99 float64, limits waits) *Result {
		var s sheet
		f := &figures{report: swarm.Report{Clients: 10, Verified: 10, Movement: swarm.Latency{P50: p50, P99: p99}}}
		f.putRung(&s, name, limits)
		return &Result{Name: "example", Metrics: s.metrics()}
	}
	limits := waits{p50: 100, p99: 300, due: 250}
	for _, tt := range []struct {
		p50, p99  float64
		limits    waits
		verdict   string
		stretched bool
	}{
		{100, 250, limits, "All targets are met.", true},
		{100, 251, limits, "All targets are met.", false},
		{101, 300, limits, "Missed: 15,000 clients: movement latency, p50 is 101 ms, target at most 100.", false},
		{100, 301, limits, "Missed: 15,000 clients: movement latency, p99 is 301 ms, target at most 300.", false},
		{100, 200, waits{p50: 100, p99: 300, due: 350}, "All targets are met.", false}, // due is not asked for: it is weaker
	} {
		r := at(tt.p50, tt.p99, tt.limits)
		if got := r.verdict(); got != tt.verdict {
			t.Errorf("%v and %v: %s, want %s", tt.p50, tt.p99, got, tt.verdict)
		}
		stretched := false
		for _, m := range r.Metrics {
			stretched = stretched || m.Target != nil && m.Target.Stretched
		}
		if stretched != tt.stretched {
			t.Errorf("%v and %v: stretched %v", tt.p50, tt.p99, stretched)
		}
	}
	var s sheet
	limits.unheld(&s, name, "it broke")
	r := &Result{Name: "example", Metrics: s.metrics(), Skipped: s.skipped}
	const unjudged = "Not judged: 15,000 clients: movement latency, p50; 15,000 clients: movement latency, p99."
	if got := r.verdict(); got != unjudged || r.gates() != nil {
		t.Errorf("%s, %v", got, r.gates())
	}
}

// The targets for latency are what was recorded and a margin of 15 %, rounded up to 5 ms, and the stretch is that of the
// periods that each of them is flushed in.
func TestWaitsAreThoseRecorded(t *testing.T) {
	const stepMs = 50
	for _, tt := range []struct {
		waits
		p50, p99, phases float64 // as docs/bench/s9.md, docs/bench/s10.md and docs/bench/s11.md had them
	}{
		{waits15000, 175, 373, 4}, {waits19500, 424, 923, 5}, {waits3000, 71.4, 130, 2}, {waits4000, 130, 2585, 4}, {waits6600, 160, 2968, 4},
	} {
		margin := func(ms float64) float64 { return 5 * math.Ceil(ms*1.15/5) }
		want := waits{margin(tt.p50), margin(tt.p99), 2*tt.phases*stepMs + stepMs}
		if tt.waits != want {
			t.Errorf("%+v, want %+v", tt.waits, want)
		}
	}
}
