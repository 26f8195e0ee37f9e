// Package admin serves operators over HTTP, on an address of its own that should be loopback: nobody
// is asked for a password.
//
//	GET /livez   200 and "ok" while the process is alive
package admin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Handler answers every path of the package's list, and 404 to others.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n")
	})
	return mux
}

// Bounds on what one request may take.
const (
	headerTime  = 5 * time.Second
	idleTime    = time.Minute
	headerBytes = 16 << 10
)

// Serve answers requests until ctx ends, closes the listener and returns nil. An error of the listener
// ends it too.
func Serve(ctx context.Context, l net.Listener, log *slog.Logger) error {
	s := &http.Server{
		Handler:           Handler(),
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
