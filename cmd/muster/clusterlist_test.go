package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/clusterview"
	"muster/loaders/registry"
)

// ctl is what the cluster answers to an operator.
func (p *gatewayPair) ctl(words ...string) (stdout, stderr string) {
	p.t.Helper()
	_, stdout, stderr = execute(p.t, nil, append([]string{"ctl", "--socket", p.socket}, words...)...)
	return stdout, stderr
}

func (p *gatewayPair) list() (l clusterview.Cluster) {
	p.t.Helper()
	stdout, stderr := p.ctl("cluster", "--json")
	if err := json.Unmarshal([]byte(stdout), &l); err != nil {
		p.t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	return l
}

// operate has an operator list the cluster, and move a world; a login process that is killed is started again.
func (p *gatewayPair) operate() {
	t := p.t
	t.Helper()
	var l clusterview.Cluster
	eventually(t, "all processes are listed", func() bool { l = p.list(); return len(l.Processes) == 2+2+2+2 })
	roles, workers := make(map[string]int), make(map[uint64]bool)
	leads := 0
	var killed clusterview.Process
	for _, q := range l.Processes {
		roles[q.Role]++
		if q.Leads {
			leads++
		}
		switch q.Role {
		case registry.RoleWorker:
			workers[q.ID] = true
		case registry.RoleLogin:
			if q.Addresses["auth"] != p.auth {
				killed = q
				at := &served{t: t, auth: q.Addresses["auth"], world: p.world}
				visit(t, at, "CARLA").socket.Close() // an account of one is one of the other
			}
		}
		if err := syscall.Kill(q.PID, 0); err != nil || q.Addresses["admin"] == "" {
			t.Errorf("%+v: %v, want a process with an address for operators", q, err)
		}
	}
	if want := map[string]int{"orchestrate": 2, "worker": 2, "login": 2, "gateway": 2}; !reflect.DeepEqual(roles, want) || leads != 1 {
		t.Errorf("there are %v, of which %d lead, want %v, and 1", roles, leads, want)
	}
	for i, s := range l.Shards {
		if s.Map != uint32(i) || s.Worker == nil || !workers[*s.Worker] || s.Epoch == 0 || s.State != registry.Runs {
			t.Errorf("shard %d is %+v, want one that runs", i, s)
		}
	}
	if len(l.Shards) != 3 {
		t.Fatalf("there are %d shards, want 3", len(l.Shards))
	}
	moved := l.Shards[2]
	delete(workers, *moved.Worker)
	for to := range workers {
		if out, errs := p.ctl("cluster", "move", "2", fmt.Sprint(to)); !strings.Contains(out, "given") {
			t.Fatalf("the world is not moved: %s%s", out, errs)
		}
		eventually(t, "the world runs at the other worker", func() bool {
			now := p.list().Shards[2]
			return now.Worker != nil && *now.Worker == to && now.Epoch == moved.Epoch+1 && now.State == registry.Runs
		})
	}
	if _, errs := p.ctl("cluster", "drain", "999999"); !strings.Contains(errs, "There is no worker 999999.") {
		t.Errorf("a worker that there is not is drained: %q", errs)
	}
	if text, _ := p.ctl("cluster"); strings.Count(text, "\n") != 2+8+3 || !strings.Contains(text, " leads\n") {
		t.Errorf("the list for people is\n%s", text)
	}
	if killed.PID == 0 { // which is the group of this process
		t.Fatalf("no second process for logins is among %+v", l.Processes)
	}
	syscall.Kill(killed.PID, syscall.SIGKILL)
	eventually(t, "there are two again", func() bool {
		n := 0
		for _, q := range p.list().Processes {
			if q.Role == registry.RoleLogin && q.PID != killed.PID {
				n++
			}
		}
		return n == 2
	})
}

// An operator of a server that is in no cluster is told so.
func TestNoCluster(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--creatures", "0")
	for _, verb := range []string{"cluster", "cluster drain 1", "cluster move 1 1"} {
		code, _, stderr := execute(t, nil, append([]string{"ctl", "--socket", s.socket}, strings.Fields(verb)...)...)
		if code != exitFailure || !strings.Contains(stderr, "This server is in no cluster with a registry.") {
			t.Errorf("%s: exit code %d, %q", verb, code, stderr)
		}
	}
}
