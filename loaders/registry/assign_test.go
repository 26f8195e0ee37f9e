package registry_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muster/loaders/registry"
)

// An assignment is a machine of workers that come, go, drain and change their loads, and of shards that are given as Assign says.
type assignment struct {
	workers []registry.Process
	shards  []registry.Shard
	next    uint64
	durable bool // the workers keep logs
}

func (a *assignment) worker(id uint64) *registry.Process {
	if i := slices.IndexFunc(a.workers, func(w registry.Process) bool { return w.ID == id }); i >= 0 {
		return &a.workers[i]
	}
	return nil
}

// has is how many shards a worker has.
func (a *assignment) has(id uint64) (n int) {
	for _, s := range a.shards {
		if s.Worker == id {
			n++
		}
	}
	return n
}

// takes reports whether a worker could be given a shard. One that an upgrade is to end is handed it only if none that stays could be; and if it cannot go on with its log, it
// is only handed it, and only if none is there that stays.
func (a *assignment) takes(w *registry.Process, s registry.Shard) bool {
	had := a.worker(s.Worker)
	handed := had != nil && !unheard(had, s)
	switch {
	case w.Draining || a.has(w.ID) >= w.Capacity || w.Maps != nil && !slices.Contains(w.Maps, s.Map):
		return false
	case !w.Superseded:
		return true
	case !reads(w, s):
		return handed && !slices.ContainsFunc(a.workers, func(o registry.Process) bool { return !o.Superseded && !o.Draining })
	}
	return !handed || !slices.ContainsFunc(a.workers, func(o registry.Process) bool { return !o.Superseded && a.takes(&o, s) })
}

// reads reports whether a worker can go on with the log of a shard, if there is one.
func reads(w *registry.Process, s registry.Shard) bool {
	return !w.Durable || s.Release == "" || s.Release == w.Release
}

// unheard reports whether a worker is silent that was given a shard, and has not said that it runs.
func unheard(w *registry.Process, s registry.Shard) bool {
	return w.Silent && s.State == registry.Given
}

// waits reports whether all workers that are to have a shard before any other are silent.
func (a *assignment) waits(s registry.Shard) bool {
	had := a.worker(s.Worker)
	handed := had != nil && !unheard(had, s)
	first, silent := 8, false
	for i := range a.workers {
		w := &a.workers[i]
		if !a.takes(w, s) {
			continue
		}
		class := 0
		for i, is := range []bool{w.Superseded, !reads(w, s), w.Superseded && handed} {
			if is {
				class += 1 << i
			}
		}
		switch {
		case class < first:
			first, silent = class, w.Silent
		case class == first:
			silent = silent && w.Silent
		}
	}
	return silent
}

// any is one of the workers, nil if there are none.
func (a *assignment) any(t *rapid.T) *registry.Process {
	if len(a.workers) == 0 {
		return nil
	}
	return &a.workers[rapid.IntRange(0, len(a.workers)-1).Draw(t, "worker")]
}

// assign gives what Assign says, and checks each gift.
func (a *assignment) assign(t *rapid.T) {
	gifts := registry.Assign(a.workers, a.shards)
	if again := registry.Assign(slices.Clone(a.workers), slices.Clone(a.shards)); !slices.Equal(gifts, again) {
		t.Fatalf("the same workers and shards are assigned as %+v and %+v", gifts, again)
	}
	given := make(map[uint32]bool)
	for _, g := range gifts {
		i := slices.Index(a.shards, g.Shard)
		w := a.worker(g.Worker)
		if i < 0 || given[g.Shard.Map] || w == nil || w.Silent || !a.takes(w, g.Shard) {
			t.Fatalf("gift %+v to %+v, which cannot have it", g, w)
		}
		if had := a.worker(g.Shard.Worker); had != nil && !had.Draining && !unheard(had, g.Shard) {
			t.Fatalf("gift %+v of a shard that runs", g)
		}
		for j := range a.workers {
			other := &a.workers[j]
			switch {
			case !a.takes(other, g.Shard):
			case reads(other, g.Shard) && !reads(w, g.Shard):
				t.Fatalf("gift %+v to %+v, which cannot go on with its log, and %+v could", g, w, other)
			case reads(other, g.Shard) != reads(w, g.Shard):
			case w.Superseded && !other.Superseded:
				t.Fatalf("gift %+v to a worker that is to end, and %+v is not", g, other)
			case w.Superseded == other.Superseded && !other.Silent && a.load(other) < a.load(w)-1e-5: // each shard that was given now counts a tenth of a core
				t.Fatalf("gift %+v to a worker with a load of %v, where another one has %v", g, a.load(w), a.load(other))
			}
		}
		given[g.Shard.Map] = true
		a.shards[i].Worker, a.shards[i].Epoch, a.shards[i].State = g.Worker, g.Shard.Epoch+1, registry.Given
	}
	for _, s := range a.shards {
		if had := a.worker(s.Worker); had != nil && !had.Draining && !unheard(had, s) || a.waits(s) {
			continue
		}
		for j := range a.workers {
			if a.takes(&a.workers[j], s) {
				t.Fatalf("%+v has no worker that stays, and %+v could have it", s, a.workers[j])
			}
		}
	}
	if again := registry.Assign(a.workers, a.shards); len(again) > 0 {
		t.Fatalf("after the gifts there are more: %+v", again)
	}
}

