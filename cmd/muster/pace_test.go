package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"strconv"
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
			control{v}.echo()
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
	one := replay(t, []string{"GOMAXPROCS=1"}, folder, "--map", "0")
	two := replay(t, []string{"GOMAXPROCS=2"}, folder, "--map", "0")
	if one.faster, two.faster = 0, 0; one != two || one.digests != one.ticks {
		t.Errorf("on one processor %+v, on two %+v", one, two)
	}
}

// TestPaceWithoutAProcessor has a server share one processor with forty others that never sleep, and has too little of
// it then: players wait for longer, and nothing is lost or wrong. When the others are gone, they wait for as long as before.
func TestPaceWithoutAProcessor(t *testing.T) {
	waits(t)
	const clients, others = 150, 40
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
	if out, err := exec.Command("taskset", "-acp", "0", strconv.Itoa(s.cmd.Process.Pid)).CombinedOutput(); err != nil {
		t.Fatalf("taskset: %v\n%s", err, out)
	}
	eventually(t, "players wait for no longer than on two processors", func() bool { return s.pace().FlushMs <= 20 })
	before := s.pace()
	spinning, end := context.WithCancel(t.Context())
	defer end()
	for range others {
		spinner := exec.CommandContext(spinning, "taskset", "-c", "0", "sh", "-c", "while :; do :; done")
		if err := spinner.Start(); err != nil {
			t.Fatal(err)
		}
		defer spinner.Wait()
	}
	eventually(t, "players wait for longer", func() bool { return s.pace().FlushMs > before.FlushMs })
	end()
	eventually(t, "players wait for no longer than before", func() bool { return s.pace().FlushMs <= before.FlushMs })
	stop()
	if r := <-ended; r.Lost.Total != 0 || r.Violations.Total != 0 || r.Logins.OK != clients {
		t.Errorf("logins %+v, lost %+v, violations %+v", r.Logins, r.Lost, r.Violations)
	}
}
