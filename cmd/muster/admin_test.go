package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/net/ops/admin"
)

// alone is a client that leaves no connection behind.
var alone = &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}

// ask asks the admin address for a path, with a token or without.
func (s *served) ask(path, token string) (status int, body string) {
	s.t.Helper()
	r, err := http.NewRequest("GET", "http://"+s.admin+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := alone.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

const ready = `{"ready":true,"checks":[{"name":"store","ok":true},{"name":"journal","ok":true},{"name":"worlds","ok":true}]}` + "\n"

// Every request needs a token, except that for the health of the server.
func TestAdminToken(t *testing.T) {
	const secret = "correct horse battery"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\nnot this\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range [][]string{{"--admin-token", secret}, {"--admin-token-file", file}} {
		s := serve(t, append(given, "--creatures", "0")...)
		for _, c := range []struct {
			path, token string
			status      int
			body        string
		}{
			{"/livez", "", 200, "ok\n"},
			{"/readyz", "", 200, ready},
			{"/stats", "", 401, "a token is needed\n"},
			{"/stats", secret + "!", 401, "a token is needed\n"},
			{"/stats", secret, 200, `{"gate":`},
		} {
			if status, body := s.ask(c.path, c.token); status != c.status || !strings.HasPrefix(body, c.body) {
				t.Errorf("%s: %s with %q: %d %q, want %d %q", given[0], c.path, c.token, status, body, c.status, c.body)
			}
		}
		if strings.Contains(s.stderr(), secret) {
			t.Error("the token is in the log")
		}
		s.stop(os.Interrupt, 1)
	}
}

// A server that has had a player exports every family of metrics, and profiles with labels.
func TestMetricsOfAServer(t *testing.T) {
	s := serve(t, "--creatures", "1000", "--compat-tc9-metrics")
	code, _, stderr := execute(t, nil, "swarm", "--auth", s.auth, "--accounts", "SCRAPE", "--password", defaultPassword,
		"--clients", "2", "--behaviour", "walk", "--duration", "2s")
	if code != exitOK {
		t.Fatal(stderr)
	}
	r, err := http.NewRequest("GET", "http://"+s.admin+"/stats", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example" // is counted
	answer, err := alone.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 403 {
		t.Errorf("another name is answered %s", answer.Status)
	}
	var scraped string
	eventually(t, "both have gone", func() bool {
		_, scraped = s.ask("/metrics", "")
		return strings.Contains(scraped, `muster_sessions_closed_total{realm="muster",reason="peer",role="serve"} 2`)
	})
	for _, f := range admin.ServerFamilies {
		if !strings.Contains(scraped, "# TYPE "+f.Name+" "+f.Type+"\n") {
			t.Errorf("%s is not exported", f.Name)
		}
	}
	for _, want := range []string{
		`muster_packets_total{dir="in",opcode="CMSG_PLAYER_LOGIN",realm="muster",role="serve"} 2`,
		`muster_auth_attempts_total{realm="muster",result="ok",role="serve"} 2`,
		`muster_tick_system_seconds_bucket{instance="0",map="0",realm="muster",role="serve",system="movement",le="1"}`,
		`muster_players{instance="0",map="0",realm="muster",role="serve"} `,
		`muster_sessions_closed_total{realm="muster",reason="peer",role="serve"} 2`,
		`muster_events_total{realm="muster",reason="admin.bad_host",role="serve"} 1`,
		`delay_max{realm="muster",role="serve"}`, `go_goroutines{realm="muster",role="serve"} `, `process_open_fds{realm="muster",role="serve"} `,
	} {
		if !strings.Contains(scraped, want) {
			t.Errorf("%s is not exported", want)
		}
	}
	if _, plan := s.ask("/debug/plan", ""); !strings.HasPrefix(plan, "Take\n  intake") {
		t.Errorf("the plan is %q", plan)
	}
	if _, maps := s.ask("/api/maps", ""); !strings.HasPrefix(maps, `[{"id":0,"name":`) {
		t.Errorf("the maps are %s", maps)
	}
	if status, profiles := s.ask("/debug/pprof/goroutine?debug=1", ""); status != 200 || !strings.Contains(profiles, `labels: {"map":"0"}`) {
		t.Errorf("%d: no goroutine has the label of a map", status)
	}
}
