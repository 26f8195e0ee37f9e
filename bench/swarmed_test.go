package bench

import (
	"errors"
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
			"15,000 clients: ": func(f *figures, s *sheet) { f.putRung(s, "15,000 clients: ") },
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
