package swarm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// What a run can have come to, as Report.Err and Run return it, joined.
var (
	ErrViolations = errors.New("swarm: the server broke the protocol")
	ErrBreached   = errors.New("swarm: an objective was missed")
	ErrLogins     = errors.New("swarm: clients could not log in")
	ErrLost       = errors.New("swarm: clients lost their session")
	ErrBlind      = errors.New("swarm: clients moved, and none was shown another's move")
)

// Report is what one run measured. Field names of its JSON are stable: fields are added, never renamed.
//
// "Measured" is the time from the end of the ramp, when every client is in the world or has failed, to the end.
type Report struct {
	Auth      string    `json:"auth"`      // address of the login server
	Behaviour Behaviour `json:"behaviour"` // what the clients did
	Clients   int       `json:"clients"`   // asked for
	Ramp      float64   `json:"ramp"`      // logins begun per second
	Seed      uint64    `json:"seed"`      // of the clients' walks
	Start     time.Time `json:"start"`     // when the run began
	RampMs    float64   `json:"ramp_ms"`   // from then to the begin of the measured time
	MeasureMs float64   `json:"measure_ms"`

	Logins  Logins  `json:"logins"`
	InWorld InWorld `json:"in_world"`
	Lost    Reasons `json:"lost"` // sessions that ended, once in the world, without being asked to

	Movement  Latency `json:"movement"`  // measured time; from the moment A's move was due to B's read of its relay
	Login     Latency `json:"login"`     // whole run; from the moment the login was due to the client's own CREATE
	Unmatched uint64  `json:"unmatched"` // relays of moves older than half a minute, or changed; in Movement as ten minutes
	Ping      Latency `json:"ping"`      // whole run; from the moment CMSG_PING was due to the read of SMSG_PONG

	// What had not come when the run ended is in Movement and Ping with as long as it had waited.
	Unrelayed  uint64 `json:"unrelayed"`  // relays to come of moves that no client had been shown
	Unanswered uint64 `json:"unanswered"` // pings

	// Behind is the swarm's own part of the latencies, at most: how long what a read of a client took may have lain
	// there, in the measured time.
	Behind Latency `json:"behind"`

	Blind   bool   `json:"blind"`              // several clients moved for a while, and no relay was read; of those that go apart, although one knew another
	BlindTo string `json:"blind_to,omitempty"` // one that moved then

	Harvest *Harvest `json:"harvest,omitempty"` // of Grind
	Trades  *Trades  `json:"trades,omitempty"`  // of Trade

	Memory Memory `json:"memory"` // of the server, in the measured time

	ServerPercent float64 `json:"server_percent"` // processor time of the server's processes in the measured time, of a core

	Processor Processor `json:"processor"` // of the swarm itself, in the measured time

	In  Traffic `json:"in"`  // from the world server, headers included
	Out Traffic `json:"out"` // to the world server, headers included

	Sample *Sample `json:"sampled,omitempty"` // nil if all clients were verified throughout

	// Verified is how many clients have been verified throughout: all, or those of Sample.
	Verified   int        `json:"verified"`
	Violations Violations `json:"violations"` // whole run
	Notes      Violations `json:"notes"`      // what public servers do and real clients bear; whole run, nothing if Strict
	Objectives []Outcome  `json:"objectives"`
}

// Logins says how the clients got in.
type Logins struct {
	OK      int     `json:"ok"`
	Retried int     `json:"retried"` // proofs refused and tried again, at most three times per client
	Queued  int     `json:"queued"`  // clients that waited in a queue
	Failed  Reasons `json:"failed"`  // clients that did not get in
}

// InWorld is how many clients were in the world.
type InWorld struct {
	Least int `json:"least"` // at any moment of the measured time
	End   int `json:"end"`
}

// Reasons counts by reason.
type Reasons struct {
	Total    int            `json:"total"`
	ByReason map[string]int `json:"by_reason"`
}

func newReasons() Reasons { return Reasons{ByReason: make(map[string]int)} }

