package registry_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"muster/internal/testseed"
	"muster/loaders/registry"
)

const realm = "r"

// mapsOf are the maps of the processes of a role.
var mapsOf = map[string][]uint32{registry.RoleWorker: {0, 1, 571, 1 << 31}}

func (r *rig) enlist(role string, capacity int) *registry.Enlisted {
	r.t.Helper()
	e, err := r.Enlist(r.t.Context(), realm, registry.Process{Role: role, Host: "h", PID: 7, Admin: "a:1", Capacity: capacity, Maps: mapsOf[role]})
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// shards are those of the realm.
func (r *rig) shards() []registry.Shard {
	r.t.Helper()
	list, err := r.Shards(r.t.Context(), realm)
	r.must(err)
	return list
}

func (r *rig) lead(e *registry.Enlisted) *registry.Leader {
	r.t.Helper()
	l, err := e.Lead(r.t.Context())
	for since := time.Now(); errors.Is(err, registry.ErrLed) && time.Since(since) < testSilence; { // a session that ends has the lock for a moment
		l, err = e.Lead(r.t.Context())
	}
	r.must(err)
	r.t.Cleanup(l.Close)
	return l
}

// lapse has the lease of a process end a millisecond ago, while all others have renewed theirs for a day.
func (r *rig) lapse(e *registry.Enlisted) {
	r.t.Helper()
	r.exec("UPDATE cluster.processes SET steady = now() - interval '1 day'")
	r.exec("UPDATE cluster.processes SET until = now() - interval '1 millisecond' WHERE id = $1", int64(e.ID()))
}

// hush has a process have renewed its lease last a third of it and a millisecond ago.
func (r *rig) hush(e *registry.Enlisted) {
	r.t.Helper()
	r.exec("UPDATE cluster.processes SET until = now() + $2 WHERE id = $1", int64(e.ID()), testLease-testLease/3-time.Millisecond)
}

// A process is listed as it was enlisted until it leaves or its lease is over, and leads while it has the lock.
func TestProcesses(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	list := func() []registry.Process {
		t.Helper()
		all, err := r.Processes(ctx, realm)
		r.must(err)
		return all
	}
	a, b := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleWorker, 3)
	if _, err := r.Enlist(ctx, "other", registry.Process{Role: registry.RoleWorker}); err != nil {
		t.Fatal(err)
	}
	r.lead(a)
	if _, err := b.Renew(ctx, 0.5); err != nil {
		t.Fatal(err)
	}
	r.must(r.Drain(ctx, realm, b.ID()))
	if err := r.Drain(ctx, realm, a.ID()); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("what is no worker is drained: %v", err)
	}
	want := []registry.Process{
		{ID: a.ID(), Role: "orchestrate", Host: "h", PID: 7, Admin: "a:1", Leads: true},
		{ID: b.ID(), Role: "worker", Host: "h", PID: 7, Admin: "a:1", Capacity: 3, Load: 0.5, Draining: true, Maps: []uint32{0, 1, 571, 1 << 31}},
	}
	if got := list(); !reflect.DeepEqual(got, want) {
		t.Errorf("listed are %+v, want %+v", got, want)
	}
	if drains, err := b.Renew(ctx, 0); err != nil || !drains {
		t.Errorf("renewed with %t, %v, want that it drains", drains, err)
	}
	r.must(r.Undrain(ctx, realm, b.ID()))
	if drains, err := b.Renew(ctx, 0); err != nil || drains {
		t.Errorf("renewed with %t, %v, want that it drains no more", drains, err)
	}
	if err := r.Undrain(ctx, realm, b.ID()); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("one that does not drain is given shards again: %v", err)
	}
	if role, err := r.End(ctx, realm, b.ID()); role != registry.RoleWorker || err != nil {
		t.Errorf("%s is to end: %v", role, err)
	}
	if err := r.Undrain(ctx, realm, b.ID()); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("one that is to end is given shards again: %v", err)
	}
	r.lapse(b)
	if got := list(); len(got) != 1 {
		t.Errorf("%d processes are listed after a lease is over, want 1", len(got))
	}
	r.must(a.Leave(ctx))
	if got := list(); len(got) != 0 {
		t.Errorf("%d processes are listed at the end, want none", len(got))
	}
	if _, err := a.Renew(ctx, 0); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("it renews after it has left: %v", err)
	}
}

