package swarm

import (
	"bytes"
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// sampled is which of 101 clients are verified after a second with so many relays.
func sampled(t *testing.T, seed, relays uint64, behaviour Behaviour) (chosen []int, s *Sample) {
	t.Helper()
	config := Config{Clients: 101, Seed: seed, Behaviour: behaviour}.withDefaults()
	r, err := newRun(config, netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for range 2 { // and a second one changes nothing
		r.now += moment(time.Second)
		r.gauge.relays = relays
		r.gaugeRelays()
	}
	for i := range r.clients {
		if !r.clients[i].framed {
			chosen = append(chosen, i)
		}
	}
	return chosen, r.report.Sample
}

// Five million relays a second are decoded, for all. With one more there is a sample of a tenth, rounded up, that
// the seed decides.
func TestSampleBySeed(t *testing.T) {
	if chosen, s := sampled(t, 1, 5e6, Crowd); len(chosen) != 101 || s != nil {
		t.Errorf("5 million: %d are verified, %+v", len(chosen), s)
	}
	if chosen, s := sampled(t, 1, 9e6, Grind); len(chosen) != 101 || s != nil {
		t.Errorf("grind: %d are verified, %+v", len(chosen), s)
	}
	first, s := sampled(t, 1, 5e6+1, Crowd)
	if len(first) != 11 || s == nil || *s != (Sample{Clients: 11, FromMs: 1000, Relays: 5e6 + 1}) {
		t.Errorf("5 million and one: %v are verified, %+v", first, s)
	}
	again, _ := sampled(t, 1, 9e6, Crowd)
	other, _ := sampled(t, 2, 9e6, Crowd)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("seed 1 chooses %v and %v, seed 2 %v", first, again, other)
	}
}

// A swarm that reads its clients a quarter of a second late for three seconds on end verifies a sample when there are many
// relays, and not when there are few: then something else is the matter.
func TestSampleOfTheLate(t *testing.T) {
	const quarter = 250 * time.Millisecond
	for _, c := range []struct {
		relays  uint64
		late    []time.Duration // in each second
		sampled bool
	}{
		{2_500_000, []time.Duration{time.Second, time.Second, time.Second, time.Second}, false},
		{2_500_001, []time.Duration{quarter, quarter, quarter}, true},
		{2_500_001, []time.Duration{quarter, quarter}, false},
		{2_500_001, []time.Duration{quarter, quarter, quarter - 1, quarter, quarter}, false},
		{4_000_000, []time.Duration{quarter - 1, quarter - 1, quarter - 1}, false},
	} {
		r, err := newRun(Config{Clients: 101, Behaviour: Crowd}.withDefaults(), netip.AddrPort{})
		if err != nil {
			t.Fatal(err)
		}
		for i, late := range c.late {
			second := moment(i) * moment(time.Second)
			r.behind.turn(second, second)
			r.behind.turn(second, second) // at once: what is ready may have been since the turn before
			r.now = second + moment(late)
			r.noteBehind()
			r.now = second + moment(time.Second)
			r.behind.turn(second, r.now) // it had to wait: that has only just come
			r.noteBehind()
			r.gauge.relays = c.relays
			r.gaugeRelays()
		}
		s := r.report.Sample
		if (s != nil) != c.sampled || c.sampled && (s.Clients != 11 || s.Behind != 250) {
			t.Errorf("%d relays, late by %v: %+v", c.relays, c.late, s)
		}
		r.close()
	}
}

// Those that are not in the sample still answer, and are counted as what they are: a server that echoes is caught by
// those that are.
func TestSample(t *testing.T) {
	t.Parallel()
	const n = 21
	run := func(above float64, m misdeed) (Report, *server) {
		s := newServer(t, m)
		config := quick(s, n)
		config.Duration, config.SampleAbove = 3*time.Second, above
		report, _ := Run(context.Background(), config)
		s.close()
		return report, s
	}
	report, s := run(1, misdeed{})
	if p := report.Sample; p == nil || p.Clients != 3 || report.Verified != 3 || p.Framed == 0 || p.Relays <= 1 {
		t.Errorf("sample %+v", p)
	}
	if report.InWorld != (InWorld{n, n}) || report.Lost.Total != 0 || report.Violations.Total != 0 || report.Ping.Count == 0 {
		t.Errorf("%+v", report)
	}
	if report.In.Packets > s.sentPackets.Load() || report.In.Packets < report.Sample.Framed+uint64(report.Movement.Count)-report.Unrelayed {
		t.Errorf("in %+v, %d framed, %d decoded, the server sent %d", report.In, report.Sample.Framed, report.Movement.Count, s.sentPackets.Load())
	}
	var text bytes.Buffer
	if report.WriteText(&text); !strings.Contains(text.String(), "sampled     3 of 21 clients verified from ") {
		t.Errorf("the report says nothing of it:\n%s", &text)
	}
	some, s := run(1, misdeed{echo: true})
	someMoves := s.moves[0xEE] + s.moves[0xB7]
	all, s := run(5e6, misdeed{echo: true})
	allMoves := s.moves[0xEE] + s.moves[0xB7] // a slow machine sends fewer in the same time
	if some.Violations.Total == 0 || all.Sample != nil ||
		float64(some.Violations.Total)/float64(someMoves) >= float64(all.Violations.Total)/float64(allMoves) {
		t.Errorf("%d violations of %d moves are seen by some, %d of %d by all", some.Violations.Total, someMoves, all.Violations.Total, allMoves)
	}
}
