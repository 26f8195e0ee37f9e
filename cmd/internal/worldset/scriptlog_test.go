package worldset

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"muster/internal/metric"
	"muster/systems/smartai"
)

// Scripts that have more to do than they may are logged, one line in ten seconds, with all that has been counted meanwhile.
func TestScriptLog(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	var l scriptLog
	var counters metric.Table
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for s := range 25 { // a second each
		switch {
		case s >= 3 && s < 20:
			counters.Add(smartai.Late, 2)
		case s == 20:
			counters.Count(smartai.Dropped)
		}
		l.look(began.Add(time.Duration(s)*time.Second), &counters, log)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		_, what, _ := strings.Cut(line, "tick\" ")
		got = append(got, strings.TrimSpace(what))
	}
	want := "waited=2 dropped=0|waited=20 dropped=0|waited=12 dropped=1"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
