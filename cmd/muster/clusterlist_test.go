package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
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

// lists waits until players are where an operator is told that they are: at a gateway and in a world, given as "gateway map instance", as the JSON and the text have it.
func (p *gatewayPair) lists(name, want string) {
	p.t.Helper()
	var text string
	eventually(p.t, fmt.Sprintf("%s is listed at %s", name, want), func() bool {
		text, _ = p.ctl("cluster", "players", name)
		return regexp.MustCompile(fmt.Sprintf(`(?m)^%s +\d+ +%s +\d+ +%s$`, strings.ToUpper(name), name, strings.ReplaceAll(want, " ", " +"))).MatchString(text)
	})
	all := p.list().Players
	i := slices.IndexFunc(all.Listed, func(l clusterview.Player) bool { return l.Character == name })
	if i < 0 || all.Total != len(all.Listed) {
		p.t.Fatalf("%s is not among %+v", name, all)
	}
	l := all.Listed[i]
	if l.World == nil || fmt.Sprint(l.Gateway, l.World.Map, l.World.Instance) != want || l.AccountName != strings.ToUpper(name) || l.Account == 0 || l.GUID == 0 {
		p.t.Errorf("%+v is listed, want %s at %s", l, name, want)
	}
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
		p.observed(q)
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
	if _, errs := p.ctl("cluster", "players", "Nobody"); !strings.Contains(errs, "There is no player Nobody at any gateway.") {
		t.Errorf("a player that there is not is listed: %q", errs)
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

// observed looks whether a process is ready, and says of all that it measures of which realm and role that is, and of what it measures of worlds of which map and instance.
func (p *gatewayPair) observed(q clusterview.Process) {
	t := p.t
	t.Helper()
	at := &working{admin: q.Addresses["admin"]}
	if body, ok := at.get("/readyz"); !ok {
		t.Errorf("%s %d is not ready: %s", q.Role, q.ID, body)
	}
	body, ok := at.get("/metrics")
	if !ok || !strings.Contains(body, "muster_events_total{") {
		t.Fatalf("%s %d answers with\n%s", q.Role, q.ID, body)
	}
	if counts := strings.Contains(body, "\nmuster_bus_lost_messages_total{"); counts != (q.Role != registry.RoleLogin) {
		t.Errorf("%s %d counts messages that it has lost: %t", q.Role, q.ID, counts)
	}
	worlds := 0
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "#") && (!strings.Contains(line, `realm="muster"`) || !strings.Contains(line, fmt.Sprintf("role=%q", q.Role))) {
			t.Errorf("%s %d: %s is without its realm or role", q.Role, q.ID, line)
		}
		if strings.Contains(line, `map="`) {
			if worlds++; !strings.Contains(line, `instance="0"`) {
				t.Errorf("%s %d: %s is without its instance", q.Role, q.ID, line)
			}
		}
	}
	if hasWorlds := q.Role == registry.RoleWorker; hasWorlds && worlds == 0 {
		t.Errorf("worker %d measures no world", q.ID)
	}
}

// terminate has processes of roles that have no players end by SIGTERM: in order, so that they are not started again.
func (p *gatewayPair) terminate(roles ...string) {
	p.t.Helper()
	for _, role := range roles {
		all := p.list().Processes
		i := slices.IndexFunc(all, func(q clusterview.Process) bool { return q.Role == role && syscall.Kill(q.PID, 0) == nil }) // not one that was killed
		if i < 0 {
			p.t.Fatalf("no %s is among %+v", role, all)
		}
		one := all[i]
		syscall.Kill(one.PID, syscall.SIGTERM)
		eventually(p.t, role+" has ended", func() bool {
			return !slices.ContainsFunc(p.list().Processes, func(q clusterview.Process) bool { return q.ID == one.ID })
		})
	}
	eventually(p.t, "they are not started again", func() bool {
		return strings.Count(p.stderr(), "a process has ended in order, and is not started again") == len(roles)
	})
}

// The verbs of clusters are listed without a server.
func TestClusterHelp(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"cluster --help":       "cluster [--json]\n    list the processes",
		"cluster -h":           "\ncluster undrain #worker\n    give worlds again",
		"cluster scale --help": "cluster scale #workers\n",
	} {
		code, stdout, stderr := execute(t, nil, append([]string{"ctl"}, strings.Fields(line)...)...)
		if code != exitOK || !strings.Contains(stdout, want) || strings.Contains(stdout, "combatstop") || strings.Contains(line, "scale") && strings.Contains(stdout, "drain") {
			t.Errorf("%s: exit code %d: %s%s", line, code, stdout, stderr)
		}
	}
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
