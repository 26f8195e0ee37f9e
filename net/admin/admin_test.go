package admin_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"muster/net/admin"
)

func stats() any { return map[string]int{"flushes": 7} }

func TestHandler(t *testing.T) {
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/livez", 200, "ok\n"},
		{"GET", "/stats", 200, `{"flushes":7}` + "\n"},
		{"POST", "/livez", 405, "Method Not Allowed\n"},
		{"GET", "/", 404, "404 page not found\n"},
	} {
		w := httptest.NewRecorder()
		admin.Handler(stats).ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, w.Code, w.Body, c.status, c.body)
		}
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- admin.Serve(ctx, l, stats, slog.New(slog.DiscardHandler)) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + l.Addr().String() + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || string(body) != "ok\n" {
		t.Errorf("%q, %v", body, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("the listener is still open")
	}
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := admin.Serve(t.Context(), l, stats, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a closed listener served")
	}
}