func (r *Reasons) count(reason string) {
	r.ByReason[reason]++
	r.Total++
}

// Latency sums up one histogram. Times are milliseconds; all are zero if Count is.
type Latency struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean_ms"`
	Min   float64 `json:"min_ms"`
	P50   float64 `json:"p50_ms"`
	P90   float64 `json:"p90_ms"`
	P99   float64 `json:"p99_ms"`
	P999  float64 `json:"p999_ms"`
	Max   float64 `json:"max_ms"`
}

// Traffic counts what crossed the world sockets one way.
type Traffic struct {
	Packets          uint64  `json:"packets"` // whole run
	Bytes            uint64  `json:"bytes"`   // whole run
	PacketsPerSecond float64 `json:"packets_per_second"`
	BytesPerSecond   float64 `json:"bytes_per_second"` // like the packets, over the measured time
}

// Violations is what the clients' checkers counted; the kinds are those of internal/conformance.
type Violations struct {
	Total  uint64            `json:"total"`
	ByKind map[string]uint64 `json:"by_kind"`
	Rules  map[string]Rule   `json:"rules"`           // of each kind that was counted
	First  []string          `json:"first,omitempty"` // the first few, in words
}

// A Rule is what a server that is counted under a kind has not kept.
type Rule struct {
	Rule   string `json:"rule"`   // in a sentence
	Source string `json:"source"` // why it is one
}

func newViolations() Violations {
	return Violations{ByKind: make(map[string]uint64), Rules: make(map[string]Rule)}
}

// write writes each kind with its rule, and the first few in words.
func (v *Violations) write(row func(name, format string, args ...any)) {
	for _, kind := range slices.Sorted(maps.Keys(v.ByKind)) {
		row("", "%s: %d", kind, v.ByKind[kind])
		row("", "  rule: %s", v.Rules[kind].Rule)
		row("", "  source: %s", v.Rules[kind].Source)
	}
	for _, text := range v.First {
		row("", "%s", text)
	}
}

// Outcome is one objective and whether it was met. An objective over nothing is not met.
type Outcome struct {
	Objective string  `json:"objective"` // as ParseSLO reads it
	Ms        float64 `json:"ms"`        // what was measured
	Met       bool    `json:"met"`
}

