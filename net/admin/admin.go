// Package admin serves operators over HTTP, on an address of its own that should be loopback: nobody
// is asked for a password.
//
//	GET /livez   200 and "ok" while the process is alive
//	GET /stats   what it has done so far, as one JSON object
package admin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Handler answers every path of the package's list, and 404 to others. It asks stats, which may be called
// from any goroutine, for what GET /stats tells as JSON.
func Handler(stats func() any) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(stats())
	})
	return mux
}

// Bounds on what one request may take.
const (
	headerTime  = 5 * time.Second
	idleTime    = time.Minute
	headerBytes = 16 << 10
)

// Serve answers requests as Handler does until ctx ends, closes the listener and returns nil. An error of
// the listener ends it too.
func Serve(ctx context.Context, l net.Listener, stats func() any, log *slog.Logger) error {
	s := &http.Server{
		Handler:           Handler(stats),
		ReadTimeout:       headerTime,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
