package clusterview

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store/postgres"
)

// What the ticks of a worker take, and those of each of its worlds, is listed as the registry has it.
func TestLoadsAreListed(t *testing.T) {
	ctx, url := t.Context(), pgtest.New(t).URL(t)
	store, err := postgres.Open(ctx, postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	r, err := registry.Open(ctx, registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(r.Declare(ctx, "muster", []uint32{1, 571}))
	o, err := r.Enlist(ctx, "muster", registry.Process{Role: registry.RoleOrchestrate, Host: "h"})
	must(err)
	w, err := r.Enlist(ctx, "muster", registry.Process{Role: registry.RoleWorker, Host: "h", Capacity: 2})
	must(err)
	l, err := o.Lead(ctx)
	must(err)
	t.Cleanup(l.Close)
	shards, err := r.Shards(ctx, "muster")
	must(err)
	for i := range shards {
		shards[i].Epoch, err = l.Give(ctx, shards[i], w.ID())
		must(err)
		shards[i].Load = []float32{0.25, 0.5}[i]
	}
	_, err = w.Report(ctx, registry.Work{Load: 0.75, Runs: shards})
	must(err)

	view := &View{Registry: r, Realm: "muster"}
	lines, err := view.List(ctx, false)
	must(err)
	last := func(line string) string { // of its columns
		f := strings.Fields(line)
		return f[len(f)-1]
	}
	var loads []string
	for _, line := range lines {
		loads = append(loads, last(line))
	}
	if want := []string{"LOAD", "leads", "0.75", "LOAD", "0.25", "0.50"}; !slices.Equal(loads, want) {
		t.Errorf("the last columns are %q, want %q:\n%s", loads, want, strings.Join(lines, "\n"))
	}
	lines, err = view.List(ctx, true)
	must(err)
	var listed Cluster
	must(json.Unmarshal([]byte(strings.Join(lines, "\n")), &listed))
	if p, s := listed.Processes, listed.Shards; len(p) != 2 || p[1].Load != 0.75 || len(s) != 2 || s[0].Load != 0.25 || s[1].Load != 0.5 {
		t.Errorf("the loads are %+v of %+v", p, s)
	}
}

// A realm can have as many workers as its leader can start. While none leads, another one will.
func TestMostWorkers(t *testing.T) {
	orchestrator := func(capacity int, leads bool) registry.Process {
		return registry.Process{Role: registry.RoleOrchestrate, Capacity: capacity, Leads: leads}
	}
	worker := registry.Process{Role: registry.RoleWorker, Capacity: 99}
	for name, test := range map[string]struct {
		processes []registry.Process
		want      int
	}{
		"no orchestrator":       {[]registry.Process{worker}, 0},
		"none starts any":       {[]registry.Process{worker, orchestrator(0, true), orchestrator(0, false)}, 0},
		"the leader does":       {[]registry.Process{orchestrator(9, false), orchestrator(64, true), worker}, 64},
		"the leader does not":   {[]registry.Process{orchestrator(9, false), orchestrator(0, true)}, 0},
		"none leads at present": {[]registry.Process{orchestrator(9, false), orchestrator(64, false), worker}, 64},
	} {
		if got := mostWorkers(test.processes); got != test.want {
			t.Errorf("%s: %d workers, want %d", name, got, test.want)
		}
	}
}