// One process leads at a time: another one when it has closed, when its session is ended, and when it has done nothing for its Silence.
func TestLeader(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	a, b := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleOrchestrate, 0)
	led := func(e *registry.Enlisted) {
		t.Helper()
		if l, err := e.Lead(ctx); !errors.Is(err, registry.ErrLed) {
			t.Errorf("two lead: %v, %v", l, err)
		}
	}
	first := r.lead(a)
	led(b)
	sessions := r.sessions()
	for range 20 {
		led(b)
	}
	if now := r.sessions(); now != sessions {
		t.Errorf("to ask who leads needs sessions of its own: there were %s, and are %s", sessions, now)
	}
	first.Close()
	second := r.lead(b)
	led(a)
	other := r.enlistIn("other")
	r.lead(other) // of another realm
	r.exec("SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND datname = current_database()")
	if _, _, _, err := second.State(ctx); err == nil {
		t.Error("it leads without its session")
	}
	brief, err := registry.Open(ctx, registry.Config{URL: r.url, ProcessLease: testLease})
	r.must(err)
	t.Cleanup(brief.Close)
	c, err := brief.Enlist(ctx, realm, registry.Process{Role: registry.RoleOrchestrate})
	r.must(err)
	idle := r.lead(c)
	since := time.Now()
	for l, err := b.Lead(ctx); ; l, err = b.Lead(ctx) {
		if err == nil {
			l.Close()
			break
		}
		if time.Since(since) > testSilence {
			t.Fatal("a leader that does nothing goes on leading")
		}
	}
	if _, err := idle.Give(ctx, registry.Shard{}, 0); err == nil || errors.Is(err, registry.ErrOlder) {
		t.Errorf("it gives with %v, want that its session has ended", err)
	}
}

// Stay is heard by the database on the session that has the lock, and says that it has ended.
func TestStay(t *testing.T) {
	r := newRig(t)
	l := r.lead(r.enlist(registry.RoleOrchestrate, 0))
	const of = " FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND datname = current_database()"
	heard := func() (at time.Time) {
		t.Helper()
		r.must(r.raw.QueryRow(t.Context(), "SELECT state_change"+of).Scan(&at))
		return at
	}
	before := heard()
	r.must(l.Stay(t.Context()))
	if after := heard(); !after.After(before) {
		t.Errorf("the session is silent since %v, and was since %v", after, before)
	}
	r.exec("SELECT pg_terminate_backend(pid)" + of)
	if err := l.Stay(t.Context()); err == nil {
		t.Error("a session that has ended is heard")
	}
}

// sessions are the processes of the database for the registry.
func (r *rig) sessions() (pids string) {
	r.t.Helper()
	r.must(r.raw.QueryRow(r.t.Context(), `SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'muster registry'`).Scan(&pids))
	return pids
}

func (r *rig) enlistIn(realm string) *registry.Enlisted {
	r.t.Helper()
	e, err := r.Enlist(r.t.Context(), realm, registry.Process{Role: registry.RoleOrchestrate})
	r.must(err)
	return e
}

