package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/registry"
)

// A shardRig is a cluster whose maps the registry gives to workers: two orchestrators, two workers and a gateway.
type shardRig struct {
	*served
	registry      *registry.Registry
	orchestrators map[int]*working // by pid
	workers       map[int]*working
}

func startShards(t *testing.T) *shardRig {
	t.Helper()
	url, err := startCluster(t).Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bus := startBus(t, 0)
	t.Cleanup(bus.Shutdown)
	r := &shardRig{orchestrators: make(map[int]*working), workers: make(map[int]*working)}
	world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one", "--database", url}
	ready := make(chan *served)
	go func() { // it waits for the worlds
		defer close(ready)
		ready <- serve(t, append(world, "--data", t.TempDir())...)
	}()
	if r.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.registry.Close)
	for range 2 {
		w := work(t, world...)
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

// A deafRegistry is told nothing while it is away, and gives a worker one world, anew whenever that is given up.
type deafRegistry struct {
	given registry.Shard
	away  bool
	asked int // how often it is told that a world is given up
}

func (d *deafRegistry) Report(context.Context, registry.Work) (registry.Orders, error) {
	return registry.Orders{Own: []registry.Shard{d.given}}, nil
}

func (d *deafRegistry) Take(context.Context, registry.Shard) (uint64, error) {
	return 0, registry.ErrOlder
}

func (d *deafRegistry) GiveUp(_ context.Context, s registry.Shard) error {
	d.asked++
	switch {
	case d.away:
		return errors.New("it is away")
	case s.Epoch != d.given.Epoch:
		return registry.ErrOlder
	}
	d.given.Epoch++
	return nil
}

// A world that cannot run is given up after a pause that doubles from 0.1 s to 10 s. Until the registry has been told, no other begins with its epoch.
func TestGivenUpWorld(t *testing.T) {
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	verb := &workerVerb{worldFlags: worldFlags{Clock: "real", Tick: 50 * time.Millisecond, Phases: 2}}
	base, err := newWorldSet(&verb.worldFlags, &defs.World{}, new(metric.Table), log) // it has no maps
	if err != nil {
		t.Fatal(err)
	}
	place := &deafRegistry{given: registry.Shard{Map: 7, Epoch: 1}, away: true}
	w := &shardWorker{verb: verb, base: base, place: place, running: make(map[shardKey]*shardWorld), pauses: make(map[shardKey]time.Duration)}
	now, seven := time.Now(), shardKey{id: 7}
	step := func() { // as run does
		t.Helper()
		if work := w.report(ctx, now); len(work.Runs) != 0 {
			t.Errorf("%+v are said to run", work.Runs)
		}
		orders, _ := place.Report(ctx, registry.Work{})
		w.follow(ctx, orders)
		w.tell(ctx, now)
	}
	step()
	first := w.running[seven]
	<-first.ended
	for range 3 {
		step()
		now = now.Add(100 * time.Millisecond)
	}
	if w.running[seven] != first || place.asked != 2 {
		t.Fatalf("the registry is told %d times, want 2, and the world is %+v, was %+v", place.asked, w.running[seven], first)
	}
	place.away = false
	for i, pause := range []time.Duration{0, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
		epoch, asked := uint64(1+i), place.asked
		if s := w.running[seven]; s.Epoch != epoch {
			t.Fatalf("the world has epoch %d, want %d", s.Epoch, epoch)
		}
		<-w.running[seven].ended
		step()
		if pause > 0 {
			now = now.Add(pause*time.Millisecond - 1)
			if step(); place.asked != asked {
				t.Fatalf("it is given up before %v are over", pause*time.Millisecond)
			}
			now = now.Add(1)
			step()
		}
		if place.asked != asked+1 {
			t.Fatalf("it is told %d times after %v, want once", place.asked-asked, pause*time.Millisecond)
		}
		step() // which begins the next
	}
	now = now.Add(soundTime + time.Second)
	<-w.running[seven].ended
	step()
	if w.pauses[seven] != leastPause {
		t.Errorf("after it ran for long the pause is %v, want %v", w.pauses[seven], leastPause)
	}
	for _, s := range w.running {
		<-s.ended
	}
}

// While none of the workers that are there has a world, an orchestrator waits for as many as it is told to.
func TestWaitsFor(t *testing.T) {
	t.Parallel()
	workers := []registry.Process{{ID: 1}, {ID: 2}}
	for name, test := range map[string]struct {
		n      int
		shards []registry.Shard
		want   bool
	}{
		"fewer":             {3, []registry.Shard{{Map: 0}}, true},
		"enough":            {2, []registry.Shard{{Map: 0}}, false},
		"one has it":        {3, []registry.Shard{{Map: 0}, {Map: 1, Worker: 2}}, false},
		"a lost one has it": {3, []registry.Shard{{Map: 0, Worker: 9, Epoch: 4}}, true},
	} {
		if got := waitsFor(test.n, workers, test.shards); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
