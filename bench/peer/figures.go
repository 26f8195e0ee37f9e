package peer

import (
	"maps"
	"slices"

	"muster/bench/swarm"
)

// Figures are what a run measured, in the time in which all its clients were in the world; login and ping also before.
type Figures struct {
	Packets     float64 `json:"packets_per_second"` // that all clients received
	Bytes       float64 `json:"bytes_per_second"`
	Processor   float64 `json:"processor_percent"` // of a core, of all processes of the server
	Swarm       float64 `json:"swarm_percent"`     // of a core, of the clients' process
	Memory      float64 `json:"memory_mb"`         // resident, of all processes of the server, at most
	LoginP50    float64 `json:"login_p50_ms"`
	LoginP99    float64 `json:"login_p99_ms"`
	MovementP50 float64 `json:"movement_p50_ms"`
	MovementP99 float64 `json:"movement_p99_ms"`
	PingP50     float64 `json:"ping_p50_ms"`
	PingP99     float64 `json:"ping_p99_ms"`
	BehindP99   float64 `json:"behind_p99_ms"` // the swarm's own part of the latencies, at most
}

// all are the figures one by one.
func (f *Figures) all() []*float64 {
	return []*float64{
		&f.Packets, &f.Bytes, &f.Processor, &f.Swarm, &f.Memory, &f.LoginP50, &f.LoginP99,
		&f.MovementP50, &f.MovementP99, &f.PingP50, &f.PingP99, &f.BehindP99,
	}
}

// A Run is a turn and what came of it.
type Run struct {
	Turn
	Figures
	Violations uint64            `json:"violations"`
	ByKind     map[string]uint64 `json:"violations_by_kind,omitempty"`
	Failures   int               `json:"failures"` // clients that did not get in, and those that lost their session
	ByReason   map[string]int    `json:"failures_by_reason,omitempty"`
	Verified   int               `json:"verified"` // clients that were verified to the end; the others were counted only

	// PeerIdle is how much of a core the peer took, without clients, while muster ran, from its start to its end.
	PeerIdle float64 `json:"peer_idle_percent,omitempty"`
}

// Measured is the run of a turn, from the report of the swarm.
func (t Turn) Measured(r *swarm.Report) Run {
	run := Run{
		Turn: t,
		Figures: Figures{
			Packets: r.In.PacketsPerSecond, Bytes: r.In.BytesPerSecond,
			Processor: r.ServerPercent, Swarm: r.Processor.Percent, Memory: r.Memory.Most,
			LoginP50: r.Login.P50, LoginP99: r.Login.P99,
			MovementP50: r.Movement.P50, MovementP99: r.Movement.P99,
			PingP50: r.Ping.P50, PingP99: r.Ping.P99, BehindP99: r.Behind.P99,
		},
		Violations: r.Violations.Total, ByKind: r.Violations.ByKind,
		Failures: r.Logins.Failed.Total + r.Lost.Total, ByReason: make(map[string]int),
		Verified: r.Clients,
	}
	if r.Sample != nil {
		run.Verified = r.Sample.Clients
	}
	maps.Copy(run.ByReason, r.Logins.Failed.ByReason)
	for reason, n := range r.Lost.ByReason {
		run.ByReason[reason] += n
	}
	return run
}

// A Summary is all runs of one server with so many clients.
type Summary struct {
	Median     Figures `json:"median"`
	Min        Figures `json:"min"`
	Max        Figures `json:"max"`
	Violations uint64  `json:"violations"` // of all runs together, as failures
	Failures   int     `json:"failures"`
	Verified   int     `json:"verified"` // the fewest
}

// summary sums runs up; there is at least one.
func summary(runs []Run) (s Summary) {
	s.Verified = runs[0].Verified
	median, least, most := s.Median.all(), s.Min.all(), s.Max.all()
	for i := range median {
		var values []float64
		for k := range runs {
			values = append(values, *runs[k].Figures.all()[i])
		}
		slices.Sort(values)
		n := len(values)
		*median[i], *least[i], *most[i] = (values[(n-1)/2]+values[n/2])/2, values[0], values[n-1]
	}
	for i := range runs {
		s.Violations += runs[i].Violations
		s.Failures += runs[i].Failures
		s.Verified = min(s.Verified, runs[i].Verified)
	}
	return s
}
