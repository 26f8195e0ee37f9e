package bench

import (
	"context"
	"fmt"
	"time"

	"muster/bench/swarm"
)

// pinned are the flags of a server whose step does not follow the load.
var pinned = []string{"--tick", "50ms", "--phases", "2"}

// A paced target is what clients that all see each other may wait for at most, and what the server may take for it.
type paced struct {
	clients       int
	p50, p99      float64 // ms, of movement
	ping          float64 // ms, p50
	processor     float64 // % of a core
	neverInAQuick bool
}

// pacedClients measures how long clients wait, from few of them to many, while the step follows the load, and while it does not.
//
// The targets are our own: beside docs/peers.md, quicker than a server that relays as packets arrive, for less.
func pacedClients(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{muster: c.Muster, behaviour: swarm.Walk, duration: 20 * time.Second, ramp: 100}
	repetitions = 5
	if c.Quick {
		t.duration, repetitions = 5*time.Second, 1
	}
	for range repetitions {
		for _, of := range []paced{
			{clients: 50, p50: 4, p99: 10, ping: 1.5, processor: 12},
			{clients: 200, p50: 5, p99: 15, ping: 2, processor: 30},
			{clients: 500, p50: 15, p99: 40, ping: 5, processor: 55, neverInAQuick: true},
			{clients: 1000, p50: 40, p99: 100, ping: 20, processor: 60, neverInAQuick: true},
		} {
			if c.Quick && of.neverInAQuick {
				continue
			}
			t.clients, t.flags = of.clients, []string{"--start", "one"}
			f, err := t.serve(ctx)
			if err != nil {
				return "", 0, err
			}
			t.flags = append(t.flags, pinned...)
			fixed, err := t.serve(ctx)
			if err != nil {
				return "", 0, err
			}
			of.put(s, f, fixed)
		}
	}
	return "`muster serve --start one` and `muster swarm --behaviour walk --ramp 100` beside it on the same machine, over loopback: " +
		"all clients see each other. Beside it is the same server with `--tick 50ms --phases 2`, in turn. Latency of movement is " +
		"from the moment a client is to send a step until another has read it; it includes how late the swarm reads.", repetitions, nil
}

// put notes one number of clients.
func (of *paced) put(s *sheet, f, fixed *figures) {
	const beside = "step of 50 ms"
	name := fmt.Sprintf("%d clients: ", of.clients)
	put := func(figure, unit string, value func(*figures) float64, limit float64) *column {
		column := s.put(name+figure, unit, value(f)).beside(beside, value(fixed))
		if limit > 0 {
			column.atMost(limit, OfMedian)
		}
		return column
	}
	latency := func(figure string, value func(*figures) float64, limit float64) {
		put(figure, "ms", value, limit).stretch(limit/2).at(figure, "clients", of.clients)
	}
	latency(latencyP50, func(f *figures) float64 { return f.report.Movement.P50 }, of.p50)
	latency(latencyP99, func(f *figures) float64 { return f.report.Movement.P99 }, of.p99)
	latency("ping, p50", func(f *figures) float64 { return f.report.Ping.P50 }, of.ping)
	put("processor", "% of a core", func(f *figures) float64 { return 100 * f.server.cpu }, of.processor)
	put("time between two flushes", "ms", func(f *figures) float64 { return f.to.FlushMs }, 0)
	put("packets to clients", "per second", func(f *figures) float64 { return f.report.In.PacketsPerSecond }, 0)
	put("login, p50", "ms", func(f *figures) float64 { return f.report.Login.P50 }, 0)
	put("the swarm reads late by at most, p99", "ms", func(f *figures) float64 { return f.report.Behind.P99 }, 0)
	f.putViolations(s, name)
	s.put(name+"clients not let in or lost", "", float64(f.report.Logins.Failed.Total+f.report.Lost.Total)).gate(0, OfWorst)
}