// What a worker says of a shard counts while the epoch is its own. Another one is given the shard when the first has given it up, has left, drains,
// or has not renewed its lease, and then only if the leader has renewed its own for as long.
func TestShards(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.must(r.Declare(ctx, realm, []uint32{0, 571}))
	r.must(r.Declare(ctx, realm, []uint32{571}))
	o, a, b := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleWorker, 9), r.enlist(registry.RoleWorker, 9)
	l := r.lead(o)
	give := func(s registry.Shard, w *registry.Enlisted, want uint64, fails error) {
		t.Helper()
		if epoch, err := l.Give(ctx, s, w.ID()); epoch != want || !errors.Is(err, fails) {
			t.Errorf("given with epoch %d, %v, want %d, %v", epoch, err, want, fails)
		}
	}
	report := func(w *registry.Enlisted, s registry.Shard, want ...registry.Shard) {
		t.Helper()
		if o, err := w.Report(ctx, registry.Work{Load: 0.25, Runs: []registry.Shard{s}}); err != nil || !slices.Equal(o.Own, want) || len(o.Follows)+len(o.Gone) > 0 {
			t.Errorf("it has %+v, %v, want %+v", o, err, want)
		}
	}
	shard := func(epoch uint64) registry.Shard { return registry.Shard{Map: 571, Epoch: epoch} }
	give(shard(1), a, 0, registry.ErrOlder)
	give(shard(0), o, 1, nil) // the role is the caller's to see to
	r.must(o.GiveUp(ctx, shard(1)))
	give(shard(1), a, 2, nil)
	give(shard(2), b, 0, registry.ErrOlder) // a has it
	running := registry.Shard{Map: 571, Worker: a.ID(), Epoch: 2, State: registry.Runs, Tick: 100, Players: 3}
	report(a, running, running)
	report(b, registry.Shard{Map: 571, Epoch: 2, Tick: 7}) // which is not its own
	r.lapse(a)
	r.exec("UPDATE cluster.processes SET steady = now() WHERE id = $1", int64(o.ID()))
	give(shard(2), b, 0, registry.ErrOlder)
	report(a, registry.Shard{Map: 571, Epoch: 1, Tick: 1}, running) // of an older epoch
	r.lapse(a)
	give(shard(2), b, 3, nil)
	report(a, running)
	if err := a.GiveUp(ctx, shard(2)); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("it gives up what is another's: %v", err)
	}
	r.must(r.Drain(ctx, realm, b.ID()))
	give(shard(3), a, 4, nil)
	give(shard(4), b, 0, registry.ErrOlder) // which drains
	r.must(a.Leave(ctx))
	if got, want := r.shards(), []registry.Shard{{State: "free"}, {Map: 571, Epoch: 4, State: "free"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("at the end the shards are %+v, want %+v", got, want)
	}
	c := r.enlist(registry.RoleWorker, 9)
	r.must(r.Move(ctx, realm, shard(4), c.ID()))
	if err := r.Move(ctx, realm, shard(4), c.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("an older epoch moves: %v", err)
	}
	report(c, shard(5), registry.Shard{Map: 571, Worker: c.ID(), Epoch: 5, State: registry.Runs, Moved: true})
}

// A worker that has not renewed its lease for a third of it is given no shard, and one that it was given and does not run yet is given to another one. That needs no
// leader that has been there for as long as a lease: what the first says of the shard when it comes back is refused. One that it runs stays its own while its lease is not over.
func TestSilentWorker(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.must(r.Declare(ctx, realm, []uint32{571}))
	l := r.lead(r.enlist(registry.RoleOrchestrate, 0))
	a, b := r.enlist(registry.RoleWorker, 9), r.enlist(registry.RoleWorker, 9)
	silent := func(want ...uint64) {
		t.Helper()
		workers, _, _, err := l.State(ctx)
		r.must(err)
		var got []uint64
		for _, w := range workers {
			if w.Silent {
				got = append(got, w.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("silent are %v, want %v", got, want)
		}
	}
	give := func(epoch uint64, w *registry.Enlisted, want uint64, fails error) {
		t.Helper()
		if got, err := l.Give(ctx, registry.Shard{Map: 571, Epoch: epoch}, w.ID()); got != want || !errors.Is(err, fails) {
			t.Errorf("given with epoch %d, %v, want %d, %v", got, err, want, fails)
		}
	}
	says := func(w *registry.Enlisted, epoch uint64, want ...registry.Shard) {
		t.Helper()
		if o, err := w.Report(ctx, registry.Work{Runs: []registry.Shard{{Map: 571, Epoch: epoch, Tick: epoch}}}); err != nil || !slices.Equal(o.Own, want) {
			t.Errorf("it has %+v, %v, want %+v", o, err, want)
		}
	}
	silent()
	r.hush(a)
	silent(a.ID())
	give(0, a, 0, registry.ErrOlder)
	says(a, 0)
	silent()
	give(0, a, 1, nil)
	give(1, b, 0, registry.ErrOlder) // a is heard
	r.hush(a)
	give(1, b, 0, registry.ErrOlder) // it may be for the database that it is not
	l.Heard(testLease/3 - 1)
	give(1, b, 0, registry.ErrOlder)
	l.Heard(testLease / 3)
	if err := r.Move(ctx, realm, r.shards()[0], a.ID()); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("moved to a silent worker: %v", err)
	}
	give(1, b, 2, nil)
	given := registry.Shard{Map: 571, Worker: b.ID(), Epoch: 2, State: registry.Given}
	says(a, 1)
	if got := r.shards(); !slices.Equal(got, []registry.Shard{given}) {
		t.Errorf("after the first has come back the shards are %+v, want %+v", got, given)
	}
	given.State, given.Tick = registry.Runs, 2
	says(b, 2, given)
	r.hush(b)
	give(2, a, 0, registry.ErrOlder) // b runs it
}

// What begins while others are there knows of them that the database was not away: it gives what a worker has whose lease is over as soon as the one could that has been there
// for longest. What begins alone does not: all leases may be over because the database was away. Nor
// does what begins while the others have not been heard for a third of theirs.
func TestSteadyAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		others string // lease of the other orchestrator
		want   error
	}{
		"others are there":  {"1 day", nil},
		"others are silent": {"800 seconds", registry.ErrOlder}, // two thirds of testLease are 823 s
		"it is alone":       {"-1 millisecond", registry.ErrOlder},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			ctx := t.Context()
			r.must(r.Declare(ctx, realm, []uint32{571}))
			other, a, b := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleWorker, 9), r.enlist(registry.RoleWorker, 9)
			first := r.lead(other)
			_, err := first.Give(ctx, registry.Shard{Map: 571}, a.ID())
			r.must(err)
			_, err = a.Report(ctx, registry.Work{Runs: []registry.Shard{{Map: 571, Epoch: 1}}})
			r.must(err)
			first.Close()
			r.exec("UPDATE cluster.processes SET steady = now() - interval '1 day', until = now() - interval '1 millisecond'")
			r.exec("UPDATE cluster.processes SET until = now() + $2 WHERE id = $1", int64(other.ID()), c.others)
			l := r.lead(r.enlist(registry.RoleOrchestrate, 0))
			r.exec("UPDATE cluster.processes SET until = now() + interval '1 day' WHERE id = $1", int64(b.ID()))
			if _, err := l.Give(ctx, registry.Shard{Map: 571, Epoch: 1}, b.ID()); !errors.Is(err, c.want) {
				t.Errorf("given with %v, want %v", err, c.want)
			}
		})
	}
}

