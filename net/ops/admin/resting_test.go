package admin_test

import (
	"strings"
	"testing"
	"time"

	"muster/net/ops/admin"
	"muster/sched/tickstats"
)

// A map that is not stepped says so, beside what is known of its last tick; one whose last tick had a player does not.
func TestRestingMaps(t *testing.T) {
	var all []*tickstats.Stats
	for m, load := range []tickstats.Load{{Players: 1, Awake: 4}, {Creatures: 30, Asleep: 30}} {
		p := tickstats.New(uint32(m), "", 50*time.Millisecond, 50*time.Millisecond, nil)
		p.Start(7)
		p.Finish(7, time.Millisecond, load)
		all = append(all, p)
	}
	c := admin.Config{Realm: "muster", TickStats: append(all, tickstats.New(2, "", 50*time.Millisecond, 50*time.Millisecond, nil))}
	metrics, _ := scrape(t, c)
	answer := ask(server(t, c), "GET", "/api/maps").Body.String()
	for m, want := range []struct{ metric, answer string }{
		{`muster_map_resting{instance="0",map="0",realm="muster",role="serve"} 0`, `"id":0,"name":"","step_ms":50,"tick":7,"resting":false,`},
		{`muster_map_resting{instance="0",map="1",realm="muster",role="serve"} 1`, `"id":1,"name":"","step_ms":50,"tick":7,"resting":true,`},
		{`muster_map_resting{instance="0",map="2",realm="muster",role="serve"} 1`, `"id":2,"name":"","step_ms":50,"tick":0,"resting":true,`},
	} {
		if !strings.Contains(metrics, want.metric+"\n") {
			t.Errorf("map %d: the metrics lack %s", m, want.metric)
		}
		if !strings.Contains(answer, want.answer) {
			t.Errorf("map %d: the answer lacks %s in\n%s", m, want.answer, answer)
		}
	}
}
