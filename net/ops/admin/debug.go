package admin

import (
	"bytes"
	"io"
	"net/http"
	"net/http/pprof"
	"time"
)

// ms is a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// maxProfile bounds how long a profile or a trace takes, in seconds.
const maxProfile = 120

func (s *Server) debug(mux *http.ServeMux) {
	bounded := func(do http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if _, ok := number(w, r, "seconds", 0, maxProfile); ok {
				do(w, r)
			}
		}
	}
	mux.HandleFunc("GET /debug/pprof/", bounded(pprof.Index))
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", bounded(pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", bounded(pprof.Trace))
	if s.config.Flight != nil {
		mux.HandleFunc("GET /debug/flight", func(w http.ResponseWriter, r *http.Request) {
			var b bytes.Buffer
			if err := s.config.Flight(r.Context(), &b); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Disposition", `attachment; filename="flight.zip"`)
			w.Write(b.Bytes())
		})
	}
	if s.config.Plan != "" || s.config.PlanOf != nil {
		mux.HandleFunc("GET /debug/plan", func(w http.ResponseWriter, r *http.Request) {
			plan := s.config.Plan
			if s.config.PlanOf != nil {
				plan = s.config.PlanOf()
			}
			if plan == "" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			io.WriteString(w, plan)
		})
	}
}
