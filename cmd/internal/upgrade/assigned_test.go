package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/loaders/registry"
)

// Worlds that the registry gives go to the workers of the release of the gateway that is asked, with the settings of the newest of those; what else there is of
// another release ends if there is such a process of this one. Nothing is done if those workers cannot have all worlds, or gateways could not play in them.
func TestFleet(t *testing.T) {
	t.Parallel()
	worker := func(id uint64, release, settings string, change ...func(*registry.Process)) registry.Process {
		p := registry.Process{ID: id, Role: registry.RoleWorker, Release: release, Settings: settings, Capacity: 2, Durable: true, Template: templateOf(5, 3)}
		for _, f := range change {
			f(&p)
		}
		return p
	}
	other := func(id uint64, role, release string) registry.Process {
		return registry.Process{ID: id, Role: role, Release: release}
	}
	plain := func(p *registry.Process) { p.Durable = false }
	strange := func(p *registry.Process) { p.Template = templateOf(6, 3) }
	small := func(p *registry.Process) { p.Capacity = 1 }
	mapOne := func(p *registry.Process) { p.Maps = []uint32{1} }
	old, before := worker(1, "a", "x"), worker(2, "", "", func(p *registry.Process) { p.Template = "" })
	for name, c := range map[string]struct {
		processes      []registry.Process
		lines, problem string
		waiting        []uint32
	}{
		"none": {[]registry.Process{old}, "2 of 2 worlds go to workers , b; workers 1 end",
			"There is no worker of b with --durable world, which is the release of this gateway: start some, or say it to a gateway of the release that is wanted.", []uint32{0, 1}},
		"another release": {[]registry.Process{old, before, worker(3, "b", "x")}, "2 of 2 worlds go to workers 3, b x; workers 1, 2 end", "", []uint32{0, 1}},
		"other settings":  {[]registry.Process{worker(1, "b", "x"), worker(2, "b", "y")}, "1 of 2 worlds go to workers 2, b y; workers 1 end", "", []uint32{0}},
		"done":            {[]registry.Process{worker(1, "b", "y"), worker(2, "b", "y")}, "2 worlds stay with workers 1, 2, b y", "", nil},
		"others": {[]registry.Process{worker(1, "b", "y"), worker(2, "b", "y"), other(3, "login", "a"), other(4, "login", "b"), other(5, "orchestrate", "a"), other(6, "gateway", "a")},
			"2 worlds stay with workers 1, 2, b y\nlogin 3, a, ends", "", nil},
		"the old gateway is asked": {[]registry.Process{worker(1, "b", "x"), worker(3, "c", "x")}, "1 of 2 worlds go to workers 1, b x; workers 3 end",
			"Worker 3, which was started last, is of c, and this gateway of b. Say it to a gateway of c, or stop the worker.", []uint32{1}},
		"no log": {[]registry.Process{worker(1, "a", "x", plain), worker(3, "b", "x")}, "2 of 2 worlds go to workers 3, b x; workers 1 end",
			"Worker 1 has no --durable world, and its worlds cannot be handed over.", []uint32{0, 1}},
		"no room": {[]registry.Process{old, worker(3, "b", "x", small)}, "2 of 2 worlds go to workers 3, b x; workers 1 end", "The workers of b have room for 1 worlds, and there are 2.", []uint32{0, 1}},
		"no map":  {[]registry.Process{old, worker(3, "b", "x", mapOne)}, "2 of 2 worlds go to workers 3, b x; workers 1 end", "Map 0 is in the world of no worker of b.", []uint32{0, 1}},
		"templates": {[]registry.Process{old, worker(3, "b", "x", strange)}, "2 of 2 worlds go to workers 3, b x; workers 1 end",
			"Worker 1 has worlds of other templates, or another version of the bus, than worker 3. " +
				"Gateway 7 has worlds of other templates, or another version of the bus, than worker 3, and could not play in its worlds.", []uint32{0, 1}},
		"two templates": {[]registry.Process{worker(3, "b", "x"), worker(4, "b", "x", strange)}, "2 of 2 worlds go to workers 3, 4, b x; workers  end", "Workers 3 and 4 have worlds of different templates.", []uint32{0, 1}},
	} {
		f := makeFleet("b", c.processes, []registry.Shard{{Map: 0, Worker: 1, State: registry.Runs}, {Map: 1, Worker: 2, State: registry.Runs}})
		var waiting []uint32
		for _, s := range f.waiting() {
			waiting = append(waiting, s.Map)
		}
		lines, problem := strings.Join(f.lines(), "\n"), strings.Join(f.problems([]Answer{{Gateway: 7, Made: 5, Bus: 3}}), " ")
		if lines != c.lines || problem != c.problem || !slices.Equal(waiting, c.waiting) {
			t.Errorf("%s: maps %v wait, and the plan is\n%s\n%s\nwant %v,\n%s\n%s", name, waiting, lines, problem, c.waiting, c.lines, c.problem)
		}
	}
}

// Workers end one after the other: first those that drain already, then those with worlds, in the order of their IDs.
func TestNextWorkerEnds(t *testing.T) {
	t.Parallel()
	old := func(id uint64, draining bool) registry.Process {
		return registry.Process{ID: id, Role: registry.RoleWorker, Release: "a", Durable: true, Draining: draining}
	}
	shards := []registry.Shard{{Map: 0, Worker: 2}, {Map: 1, Worker: 3}, {Map: 2, Worker: 3}}
	for want, processes := range map[string][]registry.Process{
		"":                {{ID: 9, Role: registry.RoleWorker, Release: "b", Durable: true, Draining: true}},
		"1, of 0 worlds":  {old(1, false)},
		"2, of 1 worlds":  {old(1, false), old(2, false), old(3, false)},
		"3, of 2 worlds":  {old(1, false), old(2, false), old(3, true)},
		"1, of 0 worlds ": {old(1, true), old(2, false), old(3, false)},
	} {
		f := makeFleet("b", processes, shards)
		got := ""
		if p := f.next(); p != nil {
			got = fmt.Sprintf("%d, of %d worlds", p.ID, f.worldsOf(p))
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("worker %q ends, want %q", got, want)
		}
	}
}