// load is the load of a worker with a tenth of a core for each shard of which none is known, and as much for each thousand players.
func (a *assignment) load(w *registry.Process) float32 {
	load := w.Load
	for _, s := range a.shards {
		if s.Worker != w.ID {
			continue
		}
		if load += float32(s.Players) / 10_000; s.State != registry.Runs {
			load += 0.1
		}
	}
	return load
}

// Whatever workers do, each shard that some worker can have is one's, one that runs stays where it is, no silent worker is given any, no worker has more than it takes or what is not in its
// world, and each goes to the worker with the least load, its players counted in, of those that can go on with its log. Those that an upgrade is to end are given what no other one can go on with, or
// has room for.
func TestAssignModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := &assignment{durable: rapid.Bool().Draw(t, "durable")}
		for id := range rapid.Uint32Range(1, 8).Draw(t, "maps") {
			a.shards = append(a.shards, registry.Shard{Map: id, State: registry.Free})
		}
		t.Repeat(map[string]func(*rapid.T){
			"come": func(t *rapid.T) {
				a.next++
				w := registry.Process{
					ID: a.next, Capacity: rapid.IntRange(1, 5).Draw(t, "capacity"), Load: rapid.Float32Range(0, 2).Draw(t, "load"),
					Release: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "release"), Durable: a.durable,
				}
				if rapid.Bool().Draw(t, "some maps") {
					w.Maps = rapid.SliceOfDistinct(rapid.Uint32Range(0, 8), rapid.ID).Draw(t, "maps")
				}
				a.workers = append(a.workers, w)
			},
			"go": func(t *rapid.T) { // its lease is over: what it has is as if it were there
				if w := a.any(t); w != nil {
					id := w.ID
					a.workers = slices.DeleteFunc(a.workers, func(o registry.Process) bool { return o.ID == id })
				}
			},
			"leave": func(t *rapid.T) {
				if w := a.any(t); w != nil {
					id := w.ID
					a.workers = slices.DeleteFunc(a.workers, func(o registry.Process) bool { return o.ID == id })
					for i := range a.shards {
						if a.shards[i].Worker == id {
							a.shards[i].Worker, a.shards[i].State = 0, registry.Free
						}
					}
				}
			},
			"drain": func(t *rapid.T) {
				if w := a.any(t); w != nil {
					w.Draining = true
				}
			},
			"hush": func(t *rapid.T) {
				if w := a.any(t); w != nil {
					w.Silent = !w.Silent
				}
			},
			"upgrade": func(t *rapid.T) {
				to := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "release")
				for i := range a.workers {
					a.workers[i].Superseded = a.workers[i].Release != to
				}
			},
			"report": func(t *rapid.T) {
				if w := a.any(t); w != nil {
					w.Silent = false
					w.Load = rapid.Float32Range(0, 2).Draw(t, "load")
					for i := range a.shards {
						if a.shards[i].Worker == w.ID {
							a.shards[i].State, a.shards[i].Release = registry.Runs, w.Release
							a.shards[i].Players = rapid.IntRange(0, 10_000).Draw(t, "players")
						}
					}
				}
			},
			"assign": a.assign,
		})
		a.assign(t)
	})
}

