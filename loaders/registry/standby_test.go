package registry_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muster/loaders/registry"
)

// durable enlists a worker that keeps its worlds in logs.
func (r *rig) durable(pid int) *registry.Enlisted {
	r.t.Helper()
	e, err := r.Enlist(r.t.Context(), realm, registry.Process{Role: registry.RoleWorker, Host: "h", PID: pid, Capacity: 9, Durable: true})
	r.must(err)
	return e
}

// A standby is told what it follows, and reports how far it is. It takes the shard when the log says so, with a greater epoch, unless another worker was given it meanwhile;
// it is a standby no more then, as when it is withdrawn, leaves, or its shard is removed.
func TestStandbys(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.must(r.Declare(ctx, realm, []uint32{0, 571}))
	o, a, b, plain := r.enlist(registry.RoleOrchestrate, 0), r.durable(1), r.durable(2), r.enlist(registry.RoleWorker, 9)
	l := r.lead(o)
	shard := func(epoch uint64) registry.Shard { return registry.Shard{Map: 571, Epoch: epoch} }
	if _, err := l.Give(ctx, shard(0), a.ID()); err != nil {
		t.Fatal(err)
	}
	standby := registry.Standby{Map: 571, Worker: b.ID()}
	for _, cannot := range []registry.Standby{{Map: 571, Worker: a.ID()}, {Map: 571, Worker: plain.ID()}, {Map: 0, Worker: b.ID()}, {Map: 571, Worker: o.ID()}} {
		if err := l.Place(ctx, cannot); !errors.Is(err, registry.ErrOlder) {
			t.Errorf("%+v is placed: %v", cannot, err)
		}
	}
	r.must(l.Place(ctx, standby))
	has := func(want ...registry.Standby) {
		t.Helper()
		if _, _, got, err := l.State(ctx); err != nil || !slices.Equal(got, want) {
			t.Errorf("the standbys are %+v, %v, want %+v", got, err, want)
		}
		if got, err := r.Standbys(ctx, realm); err != nil || !slices.Equal(got, want) {
			t.Errorf("listed are %+v, %v, want %+v", got, err, want)
		}
	}
	has(standby)
	said := registry.Standby{Map: 571, Worker: b.ID(), Ready: true, Tick: 40}
	orders, err := b.Report(ctx, registry.Work{Follows: []registry.Standby{{Map: 571, Ready: true, Tick: 40}}})
	want := registry.Orders{Follows: []registry.Shard{{Map: 571, Worker: a.ID(), Epoch: 1, State: registry.Given}}}
	if err != nil || !reflect.DeepEqual(orders, want) {
		t.Errorf("it is told %+v, %v, want %+v", orders, err, want)
	}
	has(said)

	if epoch, err := b.Take(ctx, shard(1)); err != nil || epoch != 2 {
		t.Errorf("taken with epoch %d, %v", epoch, err)
	}
	has()
	if orders, err := a.Report(ctx, registry.Work{Runs: []registry.Shard{shard(1)}}); err != nil || !reflect.DeepEqual(orders, registry.Orders{}) {
		t.Errorf("the one before has %+v, %v", orders, err)
	}
	r.must(l.Place(ctx, registry.Standby{Map: 571, Worker: a.ID()}))
	c := r.durable(3)
	r.must(r.Move(ctx, realm, shard(2), c.ID()))
	if _, err := a.Take(ctx, shard(2)); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("a standby takes what another one was given: %v", err)
	}
	if err := r.Move(ctx, realm, shard(3), plain.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("it is moved to a worker that keeps no log: %v", err)
	}

	r.lapse(a)
	r.exec("UPDATE cluster.processes SET steady = now() WHERE id = $1", int64(o.ID()))
	of := registry.Standby{Map: 571, Worker: a.ID()}
	r.must(l.Withdraw(ctx, of))
	has(of) // the database may have been away
	r.exec("UPDATE cluster.processes SET steady = now() - interval '1 day'")
	r.must(l.Withdraw(ctx, of))
	has()
	r.must(l.Place(ctx, standby))
	r.must(b.Leave(ctx))
	has()

	r.must(r.NoteEnd(ctx, "other", "h", 3))
	r.must(r.NoteEnd(ctx, realm, "h2", 3))
	if epoch, err := l.Give(ctx, shard(3), a.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("given with epoch %d, %v while its worker lives", epoch, err)
	}
	r.must(r.NoteEnd(ctx, realm, "h", 3))
	d := r.durable(4)
	if epoch, err := l.Give(ctx, shard(3), d.ID()); err != nil || epoch != 4 {
		t.Errorf("given with epoch %d, %v after its worker has ended", epoch, err)
	}
}

