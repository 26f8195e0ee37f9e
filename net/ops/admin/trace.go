package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"muster/net/gateway"
	"muster/net/protocol/trace"
)

// Traces follows sessions. *gateway.Gate does.
type Traces interface {
	Trace(ctx context.Context, of string) (*gateway.Trace, error)
}

// traceTime is how long a reader of a trace may take to take in what there is.
const traceTime = 10 * time.Second

var traceTypes = map[string]string{
	trace.Text: "text/plain; charset=utf-8", trace.JSON: "application/jsonl", trace.Pcapng: "application/x-pcapng",
}

// trace sends the packets of a session until it ends, the time is up, or the reader disconnects.
func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	format := query.Get("format")
	if format == "" {
		format = trace.Text
	}
	to := trace.NewWriter(format, w)
	if to == nil {
		http.Error(w, "format is text, json or pcapng", http.StatusBadRequest)
		return
	}
	var limit time.Duration
	if text := query.Get("for"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil || limit <= 0 {
			http.Error(w, "for is a time, as in 30s", http.StatusBadRequest)
			return
		}
	}
	t, err := s.config.Traces.Trace(r.Context(), r.PathValue("session"))
	switch {
	case errors.Is(err, gateway.ErrNoSession):
		http.Error(w, "no such session", http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer t.Close()
	ctx := r.Context()
	if limit > 0 { // from here on: to begin may take as long
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	s.config.Log.Info("admin: a session is traced", "session", r.PathValue("session"), "by", r.RemoteAddr)
	w.Header().Set("Content-Type", traceTypes[format])
	out := http.NewResponseController(w)
	for {
		out.SetWriteDeadline(time.Now().Add(traceTime))
		if out.Flush() != nil {
			return
		}
		packets, err := t.Next(ctx)
		out.SetWriteDeadline(time.Now().Add(traceTime))
		if err != nil {
			return
		}
		for i := range packets {
			if to.Write(&packets[i]) != nil {
				return
			}
		}
		if ctx.Err() != nil { // there may always be more
			return
		}
	}
}
