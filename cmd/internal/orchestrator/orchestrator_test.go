package orchestrator

import (
	"context"
	"slices"
	"testing"

	"muster/loaders/registry"
	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
)

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

// What metrics tell of a realm counts worlds of workers that are gone among those without one. It is not known while another orchestrator leads.
func TestAssignment(t *testing.T) {
	t.Parallel()
	workers := []registry.Process{{ID: 1}, {ID: 2}}
	shards := []registry.Shard{{Map: 0, Worker: 1}, {Map: 1, Worker: 9, Epoch: 4}, {Map: 530}}
	o := new(orchestrator)
	o.given.Add(7)
	o.moved.Add(3)
	if got, want := o.assignment(), (admin.Assignment{Given: 7, Moved: 3}); got != want {
		t.Errorf("while it does not lead: %+v, want %+v", got, want)
	}
	o.known.Store(assignmentOf(workers, shards, []registry.Standby{{Map: 0, Worker: 2}}, 1))
	if got, want := o.assignment(), (admin.Assignment{Leads: true, Workers: 2, Unassigned: 2, Placed: 1, Missing: 2, Given: 7, Moved: 3}); got != want {
		t.Errorf("while it leads: %+v, want %+v", got, want)
	}
}

// An orchestrator that answers gateways needs the bus.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bus  *natsbus.Bus
		want []string
	}{{nil, []string{"registry"}}, {new(natsbus.Bus), []string{"registry", "bus"}}} {
		var names []string
		for _, check := range checks(c.bus, func(context.Context) error { return nil }) {
			names = append(names, check.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("it checks %v, want %v", names, c.want)
		}
	}
}