// Shards are given to the worker with the least load, and stay where they are while that lives and does not drain, nor is silent before it runs them.
func TestAssign(t *testing.T) {
	t.Parallel()
	worker := func(id uint64, load float32, capacity int) registry.Process {
		return registry.Process{ID: id, Load: load, Capacity: capacity}
	}
	drains := worker(9, 0, 9)
	drains.Draining = true
	silent := worker(8, 0, 9)
	silent.Silent = true
	shard := func(id uint32, worker uint64) registry.Shard {
		return registry.Shard{Map: id, Worker: worker, State: registry.Runs}
	}
	unheard := shard(8, 8)
	unheard.State = registry.Given
	given := shard(9, 1)
	given.State = registry.Given
	for name, test := range map[string]struct {
		workers []registry.Process
		shards  []registry.Shard
		want    map[uint32]uint64 // workers, by map
	}{
		"spread":     {[]registry.Process{worker(1, 0, 9), worker(2, 0, 9)}, []registry.Shard{shard(0, 0), shard(1, 0), shard(2, 0)}, map[uint32]uint64{0: 1, 1: 2, 2: 1}},
		"load":       {[]registry.Process{worker(1, 0.5, 9), worker(2, 0.35, 9)}, []registry.Shard{shard(0, 0), shard(1, 0), shard(2, 0)}, map[uint32]uint64{0: 2, 1: 2, 2: 1}},
		"fewest":     {[]registry.Process{worker(1, 0, 9), worker(2, 0, 9)}, []registry.Shard{shard(0, 1), shard(1, 0)}, map[uint32]uint64{1: 2}},
		"not begun":  {[]registry.Process{worker(1, 0, 9), worker(2, 0.05, 9)}, []registry.Shard{given, shard(1, 0)}, map[uint32]uint64{1: 2}},
		"capacity":   {[]registry.Process{worker(1, 0, 1)}, []registry.Shard{shard(0, 0), shard(1, 0)}, map[uint32]uint64{0: 1}},
		"lost":       {[]registry.Process{worker(1, 0, 9)}, []registry.Shard{shard(0, 1), shard(1, 2)}, map[uint32]uint64{1: 1}},
		"drains":     {[]registry.Process{worker(1, 0, 9), drains}, []registry.Shard{shard(0, 9), shard(1, 0)}, map[uint32]uint64{0: 1, 1: 1}},
		"silent":     {[]registry.Process{worker(1, 2, 9), silent}, []registry.Shard{shard(0, 0), shard(1, 8), unheard}, map[uint32]uint64{0: 1, 8: 1}},
		"all silent": {[]registry.Process{silent}, []registry.Shard{shard(0, 0), unheard}, map[uint32]uint64{}},
		"no map":     {[]registry.Process{{ID: 1, Capacity: 9, Maps: []uint32{1}}, {ID: 2, Capacity: 9, Maps: []uint32{1, 2}}}, []registry.Shard{shard(0, 0), shard(1, 2), shard(2, 0)}, map[uint32]uint64{2: 2}},
		"no workers": {nil, []registry.Shard{shard(0, 0)}, map[uint32]uint64{}},
	} {
		got := make(map[uint32]uint64)
		for _, g := range registry.Assign(test.workers, test.shards) {
			got[g.Shard.Map] = g.Worker
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// An orchestrator of the model may be paused between what it has read and what it gives.
type orchestrator struct {
	*registry.Enlisted
	leader *registry.Leader
	gifts  []registry.Gift // of what it has read
}

// However orchestrators and workers are paused, lose their sessions and their leases: each epoch of a shard is one worker's, epochs grow, what a worker
// believes to have with an older epoch is not written, and when all is quiet every shard has a worker that lives.
func TestEpochs(t *testing.T) {
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 29))
	r := newRig(t)
	ctx := t.Context()
	maps := []uint32{0, 1, 571}
	r.must(r.Declare(ctx, realm, maps))
	orchestrators := make([]*orchestrator, 3)
	for i := range orchestrators {
		orchestrators[i] = &orchestrator{Enlisted: r.enlist(registry.RoleOrchestrate, 0)}
	}
	workers := make([]*registry.Enlisted, 3)
	beliefs := make([][]registry.Shard, len(workers)) // what each has heard last to have
	for i := range workers {
		workers[i] = r.enlist(registry.RoleWorker, 2)
	}
	type epoch struct {
		id     uint32
		number uint64
	}
	owners := make(map[epoch]uint64)
	newest := make(map[uint32]uint64)
	owns := func(s registry.Shard) {
		t.Helper()
		e := epoch{s.Map, s.Epoch}
		if was, ok := owners[e]; ok && was != s.Worker {
			t.Fatalf("epoch %d of map %d is that of workers %d and %d", s.Epoch, s.Map, was, s.Worker)
		}
		owners[e] = s.Worker
	}
	outcomes := make(map[string]int)
	lead := func(o *orchestrator) {
		if o.leader != nil {
			return
		}
		l, err := o.Lead(ctx)
		if err == nil {
			o.leader = l
		} else if !errors.Is(err, registry.ErrLed) {
			t.Fatal(err)
		}
	}
	lose := func(o *orchestrator) { o.leader.Close(); o.leader, o.gifts = nil, nil }
	read := func(o *orchestrator) {
		if o.leader == nil {
			return
		}
		if live, all, _, err := o.leader.State(ctx); err != nil {
			outcomes["lost session"]++
			lose(o)
		} else {
			o.gifts = registry.Assign(live, all)
		}
	}
	give := func(o *orchestrator) {
		for _, g := range o.gifts {
			number, err := o.leader.Give(ctx, g.Shard, g.Worker)
			switch {
			case errors.Is(err, registry.ErrOlder):
				outcomes["older"]++
				continue
			case err != nil:
				outcomes["lost session"]++
				lose(o)
				return
			}
			outcomes["given"]++
			if number <= newest[g.Shard.Map] {
				t.Fatalf("epoch %d of map %d follows %d", number, g.Shard.Map, newest[g.Shard.Map])
			}
			newest[g.Shard.Map] = number
			owns(registry.Shard{Map: g.Shard.Map, Epoch: number, Worker: g.Worker})
		}
		o.gifts = nil
	}
	report := func(i, n int) {
		running := beliefs[i]
		for at := range running {
			running[at].Tick, running[at].Players = uint64(n), i+1
		}
		orders, err := workers[i].Report(ctx, registry.Work{Runs: running})
		r.must(err)
		given := orders.Own
		for _, s := range given {
			if owns(s); s.Worker != workers[i].ID() {
				t.Fatalf("worker %d is told that it has %+v", i, s)
			}
		}
		if len(given) < len(running) {
			outcomes["taken"]++
		}
		beliefs[i] = given
	}
	check := func() {
		t.Helper()
		for _, s := range r.shards() {
			if s.Worker == 0 {
				continue
			}
			owns(s)
			if s.Players > 0 && s.Worker != workers[s.Players-1].ID() {
				t.Fatalf("worker %d has written %+v", s.Players-1, s)
			}
		}
	}
	for n := range 1000 {
		o, w := orchestrators[dice.IntN(3)], dice.IntN(3)
		for _, other := range orchestrators { // most of what the others do is nothing
			if other.leader != nil && dice.IntN(4) > 0 {
				o = other
			}
		}
		switch dice.IntN(14) {
		case 0, 1:
			lead(o)
		case 2, 3:
			read(o)
		case 4, 5:
			give(o)
		case 6:
			r.lapse(workers[w])
		case 7:
			r.exec("SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND datname = current_database()")
		case 8:
			if len(beliefs[w]) > 0 {
				if err := workers[w].GiveUp(ctx, beliefs[w][0]); err != nil && !errors.Is(err, registry.ErrOlder) {
					t.Fatal(err)
				}
				beliefs[w] = beliefs[w][1:]
			}
		case 9:
			for _, s := range r.shards()[dice.IntN(3):][:1] {
				err := r.Move(ctx, realm, s, workers[w].ID())
				if err == nil { // else its lease is over
					newest[s.Map] = s.Epoch + 1
				} else if !errors.Is(err, registry.ErrOlder) {
					t.Fatal(err)
				}
			}
		default:
			report(w, n+1)
		}
		check()
	}
	for _, what := range []string{"given", "older", "lost session", "taken"} {
		if outcomes[what] == 0 {
			t.Errorf("%s: never: the steps are no test of that", what)
		}
	}
	for i := range workers {
		report(i, 1000)
	}
	r.exec("UPDATE cluster.processes SET steady = now() - interval '1 day', until = now() + interval '1 day'")
	has := ""
	for since := time.Now(); has != "0 true 1 true 571 true "; {
		if time.Since(since) > testSilence {
			t.Fatalf("when all is quiet: %s", has)
		}
		for _, o := range orchestrators {
			lead(o)
			read(o)
			give(o)
		}
		has = ""
		for _, s := range r.shards() {
			has += fmt.Sprint(s.Map, " ", s.Worker != 0, " ")
		}
	}
	for _, o := range orchestrators {
		if o.leader != nil {
			o.leader.Close()
		}
	}
}

// A process whose lease was over an hour ago is forgotten, but not when all leases were: the database was away, or its clock has gone forward.
func TestForget(t *testing.T) {
	r := newRig(t)
	orchestrator, worker := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleWorker, 0)
	l := r.lead(orchestrator)
	known := func(want bool) {
		t.Helper()
		_, _, _, err := l.State(t.Context())
		r.must(err)
		var is bool
		r.must(r.raw.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM cluster.processes WHERE id = $1)", int64(worker.ID())).Scan(&is))
		if is != want {
			t.Errorf("the worker is known: %t, want %t", is, want)
		}
	}
	r.exec("UPDATE cluster.processes SET until = until - interval '3 hours', steady = steady - interval '3 hours'")
	known(true)
	_, err := orchestrator.Renew(t.Context(), 0)
	r.must(err)
	known(true)
	r.exec("UPDATE cluster.processes SET steady = now() - interval '1234 seconds' WHERE id = $1", int64(orchestrator.ID()))
	known(false)
}

