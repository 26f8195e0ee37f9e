package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/net/ops/admin"
)

// pace is what the server says of its steps.
func (s *served) pace() (p admin.Pace) {
	s.t.Helper()
	status, body := s.ask("/api/pace", "")
	if status != http.StatusOK || json.Unmarshal([]byte(body), &p) != nil {
		s.t.Fatalf("GET /api/pace: %d %s", status, body)
	}
	return p
}

// TestPaceFollowsTheBudget has two servers with the same clients and other budgets.
func TestPaceFollowsTheBudget(t *testing.T) {
	waits(t)
	for _, c := range []struct{ flags, want string }{{"--cpu-budget=0", "50ms/2"}, {"--cpu-budget=1000", "5ms/1"}} {
		s := serve(t, "--ephemeral", c.flags)
		if p := s.pace(); p.Rung != "5ms/1" {
			t.Errorf("%s: begins with %s", c.flags, p.Rung)
		}
		v := visit(t, s, "ONLY")
		v.create("Only")
		v.enter()
		eventually(t, c.flags+": "+c.want, func() bool {
			bystander{v}.echo()
			return s.pace().Rung == c.want && (c.want == "5ms/1" || s.pace().Spent[c.want] > 0)
		})
		if p := s.pace(); p.Down != 0 || p.FlushMs != map[string]float64{"5ms/1": 5, "50ms/2": 100}[c.want] {
			t.Errorf("%s: %+v", c.flags, p)
		}
	}
}

// A recording in which the step changes is played as it was: the numbers of its ticks say how long each step was.
func TestReplayAcrossSteps(t *testing.T) {
	waits(t)
	folder := t.TempDir()
	s := serve(t, "--ephemeral", "--creatures", "2000", "--start", "one", "--record", folder, "--cpu-budget", "0")
	code, stdout, stderr := execute(t, nil, "swarm", "--auth", s.auth, "--clients", "30", "--behaviour", "grind", "--duration", "4s")
	if code != exitOK {
		t.Fatalf("swarm: exit code %d\n%s%s", code, stdout, stderr)
	}
	if p := s.pace(); p.Up == 0 || p.StepMs != 50 {
		t.Fatalf("the step did not change: %+v", p)
	}
	stopped(s)
	one := replays(t, []string{"GOMAXPROCS=1"}, folder, "--map", "0")
	two := replays(t, []string{"GOMAXPROCS=2"}, folder, "--map", "0")
	if one.faster, two.faster = 0, 0; one != two || one.digests != one.ticks {
		t.Errorf("on one processor %+v, on two %+v", one, two)
	}
}

// A quota lets a process run for a share of the time and stops it for the rest, as the CPU quota of a control group does.
// It is the same on a machine of any size, and needs no rights.
type quota struct {
	runs atomic.Int64 // nanoseconds of each period
	end  context.CancelFunc
	done chan struct{}
}

// quotaPeriod is the time of which a share is left to a process.
const quotaPeriod = 10 * time.Millisecond

func newQuota(pid int, runs time.Duration) *quota {
	ctx, end := context.WithCancel(context.Background())
	q := &quota{end: end, done: make(chan struct{})}
	q.runs.Store(int64(runs))
	go func() {
		defer close(q.done)
		defer syscall.Kill(pid, syscall.SIGCONT)
		for ctx.Err() == nil {
			began, runs := time.Now(), time.Duration(q.runs.Load())
			_ = syscall.Kill(pid, syscall.SIGCONT)
			for time.Since(began) < runs { // a timer is too coarse
			}
			_ = syscall.Kill(pid, syscall.SIGSTOP)
			<-time.After(quotaPeriod - time.Since(began))
		}
	}()
	return q
}

// stop gives the process all of the time again.
func (q *quota) stop() {
	q.end()
	<-q.done
}

// TestPaceWithoutAProcessor takes ever more of its time away from a server, until it has too little: players wait for
// longer then, and nothing is lost or wrong. When it has its time again, they wait for less.
func TestPaceWithoutAProcessor(t *testing.T) {
	waits(t)
	const clients = 150
	s := serve(t, "--ephemeral", "--start", "one", "--cpu-budget", "1000")
	ended := make(chan swarm.Report, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		r, _ := swarm.Run(ctx, swarm.Config{
			Auth: s.auth, Prefix: "SLOW", Password: defaultPassword, Clients: clients, Duration: time.Hour, Seed: 1, Login: 2 * patience,
		})
		ended <- r
	}()
	eventually(t, "all are in the world", func() bool { return s.stats().World == clients })
	eventually(t, "there is a longer rung", func() bool { return s.pace().FlushMs < 500 })
	up := s.pace().Up
	q := newQuota(s.cmd.Process.Pid, quotaPeriod/8)
	defer q.stop()
	less := time.NewTicker(3 * time.Second) // a ladder goes up within two judgements, of half a second each
	defer less.Stop()
	var scarce admin.Pace
	eventually(t, "players wait for longer", func() bool {
		select {
		case <-less.C:
			q.runs.Store(max(q.runs.Load()/2, int64(quotaPeriod/64)))
		default:
		}
		scarce = s.pace()
		return scarce.Up > up
	})
	q.stop()
	eventually(t, "players wait for less", func() bool { return s.pace().Down > scarce.Down })
	stop()
	if r := <-ended; r.Lost.Total != 0 || r.Violations.Total != 0 || r.Logins.OK != clients {
		t.Errorf("logins %+v, lost %+v, violations %+v", r.Logins, r.Lost, r.Violations)
	}
}
