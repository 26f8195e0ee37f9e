package admin

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"
)

// A Check is something that must be well before players can be let in.
type Check struct {
	Name string
	// Test is nil if it is well. It waits no longer than ctx, and is called from any goroutine.
	Test func(ctx context.Context) error
}

// checkTime bounds a Test.
const checkTime = 2 * time.Second

// open are the paths without a token: programs that start servers request them.
var open = []string{"/livez", "/healthz", "/healthcheck", "/readyz"}

func (s *Server) health(mux *http.ServeMux) {
	alive := func(ok string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if s.config.Alive != nil {
				if err := s.config.Alive(); err != nil {
					http.Error(w, "not alive", http.StatusServiceUnavailable)
					return
				}
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			io.WriteString(w, ok)
		}
	}
	mux.HandleFunc("GET /livez", alive("ok\n"))
	mux.HandleFunc("GET /healthz", alive("ok\n"))
	// Source: shared/healthandmetrics, ToCloud9.
	mux.HandleFunc("GET /healthcheck", alive(`{"status":"OK"}`))
	mux.HandleFunc("GET /readyz", s.ready)
}

// A Readiness is what GET /readyz answers.
type Readiness struct {
	Ready  bool     `json:"ready"`
	Checks []Result `json:"checks"`
}

// A Result is that of a Check.
type Result struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"` // for requests with the token, if there is one
}

// readyTime is how long an answer to GET /readyz is valid: it needs no token, and a check may ask a database.
const readyTime = time.Second

// A readiness makes the checks for all callers within readyTime.
type readiness struct {
	mu     sync.Mutex
	made   time.Time
	checks []Result
}

// results are those of all checks. Callers meanwhile wait.
func (r *readiness) results(checks []Check) []Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.made.IsZero() && time.Since(r.made) < readyTime {
		return r.checks
	}
	results := []Result{}
	for _, c := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), checkTime) // that of other callers, too: the first may have gone
		err := c.Test(ctx)
		cancel()
		result := Result{Name: c.Name, OK: err == nil}
		if err != nil {
			result.Error = err.Error()
		}
		results = append(results, result)
	}
	r.checks, r.made = results, time.Now()
	return results
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	answer := Readiness{Ready: true, Checks: []Result{}}
	for _, result := range s.readiness.results(s.config.Checks) {
		answer.Ready = answer.Ready && result.OK
		if !trusted(r) {
			result.Error = ""
		}
		answer.Checks = append(answer.Checks, result)
	}
	w.Header().Set("Content-Type", "application/json")
	if !answer.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	json.NewEncoder(w).Encode(answer)
}