// All processes that serve logins have one secret: the first that was drawn, also where each realm had its own.
func TestSecret(t *testing.T) {
	r := newRig(t)
	r.exec("INSERT INTO cluster.secrets VALUES ('muster', 'old'), ('other', 'other')")
	for _, fresh := range []string{"one", "two"} {
		if got, err := r.Secret(t.Context(), []byte(fresh)); err != nil || string(got) != "old" {
			t.Errorf("the secret is %q, %v, want the old one", got, err)
		}
	}
	r.exec("DELETE FROM cluster.secrets")
	for _, fresh := range []string{"one", "two"} {
		if got, err := r.Secret(t.Context(), []byte(fresh)); err != nil || string(got) != "one" {
			t.Errorf("the secret is %q, %v, want the first", got, err)
		}
	}
}

// An operator moves a shard to no worker that has no room, or whose world has not the map.
func TestMoveToWhatTakesIt(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.must(r.Declare(ctx, realm, []uint32{0, 571}))
	worker := func(capacity int, maps ...uint32) uint64 {
		t.Helper()
		e, err := r.Enlist(ctx, realm, registry.Process{Role: registry.RoleWorker, Capacity: capacity, Maps: maps})
		r.must(err)
		return e.ID()
	}
	small, other, any := worker(1), worker(9, 1, 571), worker(9)
	for _, c := range []struct {
		id     uint32
		epoch  uint64
		worker uint64
		want   error
	}{
		{0, 0, other, registry.ErrOlder}, // has not the map
		{0, 0, small, nil},
		{571, 0, small, registry.ErrOlder}, // has no room left
		{571, 0, other, nil},
		{571, 1, any, nil}, // any map
		{0, 1, any, nil},
		{571, 2, small, nil}, // has room again
	} {
		if err := r.Move(ctx, realm, registry.Shard{Map: c.id, Epoch: c.epoch}, c.worker); !errors.Is(err, c.want) {
			t.Errorf("map %d is moved to %d with %v, want %v", c.id, c.worker, err, c.want)
		}
	}
}