// Err is nil after a clean run, else it wraps every one of ErrViolations, ErrBreached, ErrLogins, ErrLost, ErrUnbalanced and
// ErrBlind that applies.
func (r *Report) Err() error {
	var all []error
	if n := r.Violations.Total; n > 0 {
		all = append(all, fmt.Errorf("%w %d times", ErrViolations, n))
	}
	for _, o := range r.Objectives {
		if !o.Met {
			all = append(all, fmt.Errorf("%w: %s, measured %.1f ms", ErrBreached, o.Objective, o.Ms))
		}
	}
	if n := r.Logins.Failed.Total; n > 0 {
		all = append(all, fmt.Errorf("%w: %d", ErrLogins, n))
	}
	if n := r.Lost.Total; n > 0 {
		all = append(all, fmt.Errorf("%w: %d", ErrLost, n))
	}
	if t := r.Trades; t != nil && t.Unbalanced.Total > 0 {
		all = append(all, fmt.Errorf("%w: %v", ErrUnbalanced, t.Unbalanced))
	}
	if r.Blind {
		all = append(all, fmt.Errorf("%w: %s", ErrBlind, r.BlindTo))
	}
	return errors.Join(all...)
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("swarm", "%d clients, %s, at %s, %.4g logins/s, seed %d", r.Clients, r.Behaviour, r.Auth, r.Ramp, r.Seed)
	row("time", "ramp %.1f s, measured %.1f s", r.RampMs/1e3, r.MeasureMs/1e3)
	row("logins", "%d ok, %d retried, %s failed", r.Logins.OK, r.Logins.Retried, r.Logins.Failed)
	if r.Logins.Queued > 0 {
		row("", "%d waited in a queue", r.Logins.Queued)
	}
	row("in world", "at least %d, %d at the end, %s lost", r.InWorld.Least, r.InWorld.End, r.Lost)
	row("login", "%s", r.Login)
	row("movement", "%s", r.Movement)
	if r.Unmatched > 0 {
		row("", "%d relays match no move of the last half minute, and count as ten minutes", r.Unmatched)
	}
	if r.Unrelayed > 0 {
		row("", "%d relays had not come at the end, and count as long as they had waited", r.Unrelayed)
	}
	row("ping", "%s", r.Ping)
	if r.Unanswered > 0 {
		row("", "%d pings had not been answered at the end, and count as long as they had waited", r.Unanswered)
	}
	row("behind", "%s, at most, of each read", r.Behind)
	if r.Harvest != nil {
		r.Harvest.write(row)
	}
	if r.Trades != nil {
		r.Trades.write(row)
	}
	row("in", "%s", r.In)
	row("out", "%s", r.Out)
	if r.Processor.Percent > 0 {
		row("processor", "%v", r.Processor)
	}
	if r.Memory.Most > 0 {
		row("memory", "%v", r.Memory)
		row("server", "%.1f %% of a core", r.ServerPercent)
	}
	if s := r.Sample; s != nil {
		row("sampled", "%d of %d clients verified from %.1f s on, when %.3g relays/s came, and were read %.0f ms late; %d packets of the others framed and counted",
			s.Clients, r.Clients, s.FromMs/1e3, s.Relays, s.Behind, s.Framed)
	}
	row("violations", "%d, %d of %d clients verified throughout", r.Violations.Total, r.Verified, r.Clients)
	r.Violations.write(row)
	if r.Notes.Total > 0 {
		row("notes", "%d, of what real clients bear", r.Notes.Total)
		r.Notes.write(row)
	}
	for _, o := range r.Objectives {
		verdict := "met"
		if !o.Met {
			verdict = "MISSED"
		}
		row("objective", "%s: %.1f ms, %s", o.Objective, o.Ms, verdict)
	}
	return t.Flush()
}

// String is the total, with the reasons in brackets.
func (r Reasons) String() string {
	if r.Total == 0 {
		return "0"
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(r.ByReason)) {
		parts = append(parts, fmt.Sprintf("%s: %d", reason, r.ByReason[reason]))
	}
	return fmt.Sprintf("%d (%s)", r.Total, strings.Join(parts, ", "))
}

// String is the figures on one line.
func (l Latency) String() string {
	if l.Count == 0 {
		return "none"
	}
	return fmt.Sprintf("p50 %.1f  p90 %.1f  p99 %.1f  p99.9 %.1f  max %.1f ms  (%d)",
		l.P50, l.P90, l.P99, l.P999, l.Max, l.Count)
}

// String is the rates and the totals.
func (t Traffic) String() string {
	return fmt.Sprintf("%.0f packets/s, %.3f MB/s  (%d packets, %.1f MB)",
		t.PacketsPerSecond, t.BytesPerSecond/1e6, t.Packets, float64(t.Bytes)/1e6)
}

func latencyOf(h *hdrhistogram.Histogram) Latency {
	if h.TotalCount() == 0 {
		return Latency{}
	}
	ms := func(us int64) float64 { return float64(us) / 1e3 }
	at := func(p float64) float64 { return ms(h.ValueAtPercentile(p)) }
	return Latency{
		Count: h.TotalCount(), Mean: h.Mean() / 1e3, Min: ms(h.Min()),
		P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Max: ms(h.Max()),
	}
}

// outcome holds an objective against what was measured.
func (o Objective) outcome(h *hdrhistogram.Histogram) Outcome {
	var us float64
	switch o.Figure {
	case "mean":
		us = h.Mean()
	case "max":
		us = float64(h.Max())
	default:
		us = float64(h.ValueAtPercentile(o.Percent))
	}
	met := h.TotalCount() > 0 && us <= float64(o.Limit.Microseconds())
	return Outcome{Objective: o.String(), Ms: us / 1e3, Met: met}
}
