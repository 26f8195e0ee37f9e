package page

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"muster/sched/tickstats"
)

// Events of a map that is not stepped say so.
func TestEventsOfARestingMap(t *testing.T) {
	f := newFixture(t, nil, some)
	r := f.request(t, "GET", watch, "")
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, MaxEvent)
	next := func() string {
		t.Helper()
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return text
			}
		}
		t.Fatalf("no more events: %v", lines.Err())
		return ""
	}
	if got := next(); !strings.Contains(got, `"ticks":[],"seconds":[],"second":-1,"resting":true,"tick":7,`) {
		t.Errorf("before the first tick: %s", got)
	}
	stats := f.config.Worlds[0].Stats
	stats.Start(8)
	stats.Finish(8, time.Millisecond, tickstats.Load{Players: 1})
	for got := next(); ; got = next() { // one may have been asked for before
		if !strings.Contains(got, "[8,1,1000]") {
			continue
		}
		if strings.Contains(got, "resting") {
			t.Errorf("with a player: %s", got)
		}
		break
	}
}
