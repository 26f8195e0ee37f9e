package admin

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
)

// Serve answers requests with a handler, which is a Server or leads to one, until ctx ends, closes the listener and all
// connections, and returns nil. An error of the listener ends it too.
func Serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		WriteTimeout:      answerTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(newTurnstile(l, maxConns)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
