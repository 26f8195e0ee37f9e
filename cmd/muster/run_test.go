package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"muster/net/ops/control"
)

// ran runs until a condition holds.
func (s *served) ran(body string) (r control.Ran) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.must("POST", "/api/run", body)), &r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// Runs on a virtual clock take the steps themselves while it stands, and wait while it runs.
func TestRuns(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--clock", "virtual", "--tick", "50ms")
	s.must("POST", "/api/clock", `{"do":"run","speed":1}`)
	v := visit(t, s, "ANNA")
	v.create("Anna")
	at := v.enter()
	x, y := at.Position.X, at.Position.Y
	began := s.turned(`{"do":"pause"}`).NowMs

	// The first step at which it holds, and no further.
	r := s.ran(fmt.Sprintf(`{"until":"time >= %d"}`, began+12_001))
	if r.NowMs != began+12_050 || r.RanMs != 12_050 || len(r.Values) != 1 || r.Values[0] != (control.Value{Name: "time", Value: fmt.Sprint(r.NowMs)}) {
		t.Errorf("12 s after %d it has run to %+v", began, r)
	}
	if c := s.turned(`{"do":"pause"}`); c.NowMs != r.NowMs || c.Speed != 0 || c.Steps != 0 {
		t.Errorf("after that the clock is %+v", c)
	}
	if r := s.ran(`{"until":"session(\"anna\").online && session(\"Bert\").online == false"}`); r.RanMs != 0 {
		t.Errorf("what holds already takes %d ms", r.RanMs)
	}
	status, text := s.call("POST", "/api/run", `{"until":"session(\"Anna\").level >= 2 && time > 0","limit_ms":1000}`)
	want := fmt.Sprintf(`{"error":"the condition did not hold within 1000 ms: session(\"Anna\").level is 1, time is %[1]d","reason":"limit",`+
		`"values":[{"name":"session(\"Anna\").level","value":"1"},{"name":"time","value":"%[1]d"}]}`, r.NowMs+1000)
	if status != http.StatusConflict || strings.TrimSpace(text) != want {
		t.Errorf("%d %s\nwant %s", status, text, want)
	}

	// What others do meanwhile is noticed.
	done := make(chan control.Ran, 1)
	go func() {
		var r control.Ran
		status, text := s.call("POST", "/api/run", `{"until":"session(\"Anna\").level == 20 && event(\"level\", \"Anna\") == 1 && event(\"kill\") == 0","limit_ms":3600000}`)
		if status != http.StatusOK || json.Unmarshal([]byte(text), &r) != nil {
			t.Errorf("%d %s", status, text)
		}
		done <- r
	}()
	stood := s.turned(`{"do":"step","steps":1}`).NowMs // the run may not have begun yet
	eventually(t, "it takes steps", func() bool {
		var c clockAnswer
		return json.Unmarshal([]byte(s.must("GET", "/api/clock", "")), &c) == nil && c.NowMs > stood
	})
	s.must("POST", "/api/characters/anna/level", `{"level":20}`)
	if r := <-done; len(r.Values) != 3 || r.Values[0].Value != "20" || r.RanMs == 0 {
		t.Errorf("it has run until %+v", r)
	}
	if text := s.must("GET", "/api/sessions", ""); !strings.Contains(text, `"level":20,`) {
		t.Errorf("the sessions have another level: %s", text)
	}
	if c := s.after("POST", "/api/characters/anna/power", `{"power":"rage","amount":30}`); c.Power[1] <= 250 || c.Power[1] > 300 { // it decays
		t.Errorf("30 rage are %d", c.Power[1])
	}
	s.refuses("POST", "/api/characters/anna/power", `{"power":"luck","amount":30}`, 400, "malformed")
	spells, auras := s.state("anna").Spells, 0
	for _, spell := range spells { // of which at least one has auras
		if status, _ := s.call("POST", "/api/characters/anna/auras", fmt.Sprintf(`{"spell":%d}`, spell)); status == http.StatusOK && len(s.state("anna").Auras) > auras {
			auras = len(s.state("anna").Auras)
			s.ran(fmt.Sprintf(`{"until":"session(\"Anna\").aura(%d) == 1 && session(\"Anna\").spell(%d)","limit_ms":1}`, spell, spell))
		}
	}
	if auras == 0 {
		t.Errorf("none of the spells %v puts an aura on Anna", spells)
	}
	if c := s.after("PUT", "/api/characters/anna/money", `{"copper":70}`); c.Money != 70 {
		t.Errorf("of 70 copper Anna has %d", c.Money)
	}
	if c := s.after("PUT", "/api/characters/anna/money", `{"copper":3}`); c.Money != 3 {
		t.Errorf("of 3 copper Anna has %d", c.Money)
	}

	// Beside her there is a creature. It does not move while the clock stands.
	var wolf control.CreatureGUID
	if err := json.Unmarshal([]byte(s.must("POST", "/api/creatures", fmt.Sprintf(`{"entry":111,"map":%d,"x":%f,"y":%f,"z":%f}`, at.Map, x+3, y, at.Position.Z))), &wolf); err != nil {
		t.Fatal(err)
	}
	var is control.CreatureState
	if err := json.Unmarshal([]byte(s.must("GET", "/api/creatures/"+wolf.GUID, "")), &is); err != nil ||
		is.GUID != wolf.GUID || is.Entry != 111 || is.Map != at.Map || !is.Alive || is.Level == 0 || is.X != x+3 {
		t.Errorf("the creature is %+v, %v", is, err)
	}
	near := func(radius float32) string {
		return s.must("GET", fmt.Sprintf("/api/creatures?map=%d&near=%f,%f,%f&limit=1", at.Map, x, y, radius), "")
	}
	if text := near(4); !strings.Contains(text, wolf.GUID) {
		t.Errorf("near Anna there is %s", text)
	}
	if text := near(2); strings.Contains(text, wolf.GUID) {
		t.Errorf("still nearer there is %s", text)
	}
	if text := near(4); !strings.Contains(text, `"more":false`) {
		t.Errorf("one of one is %s", text)
	}
	other := s.must("POST", "/api/creatures", fmt.Sprintf(`{"entry":111,"map":%d,"x":%f,"y":%f,"z":%f}`, at.Map, x+3, y+1, at.Position.Z))
	if text := near(4); !strings.Contains(text, wolf.GUID) || !strings.Contains(text, `"more":true`) {
		t.Errorf("one of two is %s", text)
	}
	var made control.CreatureGUID
	if err := json.Unmarshal([]byte(other), &made); err != nil {
		t.Fatal(err)
	}
	s.must("DELETE", "/api/creatures/"+made.GUID, "")
	for _, bad := range []string{"1,2", "1,2,3,4", "1,2,x", "1,2,0", "NaN,2,3"} {
		s.refuses("GET", fmt.Sprintf("/api/creatures?map=%d&near=%s", at.Map, bad), "", 400, "malformed")
	}
	s.refuses("GET", "/api/creatures?map=0&limit=1001", "", 400, "malformed")
	s.refuses("GET", "/api/creatures/0xf130ffffffffffff", "", 404, "no_creature")
	s.refuses("GET", "/api/creatures/wolf", "", 400, "malformed")

	// A clock that runs goes on; one that is stopped ends what waits for it. There are 8 at most.
	s.must("POST", "/api/clock", `{"do":"run","speed":20}`)
	due := s.turned(`{"do":"run","speed":20}`).NowMs + 1000
	if r := s.ran(fmt.Sprintf(`{"until":"time >= %d"}`, due)); r.NowMs < due {
		t.Errorf("it ends at %d, want %d", r.NowMs, due)
	}
	if c := s.turned(`{"do":"run","speed":1}`); c.EndedSteps != 0 || c.Speed != 1 {
		t.Errorf("after the run the clock is %+v", c)
	}
	for range 8 {
		go func() {
			for { // the one below may have taken its place
				if status, _ := s.call("POST", "/api/run", `{"until":"players > 5","limit_ms":3600000}`); status != http.StatusTooManyRequests {
					break
				}
			}
			done <- control.Ran{}
		}()
	}
	eventually(t, "all places are taken", func() bool {
		status, text := s.call("POST", "/api/run", `{"until":"false","limit_ms":1}`)
		return status == http.StatusTooManyRequests && strings.Contains(text, `"reason":"busy"`)
	})
	s.must("POST", "/api/clock", `{"do":"pause"}`)
	for range 8 {
		<-done
	}
	if text := s.must("GET", "/metrics", ""); !strings.Contains(text, `muster_control_refused_total{realm="muster",reason="stopped",role="serve"} 8`) {
		t.Errorf("runs were not ended by the stop of the clock: %s", text)
	}
	for _, body := range []string{`{"until":"time ="}`, `{"until":"time","limit_ms":3600001}`, `{"until":"time","limit_ms":-1}`, `{}`, `{"until":"true","after":99999}`} {
		s.refuses("POST", "/api/run", body, 400, "malformed")
	}
	s.stop(syscall.SIGTERM, 1)
}
