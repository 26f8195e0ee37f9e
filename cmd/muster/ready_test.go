package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A process is ready or not, as it says itself; one that does not answer, or wants another token, is not.
func TestReady(t *testing.T) {
	const secret = "correct horse battery"
	waits := false
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/readyz" || r.Header.Get("Authorization") != "Bearer "+secret:
			http.Error(w, "a token is needed", http.StatusUnauthorized)
		case waits:
			http.Error(w, "worlds: no worker has map 1", http.StatusServiceUnavailable)
		}
	}))
	defer at.Close()
	asks := func(wantCode int, want string, args ...string) {
		t.Helper()
		code, stdout, stderr := execute(t, nil, append([]string{"ready"}, args...)...)
		if code != wantCode || !strings.Contains(stdout+stderr, want) {
			t.Errorf("%q: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
	asks(exitOK, "ready\n", "--admin", at.URL, "--admin-token", secret)
	asks(exitFailure, "401", "--admin", at.URL)
	waits = true
	asks(exitFailure, "no worker has map 1", "--admin", at.URL, "--admin-token", secret)
	asks(exitUsage, "--within is more than 0", "--admin", at.URL, "--within", "0s")
	at.Close()
	asks(exitFailure, "refused", "--admin", at.URL, "--admin-token", secret)
}