// Players count: of workers whose ticks take as much the one with fewer players is given a world, and those of a world that goes elsewhere count there at once. A thousand are as much
// as a tenth of a core, and no more.
func TestAssignByPlayers(t *testing.T) {
	t.Parallel()
	worker := func(id uint64, load float32, drains bool) registry.Process {
		return registry.Process{ID: id, Capacity: 9, Load: load, Draining: drains}
	}
	runs := func(id uint32, worker uint64, players int) registry.Shard {
		return registry.Shard{Map: id, Worker: worker, State: registry.Runs, Players: players}
	}
	free := func(id uint32) registry.Shard { return registry.Shard{Map: id, State: registry.Free} }
	for name, test := range map[string]struct {
		workers []registry.Process
		shards  []registry.Shard
		want    []uint64 // workers, in the order of the gifts
	}{
		"fewer players":       {[]registry.Process{worker(1, 0.2, false), worker(2, 0.2, false)}, []registry.Shard{runs(1, 1, 300), runs(2, 2, 200), free(3)}, []uint64{2}},
		"more, but less load": {[]registry.Process{worker(1, 0.2, false), worker(2, 0.1, false)}, []registry.Shard{runs(1, 1, 0), runs(2, 2, 900), free(3)}, []uint64{2}},
		"too many":            {[]registry.Process{worker(1, 0.2, false), worker(2, 0.1, false)}, []registry.Shard{runs(1, 1, 0), runs(2, 2, 1100), free(3)}, []uint64{1}},
		"of a worker that drains": {
			[]registry.Process{worker(1, 0, false), worker(2, 0.05, false), worker(3, 1, true)},
			[]registry.Shard{runs(1, 3, 3000), runs(2, 3, 0), runs(3, 3, 0), runs(4, 3, 0)}, []uint64{1, 2, 2, 2},
		},
	} {
		var got []uint64
		for _, g := range registry.Assign(test.workers, test.shards) {
			got = append(got, g.Worker)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: given to %v, want %v", name, got, test.want)
		}
	}
}

// Without logs the release of the worker that ran a world last does not count: the load does.
func TestAssignWithoutLogs(t *testing.T) {
	t.Parallel()
	for _, durable := range []bool{false, true} {
		workers := []registry.Process{{ID: 1, Capacity: 9, Load: 2, Release: "1", Durable: durable}, {ID: 2, Capacity: 9, Release: "2", Durable: durable}}
		want := []registry.Gift{{Shard: registry.Shard{Map: 1, State: registry.Free, Release: "1"}, Worker: 2}}
		if durable {
			want[0].Worker = 1
		}
		if got := registry.Assign(workers, []registry.Shard{want[0].Shard}); !slices.Equal(got, want) {
			t.Errorf("with logs %t: given are %+v, want %+v", durable, got, want)
		}
	}
}

// An upgrade that was given up leaves workers superseded. They have the worlds of one another if no new worker has room, and while none stays are handed what the new release
// has run. They do not keep a world from a new worker that comes back if only that can go on with its log.
func TestAssignSuperseded(t *testing.T) {
	t.Parallel()
	worker := func(id uint64, release string, change func(*registry.Process)) registry.Process {
		w := registry.Process{ID: id, Capacity: 9, Durable: true, Release: release, Superseded: release == "old"}
		if change != nil {
			change(&w)
		}
		return w
	}
	drains := func(w *registry.Process) { w.Draining = true }
	other := func(w *registry.Process) { w.Maps = []uint32{2} }
	full := func(w *registry.Process) { w.Capacity = 0 }
	unlogged := func(w *registry.Process) { w.Durable = false }
	for _, test := range []struct {
		name    string
		workers []registry.Process // from 2 on; 1 is an old one that drains
		owner   uint64
		release string // that ran the shard last
		want    uint64 // 0: it stays
	}{
		{"upgraded", []registry.Process{worker(2, "old", nil), worker(3, "new", nil)}, 1, "old", 3},
		{"no new worker", []registry.Process{worker(2, "old", nil)}, 1, "old", 2},
		{"new worker drains", []registry.Process{worker(2, "old", nil), worker(3, "new", drains)}, 1, "old", 2},
		{"new worker has no room", []registry.Process{worker(2, "old", nil), worker(3, "new", full)}, 1, "old", 2},
		{"new worker has not the map", []registry.Process{worker(2, "old", nil), worker(3, "new", other)}, 1, "old", 2},
		{"new worker keeps no log", []registry.Process{worker(2, "old", nil), worker(3, "new", unlogged)}, 1, "old", 2},
		{"ended in the middle", []registry.Process{worker(2, "old", nil), worker(3, "new", nil)}, 0, "old", 2},
		{"run by the new release, which is gone", []registry.Process{worker(2, "old", nil)}, 0, "new", 0},
		{"run by the new release, which drains", []registry.Process{worker(2, "old", nil), worker(3, "new", drains)}, 3, "new", 2},
		{"run by the new release, which has no room", []registry.Process{worker(2, "old", nil), worker(3, "new", full)}, 0, "new", 0},
	} {
		s := registry.Shard{Map: 1, Worker: test.owner, State: registry.Runs, Release: test.release}
		got := uint64(0)
		for _, g := range registry.Assign(append(test.workers, worker(1, "old", drains)), []registry.Shard{s}) {
			got = g.Worker
		}
		if got != test.want {
			t.Errorf("%s: given to %d, want %d", test.name, got, test.want)
		}
	}
}
