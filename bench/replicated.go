package bench

import (
	"context"
	"fmt"
	"time"
)

// replicated measures what it costs to have the worlds of a cluster in a log.
func replicated(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := clustered{muster: c.Muster, clients: 1_000, duration: 70 * time.Second, follow: 30 * time.Second} // there is a snapshot each 30 s, and one in the window
	repetitions = 4
	if c.Quick {
		t.clients, t.duration, t.follow, repetitions = 100, 10*time.Second, 0, 1
	}
	arms := []struct {
		what  string
		flags []string
	}{
		{"without a log", nil},
		{"with a log", []string{"--durable", "world"}},
		{"with three replicas", []string{"--durable", "world", "--replicas", "3"}},
		{"without a log, in long steps", []string{"--tick", slowTick.String()}},
		{"with a log, in long steps", []string{"--tick", slowTick.String(), "--durable", "world"}},
	}
	figures := make([]*clusterFigures, len(arms))
	for repetition := range repetitions {
		for i := range arms {
			if repetition%2 == 1 { // so that a machine that becomes slower does so for both of a pair
				i = len(arms) - 1 - i
			}
			figures[i], err = t.run(ctx, clusterReady, "cluster", append([]string{"--workers", "1"}, arms[i].flags...)...)
			if err != nil {
				return "", 0, fmt.Errorf("%s: %w", arms[i].what, err)
			}
			if figures[i].systems <= 0 {
				return "", 0, fmt.Errorf("%s: the metrics of the worker say nothing of its systems", arms[i].what)
			}
		}
		figures[1].putReplicated(s, figures[0])
		figures[2].putReplicas(s, figures[0])
		figures[4].putSlow(s, figures[3])
	}
	return fmt.Sprintf("`muster cluster --ephemeral --workers 1 --durable world`, whose worlds are in JetStream in one replica, in files, and `muster swarm --clients %d --behaviour walk --duration %v` beside "+
		"it on the same machine, over loopback. The baseline is the same without `--durable world`; the two take turns. Processor time is user and system, over %v that begin %v after all clients are in the "+
		"world: that of the worker is what ticks cost, with the log and a snapshot every 30 s in it. A shared machine is up to a half slower in one run than in the next, and systems do the same "+
		"with a log and without one: so the worker is judged by its processor time for each second that the systems of its world ran (`muster_tick_system_seconds`). NATS is in that of `muster cluster` itself: one server, or three for three replicas. Steps are as short as the load allows, 7 ms here, and each is an append; in steps of %v there are "+
		"a seventh as many.", t.clients, t.duration, t.window(), t.follow, slowTick), repetitions, nil
}

// slowTick is the longest step of muster serve (docs/operating.md): there are 20 in a second.
const slowTick = 50 * time.Millisecond

// putReplicated notes a cluster whose worlds are in a log beside one whose worlds are not.
func (f *clusterFigures) putReplicated(s *sheet, without *clusterFigures) {
	const baseline = "without a log"
	r := &f.report
	s.put("violations", "", float64(r.Violations.Total)).gate(0, OfWorst)
	s.put("clients verified throughout", "", float64(r.Verified)).atLeast(float64(r.Clients)/10, OfLeast).always()
	s.put("clients not let in", "", float64(r.Logins.Failed.Total)).gate(0, OfWorst)
	s.put("sessions lost", "", float64(r.Lost.Total)).gate(0, OfWorst)
	s.put("processor, worker", "% of a core", 100*f.cores["worker"]).beside(baseline, 100*without.cores["worker"])
	s.put("time of the systems of the worker", "% of a core", 100*f.systems).beside(baseline, 100*without.systems)
	s.put("processor, worker, for the time of its systems", "", f.workerOfSystems()).beside(baseline, without.workerOfSystems()).atMost(1.15, OfRatio)
	s.put("processor, all roles", "% of a core", 100*f.all()).beside(baseline, 100*without.all())
	s.put("processor, cluster", "% of a core", 100*f.cores["cluster"]).beside(baseline, 100*without.cores["cluster"])
	s.put("processor, gateway", "% of a core", 100*f.cores["gateway"]).beside(baseline, 100*without.cores["gateway"])
	s.put(latencyP50, "ms", r.Movement.P50).beside(baseline, without.report.Movement.P50)
	s.put(latencyP99, "ms", r.Movement.P99).beside(baseline, without.report.Movement.P99)
	s.put("movement latency above that without a log, p50", "ms", r.Movement.P50-without.report.Movement.P50).atMost(3, OfMedian)
}

// putReplicas notes one whose log is in three replicas, by three servers in one process.
func (f *clusterFigures) putReplicas(s *sheet, without *clusterFigures) {
	const baseline = "without a log"
	r := &f.report
	s.put("violations, three replicas", "", float64(r.Violations.Total)).gate(0, OfWorst)
	s.put("sessions lost, three replicas", "", float64(r.Lost.Total)).gate(0, OfWorst)
	s.put("processor, worker, three replicas", "% of a core", 100*f.cores["worker"]).beside(baseline, 100*without.cores["worker"])
	s.put("time of the systems of the worker, three replicas", "% of a core", 100*f.systems).beside(baseline, 100*without.systems)
	s.put("processor, worker, for the time of its systems, three replicas", "", f.workerOfSystems()).beside(baseline, without.workerOfSystems()).atMost(1.3, OfRatio)
	s.put("processor, all roles, three replicas", "% of a core", 100*f.all()).beside(baseline, 100*without.all())
	s.put("processor, cluster, three replicas", "% of a core", 100*f.cores["cluster"]).beside(baseline, 100*without.cores["cluster"])
	s.put("movement latency above that without a log, three replicas, p50", "ms", r.Movement.P50-without.report.Movement.P50)
}

// putSlow notes one with a log in steps of slowTick.
func (f *clusterFigures) putSlow(s *sheet, without *clusterFigures) {
	const baseline = "without a log, in such steps"
	r := &f.report
	s.put("violations, steps of 50 ms", "", float64(r.Violations.Total)).gate(0, OfWorst)
	s.put("sessions lost, steps of 50 ms", "", float64(r.Lost.Total)).gate(0, OfWorst)
	s.put("processor, worker, steps of 50 ms", "% of a core", 100*f.cores["worker"]).beside(baseline, 100*without.cores["worker"])
	s.put("time of the systems of the worker, steps of 50 ms", "% of a core", 100*f.systems).beside(baseline, 100*without.systems)
	s.put("processor, worker, for the time of its systems, steps of 50 ms", "", f.workerOfSystems()).beside(baseline, without.workerOfSystems()).atMost(1.15, OfRatio)
	s.put("processor, all roles, steps of 50 ms", "% of a core", 100*f.all()).beside(baseline, 100*without.all())
	s.put("movement latency above that without a log, steps of 50 ms, p50", "ms", r.Movement.P50-without.report.Movement.P50).atMost(3, OfMedian)
}