// Workers of another release, or with other settings, are superseded, all at once; those of other realms and what is no worker are not. A superseded worker goes on,
// and no operator can move a shard to it while one is there that is not and does not drain. The registry has what ran a shard last.
func TestSupersede(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	enlist := func(realm, role, release, settings string) *registry.Enlisted {
		e, err := r.Enlist(ctx, realm, registry.Process{Role: role, Release: release, Settings: settings, Capacity: 1})
		r.must(err)
		return e
	}
	before, other := enlist(realm, registry.RoleWorker, "", ""), enlist(realm, registry.RoleWorker, "2", "x1")
	kept := []*registry.Enlisted{
		enlist(realm, registry.RoleWorker, "2", "x2"), enlist(realm, registry.RoleOrchestrate, "1", ""), enlist("elsewhere", registry.RoleWorker, "1", "x2"),
	}
	for _, want := range [][]uint64{{before.ID(), other.ID()}, nil} {
		if got, err := r.Supersede(ctx, realm, "2", "x2"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v are superseded, %v, want %v", got, err, want)
		}
	}
	superseded := func(want ...uint64) {
		t.Helper()
		list, err := r.Processes(ctx, realm)
		r.must(err)
		var got []uint64
		for _, p := range list {
			if p.Superseded {
				got = append(got, p.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v are superseded, want %v", got, want)
		}
	}
	superseded(before.ID(), other.ID())
	for _, e := range slices.Concat(kept, []*registry.Enlisted{before, other}) {
		if draining, err := e.Renew(ctx, 0); err != nil || draining || e.Ending() {
			t.Errorf("%d drains: %t, ends: %t, %v", e.ID(), draining, e.Ending(), err)
		}
	}
	r.must(r.Declare(ctx, realm, []uint32{4}))
	of := registry.Shard{Map: 4}
	if err := r.Move(ctx, realm, of, other.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("moved to a worker that is superseded: %v", err)
	}
	r.must(r.Move(ctx, realm, of, kept[0].ID()))
	of.Epoch = 1
	_, err := kept[0].Report(ctx, registry.Work{Runs: []registry.Shard{of}})
	r.must(err)
	list, err := r.Shards(ctx, realm)
	r.must(err)
	if i := slices.IndexFunc(list, func(s registry.Shard) bool { return s.Map == 4 }); i < 0 || list[i].Release != "2" || list[i].Settings != "x2" {
		t.Errorf("the shards are %+v, want map 4 run by release 2 with settings x2", list)
	}
	if got, err := r.Supersede(ctx, realm, "2", "x1"); err != nil || !slices.Equal(got, []uint64{kept[0].ID()}) { // back again
		t.Errorf("%v are superseded, %v, want %d", got, err, kept[0].ID())
	}
	superseded(before.ID(), kept[0].ID())
	if err := r.Move(ctx, realm, of, before.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("moved to a worker that is superseded: %v", err)
	}
	r.must(r.Drain(ctx, realm, other.ID()))
	r.must(r.Move(ctx, realm, of, before.ID()))
}

// Where some workers keep logs the others are given nothing. A standby that is ready is given the shard of a worker that has ended, whatever its load.
func TestAssignPrefersStandbys(t *testing.T) {
	t.Parallel()
	workers := []registry.Process{
		{ID: 1, Capacity: 9}, {ID: 2, Capacity: 9, Durable: true, Load: 1}, {ID: 3, Capacity: 9, Durable: true, Load: 2}, {ID: 4, Capacity: 9, Durable: true, Load: 0.5},
	}
	shards := []registry.Shard{{Map: 0, Worker: 9}, {Map: 1, Worker: 9}, {Map: 2, Worker: 9}}
	standbys := []registry.Standby{{Map: 0, Worker: 2}, {Map: 0, Worker: 3, Ready: true}, {Map: 1, Worker: 2}}
	want := []registry.Gift{{Shard: shards[0], Worker: 3}, {Shard: shards[1], Worker: 2}, {Shard: shards[2], Worker: 4}}
	if got := registry.Assign(workers, shards, standbys...); !slices.Equal(got, want) {
		t.Errorf("given are %+v, want %+v", got, want)
	}
}

// Whatever workers and standbys there are: afterwards each shard of a worker that lives has as many standbys as are wanted, or as can be; none is its worker, drains, is of another release, keeps no log
// or has no room, and nothing is left to do.
func TestAssignStandbysModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		each := rapid.IntRange(0, 3).Draw(t, "each")
		var workers []registry.Process
		for id := range rapid.Uint64Range(0, 5).Draw(t, "workers") {
			workers = append(workers, registry.Process{
				ID: id + 1, Capacity: rapid.IntRange(1, 8).Draw(t, "capacity"), Durable: rapid.Bool().Draw(t, "durable"), Draining: rapid.Bool().Draw(t, "draining"),
				Host: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "host"), Load: rapid.Float32Range(0, 2).Draw(t, "load"), Release: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "release"),
			})
		}
		var shards []registry.Shard
		var standbys []registry.Standby
		for id := range rapid.Uint32Range(0, 4).Draw(t, "shards") {
			shards = append(shards, registry.Shard{Map: id, Worker: rapid.Uint64Range(0, 6).Draw(t, "worker")})
			for _, w := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 6), 0, 3, rapid.ID).Draw(t, "standbys") {
				standbys = append(standbys, registry.Standby{Map: id, Worker: w, Ready: rapid.Bool().Draw(t, "ready")})
			}
		}
		worlds := func(w uint64) (n int) {
			for _, s := range shards {
				n += map[bool]int{true: 1}[s.Worker == w]
			}
			for _, s := range standbys {
				n += map[bool]int{true: 1}[s.Worker == w]
			}
			return n
		}
		placed, withdrawn := registry.AssignStandbys(workers, shards, standbys, each)
		standbys = slices.DeleteFunc(standbys, func(s registry.Standby) bool { return slices.Contains(withdrawn, s) })
		for _, s := range placed {
			i := slices.IndexFunc(workers, func(w registry.Process) bool { return w.ID == s.Worker })
			if i < 0 || worlds(s.Worker) >= workers[i].Capacity {
				t.Fatalf("%+v is placed at %+v, with %d worlds", s, workers, worlds(s.Worker))
			}
			standbys = append(standbys, s)
		}
		for _, s := range shards {
			follow := make(map[uint64]bool)
			for _, f := range standbys {
				if f.Map == s.Map {
					follow[f.Worker] = true
				}
			}
			owner := slices.IndexFunc(workers, func(w registry.Process) bool { return w.ID == s.Worker })
			other := func(w registry.Process) bool { return owner >= 0 && w.Release != workers[owner].Release }
			for _, w := range workers {
				if bad := s.Worker == w.ID || w.Draining || !w.Durable || other(w); bad && follow[w.ID] {
					t.Fatalf("%+v follows %+v", w, s)
				}
			}
			if len(follow) > each {
				t.Fatalf("%v follow %+v, want %d at most", follow, s, each)
			}
			for _, w := range workers {
				if owner >= 0 && !other(w) && len(follow) < each && w.Durable && !w.Draining && w.ID != s.Worker && !follow[w.ID] && worlds(w.ID) < w.Capacity {
					t.Fatalf("%v follow %+v, and %+v could", follow, s, w)
				}
			}
		}
		if placed, withdrawn = registry.AssignStandbys(workers, shards, standbys, each); len(placed)+len(withdrawn) > 0 {
			t.Fatalf("there is more to do: %+v, %+v", placed, withdrawn)
		}
	})
}
