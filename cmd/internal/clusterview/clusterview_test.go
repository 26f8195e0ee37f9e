package clusterview

import (
	"testing"

	"muster/loaders/registry"
)

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
