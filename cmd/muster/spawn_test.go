package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// An orchestrator starts workers, which are given all maps, starts each again that is killed, and ends them when it ends.
func TestSpawn(t *testing.T) {
	waits(t)
	url := pgtest.New(t).URL(t)
	bus := startBus(t, 0)
	t.Cleanup(bus.Shutdown)
	o := begin(t, "orchestrate", "--database", url, "--wait", "2", "--spawn", "2", "--", "--bus", bus.ClientURL(), "--creatures", "0")
	r := &shardRig{served: &served{t: t}}
	var err error
	if r.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.registry.Close)
	workers := func() (pids []int) {
		for _, p := range r.processes() {
			if p.Role == registry.RoleWorker {
				pids = append(pids, p.PID)
			}
		}
		return pids
	}
	run := func() bool {
		for id := range uint32(3) {
			if s := r.shard(id); s.State != registry.Runs || r.pidOf(s.Worker) == 0 {
				return false
			}
		}
		return true
	}
	eventually(t, "two workers run all maps", func() bool { return len(workers()) == 2 && run() })
	before := workers()
	if err := syscall.Kill(before[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "another one has taken its place, and all maps run", func() bool {
		now := workers()
		return len(now) == 2 && now[0] != before[0] && now[1] != before[0] && run()
	})
	pids := workers()
	o.cmd.Process.Signal(os.Interrupt)
	if err := <-o.ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if log := o.log.String(); strings.Count(log, "msg=stopped") != 3 {
		t.Error("it and its workers do not each log that they have stopped")
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("worker %d: %v, want that there is none", pid, err)
		}
	}
}

// A worker that is told to drain gives its worlds to the other one while players are in them: those go with them, and the maps can be entered at the same
// gateway, at once. It gets none back, and ends in order.
func TestDrain(t *testing.T) {
	waits(t)
	r := startShards(t)
	v := visit(t, r.served, "ANNA")
	v.create("Anna")
	at := v.enter()
	before := r.shard(at.Map)
	pid := r.pidOf(before.Worker)
	shows := func(pid int, id uint32) bool { // what operators see of a worker
		body, ok := r.workers[pid].get("/api/maps")
		plan, planned := r.workers[pid].get("/debug/plan")
		return ok && strings.Contains(body, fmt.Sprintf(`"id":%d,`, id)) && planned && strings.Contains(plan, "intake")
	}
	eventually(t, "operators of the worker see the map", func() bool { return shows(pid, at.Map) })
	v.move(beside(at, 1))
	if code, said, stderr := execute(t, nil, "ctl", "--socket", r.socket, "cluster", "drain", "999999"); code == exitOK {
		t.Errorf("a worker that is not there drains: %s%s", said, stderr)
	}
	if code, said, stderr := execute(t, nil, "ctl", "--socket", r.socket, "cluster", "scale", "3"); code == exitOK || !strings.Contains(stderr, "Nothing in the realm can start workers") {
		t.Errorf("where nothing starts workers, more are had: %s%s", said, stderr)
	}
	began := time.Now()
	if code, said, stderr := execute(t, nil, "ctl", "--socket", r.socket, "cluster", "drain", strconv.FormatUint(before.Worker, 10)); code != exitOK {
		t.Fatalf("%s%s", said, stderr)
	}
	if there := v.arrives(at.Map); there.Position != beside(at, 1).Position {
		t.Errorf("goes to %+v, want %+v", there, beside(at, 1))
	}
	eventually(t, "the other worker has all maps, and the gateway too", func() bool {
		for id := range uint32(3) {
			if s := r.shard(id); s.State != registry.Runs || s.Worker == before.Worker {
				return false
			}
		}
		return r.isReady()
	})
	other := r.pidOf(r.shard(at.Map).Worker)
	eventually(t, "operators of the other worker see the map", func() bool { return shows(other, at.Map) })
	eventually(t, "operators of the worker that drains see none", func() bool {
		body, ok := r.workers[pid].get("/api/maps")
		return ok && strings.TrimSpace(body) == "[]"
	})
	t.Logf("the maps could be entered again after %v", time.Since(began).Round(time.Millisecond))
	if log := r.stderr(); !strings.Contains(log, "has ended in order") || strings.Contains(log, "reason=closed.") || strings.Contains(log, "level=ERROR") {
		t.Error("the gateway does not say that worlds have moved in order, and that alone")
	}
	v.socket.Close()
	v = visit(t, r.served, "ANNA")
	if back := v.enter(); back.Map != at.Map || back.Position != beside(at, 1).Position {
		t.Errorf("entered at %+v, want %+v", back, beside(at, 1))
	}
	v.socket.Close()
	r.workers[pid].cmd.Process.Signal(os.Interrupt)
	if err := <-r.workers[pid].ended; err != nil {
		t.Errorf("the worker that drained ended with %v", err)
	}
	if log := r.workers[pid].log.String(); !strings.Contains(log, "msg=stopped") {
		t.Error("it does not log that it has stopped")
	}
	if s := r.shard(at.Map); s.Worker == before.Worker || s.Epoch <= before.Epoch {
		t.Errorf("the shard is %+v, and was %+v", s, before)
	}
	r.stop(os.Interrupt, 1)
}

// get is the answer of a process at its address for operators.
func (w *working) get(path string) (body string, ok bool) {
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	r, err := client.Get("http://" + w.admin + path)
	if err != nil {
		return "", false
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	return string(b), err == nil && r.StatusCode == http.StatusOK
}
