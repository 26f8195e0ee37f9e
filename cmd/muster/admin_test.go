package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	answer, err := (&http.Client{Timeout: patience}).Do(r)
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

// A token is asked of everybody for everything but whether the server is well.
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
