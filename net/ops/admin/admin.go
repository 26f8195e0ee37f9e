// Package admin serves operators over HTTP.
//
// It listens on loopback without authentication, or it requires a token of every request: as that of
// "Authorization: Bearer", or, for browsers, as the password of any user. Without one only the health of the server
// is served. Another package adds its paths with a Part, under the same access control.
//
//	GET /livez        200 while the process is alive and its worlds are stepped; also /healthz
//	GET /readyz       200 if players can be let in, and why not otherwise, as JSON
//	GET /healthcheck  as /livez, in the words of other servers: {"status":"OK"}
//	GET /metrics      for Prometheus; docs/METRICS.md has them all
//	GET /stats        what it has done so far, as one JSON object
//	GET /api/maps     the worlds, with how long their last ticks took and where it is full
//	GET /api/pace     the present step, and how long each was taken
//	GET /api/sessions players in worlds, a part at a time: ?q=ann&sort=queued&desc=1&from=0&n=100
//	GET /api/sessions/{session}/trace
//	                  the packets of a session, by its id, or of all of an account or character: ?format=text&for=1m
//	GET /api/ticks    the last ticks of a world with the time of each system: ?map=0&ms=10000
//	GET /debug/plan   the systems of a tick in their order
//	GET /debug/flight what the flight recorder remembers, as a file for muster flight
//	GET /debug/pprof/ profiles; samples have the labels map and system, and loop for those of the gateway
package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"muster/internal/metric"
	"muster/sched/ladder"
	"muster/sched/tickstats"
)

// Config is what a server of this package is made of. What is nil or empty is not served.
type Config struct {
	// Address is where it is going to listen. Another address than one of loopback needs a Token.
	Address netip.AddrPort
	// Token is required of every request, if it is not empty. It has at least MinToken bytes.
	Token string

	// Alive is the error of the first thing that has stopped and should not have; nil is healthy. It must
	// not wait.
	Alive func() error
	// Checks are those of GET /readyz, which are made in turn, once in a second at most.
	Checks []Check
	// Stats is the answer to GET /stats as JSON. It is called from any goroutine.
	Stats func() any
	// Parts are paths of others.
	Parts []Part

	// Realm is its name, as a label of all metrics.
	Realm string
	// Role is what the process does for the realm, as another: serve, gateway, worker, login or orchestrate; default serve.
	Role string
	// TickStats are those of the worlds.
	TickStats []*tickstats.Stats
	// Worlds are the TickStats of worlds that come and go, in place of those. It is called from any goroutine.
	Worlds func() []*tickstats.Stats
	// Pacer has the present step, and the time between two flushes.
	Pacer *ladder.Pacer
	// Gate is asked for sessions and packets.
	Gate Gate
	// Traces follows sessions.
	Traces Traces
	// Journal is the state of the journal, zero if there is none. It is nil in a process that has none.
	Journal func() Journal
	// BusLost is how many messages the subscriptions of the bus have lost; nil in a process without one. It is called from any goroutine.
	BusLost func() uint64
	// Assignment is what an orchestrator knows of its realm; nil in other processes. It is called from any goroutine.
	Assignment func() Assignment
	// Plan is the answer to GET /debug/plan: the systems of a tick in their order.
	Plan string
	// PlanOf is the Plan of worlds that come and go, in place of that; "" while there are none. It is called from any goroutine.
	PlanOf func() string
	// Flight writes what GET /debug/flight answers: what the flight recorder remembers, as a bundle.
	Flight func(ctx context.Context, w io.Writer) error
	// Compat adds the gauges of ToCloud9 to GET /metrics.
	Compat bool

	// Metric has what is counted anywhere. It counts what is refused here: admin.bad_token, .locked_out, .bad_host, .cross_origin.
	Metric *metric.Table
	// Log logs addresses that are locked out, and broken connections; default none.
	Log *slog.Logger
}

// A Part is a path that another package serves.
type Part struct {
	Pattern string // as http.ServeMux has it: "GET /api/near"
	Handler http.Handler
}

// MinToken is the least length of a token, in bytes: one that cannot be guessed at the rate that is allowed.
const MinToken = 16

// Bounds on what peers may take.
const (
	headerTime  = 5 * time.Second
	idleTime    = time.Minute
	answerTime  = maxProfile*time.Second + time.Minute // to take an answer in, from its request on; event streams have their own
	headerBytes = 16 << 10
	maxBody     = 64 << 10
	maxConns    = 128 // at a time, event streams among them
)

// A Server answers operators.
type Server struct {
	config    Config
	handler   http.Handler
	readiness readiness
}

// New returns a server that does not listen yet. It fails if its address is open to others and it has no token, or
// if that is too short.
func New(c Config) (*Server, error) {
	switch {
	case c.Token == "" && !c.Address.Addr().IsLoopback():
		return nil, fmt.Errorf("admin: %v is not loopback: it needs a token", c.Address)
	case c.Token != "" && len(c.Token) < MinToken:
		return nil, fmt.Errorf("admin: a token has at least %d bytes", MinToken)
	}
	if c.Role == "" {
		c.Role = "serve"
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Metric.Declare(badToken, lockedOut, badHost, crossOrigin)
	s := &Server{config: c}
	mux := http.NewServeMux()
	s.health(mux)
	s.api(mux)
	s.debug(mux)
	mux.Handle("GET /metrics", metrics(&s.config))
	if c.Stats != nil {
		mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, c.Stats()) })
	}
	for _, p := range c.Parts {
		mux.Handle(p.Pattern, p.Handler)
	}
	s.handler = newAccessControl(&s.config, mux)
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve is the function of that name for this server alone.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return Serve(ctx, l, s, s.config.Log)
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// worlds are the statistics of the worlds that there are now.
func (c *Config) worlds() []*tickstats.Stats {
	if c.Worlds != nil {
		return c.Worlds()
	}
	return c.TickStats
}
