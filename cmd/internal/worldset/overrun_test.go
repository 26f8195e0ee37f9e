package worldset

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"muster/internal/metric"
	"muster/sched/ladder"
	"muster/sched/tickstats"
)

// A late tick is blamed on itself only if it took long.
func TestOverrunSaysWhatWasSlow(t *testing.T) {
	for _, c := range []struct {
		step, took time.Duration
		dropped    uint64
		want       string
	}{
		{50 * time.Millisecond, 60 * time.Millisecond, 0, `msg="tick took too long" map=3 tick=9 step=50ms took=60ms dropped=0`},
		{5 * time.Millisecond, 55 * time.Millisecond, 0, `msg="tick took too long" map=3 tick=9 step=5ms took=55ms dropped=0`},
		{5 * time.Millisecond, 45 * time.Millisecond, 0, ""},
		{50 * time.Millisecond, 2 * time.Millisecond, 114, `msg="ticks skipped: nothing ran for a while" map=3 tick=9 step=50ms took=2ms dropped=114`},
	} {
		var log bytes.Buffer
		r := &Set{
			Pacer: ladder.NewPacer(ladder.New(50*time.Millisecond, 2)), Metric: new(metric.Table), Log: slog.New(slog.NewTextHandler(&log, nil)),
		}
		report := r.overrun(tickstats.New(3, "", 5*time.Millisecond, 50*time.Millisecond, nil))
		report(9, c.step, c.took, c.dropped)
		report(10, c.step, c.took, c.dropped)
		if got := log.String(); !strings.Contains(got, c.want) || strings.Count(got, "\n") != min(len(c.want), 1) {
			t.Errorf("logged %q, want %s once", got, c.want)
		}
		if n, dropped := r.Metric.Value("tick.overrun"), r.Metric.Value("tick.dropped"); n != 2 || dropped != 2*c.dropped {
			t.Errorf("counted %d late ticks, and %d dropped", n, dropped)
		}
	}
}
