package main

import (
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestFaultAdmin is the rest of fault row 40: requests that another site in a browser on this machine could make, and
// guesses of the token.
func TestFaultAdmin(t *testing.T) {
	const token = "0123456789abcdef"
	s := serve(t, "--ephemeral", "--creatures", "0")
	refused := 0
	for _, c := range []struct {
		method, path string
		change       func(*http.Request)
	}{
		{"GET", "/", rebound}, {"GET", "/stats", rebound}, {"GET", "/metrics", rebound}, {"GET", "/api/maps", rebound},
		{"GET", "/debug/pprof/heap", rebound}, {"GET", "/debug/plan", rebound}, {"POST", "/api/clock", rebound},
		{"POST", "/api/clock", func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") }},
		{"POST", "/api/clock", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
	} {
		r, err := http.NewRequest(c.method, "http://"+s.admin+c.path, strings.NewReader(`{"do":"pause"}`))
		if err != nil {
			t.Fatal(err)
		}
		c.change(r)
		answer, err := (&http.Client{Timeout: patience}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s %s for another site: %s", c.method, c.path, answer.Status)
		}
		refused++
	}
	for _, path := range []string{"/../../etc/passwd", "/debug/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"} {
		if status, body := s.ask(path, ""); status == 200 && strings.Contains(body, "root:") {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
	guessed := serve(t, "--ephemeral", "--creatures", "0", "--admin-token", token)
	tries, admitted := 0, 0
	for ; tries < 100; tries++ {
		if status, _ := guessed.ask("/stats", "guess-"+strings.Repeat("x", tries)); status == 200 {
			admitted++
		}
	}
	if status, _ := guessed.ask("/stats", token); admitted > 0 || status != http.StatusTooManyRequests {
		t.Errorf("%d guesses were right, and after all of them the token itself is answered with %d", admitted, status)
	}
	reports(t, 40, "%d requests for other sites and %d guesses refused", refused, tries)
}

// rebound is a request of a page that has given its own name the address of this machine.
func rebound(r *http.Request) { r.Host = "rebound.example:80" }

// TestFaultLittleMemory is the last part of fault row 41: with less memory than it would like, the server collects
// garbage more often, and ends as ever.
func TestFaultLittleMemory(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "40MiB")
	s := serve(t, "--creatures", "2000")
	v := visit(t, s, "THRIFTY")
	v.create("Thrifty")
	v.move(v.enter())
	s.stop(os.Signal(syscall.SIGTERM), 1)
	if log := s.stderr(); !strings.Contains(log, "msg=stopped") || strings.Contains(log, "panic") {
		t.Errorf("it ended with\n%s", log)
	}
	reports(t, 41, "exit code 0 with GOMEMLIMIT=40MiB")
}
