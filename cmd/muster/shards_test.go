package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// A shardRig is a cluster whose maps the registry gives to workers: two orchestrators, two workers and a gateway.
type shardRig struct {
	*served
	registry      *registry.Registry
	orchestrators map[int]*working // by pid
	workers       map[int]*working
	data          []string // of the workers: folders, each with its bundles in flight
}

func startShards(t *testing.T) *shardRig {
	t.Helper()
	url := pgtest.New(t).URL(t)
	bus := startBus(t, 0)
	t.Cleanup(bus.Shutdown)
	r := &shardRig{orchestrators: make(map[int]*working), workers: make(map[int]*working)}
	world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one", "--database", url}
	ready := make(chan *served)
	go func() { // it waits for the worlds
		defer close(ready)
		ready <- serve(t, append(world, "--data", t.TempDir())...)
	}()
	var err error
	if r.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.registry.Close)
	for range 2 {
		data := t.TempDir()
		r.data = append(r.data, data)
		w := work(t, append(world, "--flight-dir", filepath.Join(data, "flight"), "--flight-budget", "1us")...)
		r.workers[w.cmd.Process.Pid] = w
	}
	for range 2 {
		o := begin(t, "orchestrate", "--database", url, "--wait", "2")
		r.orchestrators[o.cmd.Process.Pid] = o
	}
	if r.served = <-ready; r.served == nil {
		t.FailNow()
	}
	return r
}

// leader is the pid of the orchestrator that leads, 0 if none does.
func (r *shardRig) leader() (pid int) {
	r.t.Helper()
	for _, p := range r.processes() {
		if p.Leads {
			pid = p.PID
		}
	}
	return pid
}

func (r *shardRig) processes() []registry.Process {
	r.t.Helper()
	list, err := r.registry.Processes(r.t.Context(), "muster")
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

// shard is the shard of a map.
func (r *shardRig) shard(id uint32) (found registry.Shard) {
	r.t.Helper()
	list, err := r.registry.Shards(r.t.Context(), "muster")
	if err != nil {
		r.t.Fatal(err)
	}
	for _, s := range list {
		if s.Map == id {
			found = s
		}
	}
	return found
}

// pidOf is the pid of a worker.
func (r *shardRig) pidOf(worker uint64) (pid int) {
	for _, p := range r.processes() {
		if p.ID == worker {
			pid = p.PID
		}
	}
	return pid
}

func (r *shardRig) isReady() bool {
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	answer, err := client.Get("http://" + r.admin + "/readyz")
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// Of two orchestrators one leads. When it is killed, and then a worker, the other orchestrator gives the maps of that worker to the other one, with greater
// epochs; the players of the lost worlds are closed, those of others play on, and the maps can be entered again at the same gateway.
func TestKilledWorker(t *testing.T) {
	waits(t)
	r := startShards(t)
	leader := r.leader()
	if r.orchestrators[leader] == nil {
		t.Fatalf("process %d leads, which is no orchestrator", leader)
	}
	v := visit(t, r.served, "ANNA")
	v.create("Anna")
	at := v.enter()
	id := at.Map
	before := r.shard(id)
	eventually(t, "the registry has the player", func() bool { return r.shard(id).Players == 1 })
	spread := make(map[uint64]bool)
	for _, other := range []uint32{0, 1, 2} {
		spread[r.shard(other).Worker] = true
	}
	if len(spread) != 2 {
		t.Errorf("the maps are divided among %d workers, want 2", len(spread))
	}
	eventually(t, "the flight recorder of a worker has written a bundle", func() bool {
		return slices.ContainsFunc(r.data, func(data string) bool {
			return slices.ContainsFunc(bundlesIn(t, data), regexp.MustCompile(`-map[0-2]-tick\d+\.zip$`).MatchString)
		})
	})

	r.orchestrators[leader].cmd.Process.Signal(syscall.SIGKILL)
	eventually(t, "the other orchestrator leads", func() bool { now := r.leader(); return now != 0 && now != leader })

	pid := r.pidOf(before.Worker)
	began := time.Now()
	r.workers[pid].cmd.Process.Signal(syscall.SIGKILL)
	ends(t, v.socket)
	eventually(t, "the map runs elsewhere, and the gateway has it", func() bool {
		now := r.shard(id)
		return now.State == registry.Runs && now.Epoch > before.Epoch && r.isReady()
	})
	t.Logf("the map could be entered again after %v", time.Since(began).Round(time.Millisecond))
	if now := r.shard(id); now.Worker == before.Worker || r.pidOf(now.Worker) == pid {
		t.Errorf("the map is %+v, and was %+v", now, before)
	}
	v = visit(t, r.served, "ANNA")
	back := v.enter()
	if back.Map != at.Map {
		t.Errorf("entered map %d, and it was %d", back.Map, at.Map)
	}
	v.move(beside(back, 1))
	v.socket.Close()
	r.stop(os.Interrupt, 1)
}