// A process that has not renewed its lease without a gap for as long leads only if there is none that has, and does not lead: it could not give what a
// worker has whose lease is over.
func TestSteadyLeads(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	back, steady := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleOrchestrate, 0)
	r.exec("UPDATE cluster.processes SET steady = now() - interval '1 day' WHERE id = $1", int64(steady.ID()))
	if l, err := back.Lead(ctx); !errors.Is(err, registry.ErrLed) {
		t.Errorf("one that is just back leads: %v, %v", l, err)
	}
	r.lead(steady).Close()
	l := r.lead(back) // the other is noted as the leader, and has not the lock: it has ended
	l.Close()
	r.lead(steady).Close()
	r.exec("UPDATE cluster.processes SET leads = false, until = now() - interval '1 millisecond' WHERE id = $1", int64(steady.ID()))
	r.lead(back)
}

// What a worker says that the ticks of a world take is listed with it, and for 10 min that it was moved, by the leader or an operator; a world that is given to a worker was not moved.
func TestMoved(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.must(r.Declare(ctx, realm, []uint32{571}))
	l := r.lead(r.enlist(registry.RoleOrchestrate, 0))
	a, b := r.enlist(registry.RoleWorker, 9), r.enlist(registry.RoleWorker, 9)
	want := func(what string, want registry.Shard) {
		t.Helper()
		if got := r.shards(); !slices.Equal(got, []registry.Shard{want}) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	epoch, err := l.Give(ctx, r.shards()[0], a.ID())
	r.must(err)
	s := registry.Shard{Map: 571, Worker: a.ID(), Epoch: epoch, State: registry.Runs, Tick: 5, Players: 2, Load: 0.25}
	_, err = a.Report(ctx, registry.Work{Load: 0.5, Runs: []registry.Shard{s}})
	r.must(err)
	want("reported", s)
	r.must(l.Move(ctx, s, b.ID()))
	want("moved", registry.Shard{Map: 571, Worker: b.ID(), Epoch: epoch + 1, State: registry.Given, Load: 0.25, Moved: true})
	pass := func(d time.Duration) { r.exec("UPDATE cluster.shards SET moved = moved - $1::interval", d) }
	pass(registry.StayTime - time.Minute)
	want("a minute before it may be again", registry.Shard{Map: 571, Worker: b.ID(), Epoch: epoch + 1, State: registry.Given, Load: 0.25, Moved: true})
	pass(time.Minute)
	want("when it may be again", registry.Shard{Map: 571, Worker: b.ID(), Epoch: epoch + 1, State: registry.Given, Load: 0.25})
	r.must(r.Move(ctx, realm, r.shards()[0], a.ID()))
	want("moved by an operator", registry.Shard{Map: 571, Worker: a.ID(), Epoch: epoch + 2, State: registry.Given, Load: 0.25, Moved: true})
	if err := l.Move(ctx, s, b.ID()); err == nil {
		t.Error("a world with another epoch is moved")
	}
	l.Close()
	if err := l.Move(ctx, r.shards()[0], b.ID()); err == nil {
		t.Error("one that leads no more moves a world")
	}
}
