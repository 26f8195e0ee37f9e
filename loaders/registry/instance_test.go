package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"muster/loaders/registry"
)

const dungeon = 33

// anyone has every character enter.
func anyone(registry.Chance) error { return nil }

// entry is one of a character of an account of the same number.
func entry(guid, visit uint64) registry.Entry {
	return registry.Entry{Map: dungeon, GUID: guid, Account: uint32(guid), Gateway: 1, Visit: visit}
}

// instances are the numbers of those of the realm with how many are bound and inside.
func (r *rig) instances() (all string) {
	r.t.Helper()
	list, err := r.Instances(r.t.Context(), realm)
	r.must(err)
	for _, in := range list {
		all += fmt.Sprintf("%d: %d bound, %d inside; ", in.Number, in.Bound, in.Inside)
	}
	return all
}

func (r *rig) hasInstances(want string) {
	r.t.Helper()
	if got := r.instances(); got != want {
		r.t.Errorf("the instances are %q, want %q", got, want)
	}
}

// A character has an instance made, which is a shard without a worker, and finds it again. An entry that is asked for twice counts once. What decides is told
// what there is, and what it refuses changes nothing.
func TestEnterInstance(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	told := func(want registry.Chance) func(registry.Chance) error {
		return func(got registry.Chance) error {
			t.Helper()
			if got != want {
				t.Errorf("told %+v, want %+v", got, want)
			}
			return nil
		}
	}
	enter := func(e registry.Entry, want uint32, isMade bool, c registry.Chance) {
		t.Helper()
		if n, made, err := r.EnterInstance(ctx, realm, e, told(c)); n != want || made != isMade || err != nil {
			t.Errorf("%+v enters %d, made %t, %v; want %d, made %t", e, n, made, err, want, isMade)
		}
	}
	no := errors.New("no")
	if _, _, err := r.EnterInstance(ctx, realm, entry(1, 1), func(registry.Chance) error { return no }); !errors.Is(err, no) {
		t.Errorf("refused with %v", err)
	}
	r.hasInstances("")
	enter(entry(1, 1), 1, true, registry.Chance{})
	enter(entry(1, 1), 1, false, registry.Chance{Number: 1, Instances: 1, Visited: 1, Again: true})
	enter(entry(2, 2), 2, true, registry.Chance{Instances: 1})
	r.must(r.BindInstance(ctx, realm, 2, 1, 2))
	if err := r.BindInstance(ctx, realm, 3, 1, 2); !errors.Is(err, registry.ErrBound) {
		t.Errorf("a third of two is bound: %v", err)
	}
	r.must(r.BindInstance(ctx, realm, 2, 1, 2)) // again
	if err := r.BindInstance(ctx, realm, 3, 99, 2); !errors.Is(err, registry.ErrOlder) {
		t.Errorf("bound to what is not there: %v", err)
	}
	enter(entry(2, 3), 1, false, registry.Chance{Number: 1, Inside: 1, Instances: 2, Visited: 1})
	r.hasInstances("1: 2 bound, 2 inside; 2: 0 bound, 1 inside; ")
	if got, want := r.shards(), []registry.Shard{{Map: dungeon, Instance: 1, State: "free"}, {Map: dungeon, Instance: 2, State: "free"}}; !slices.Equal(got, want) {
		t.Errorf("the shards are %+v, want %+v", got, want)
	}
	other := entry(1, 9)
	if n, made, err := r.EnterInstance(ctx, "other", other, told(registry.Chance{})); n != 3 || !made || err != nil { // realms have nothing in common
		t.Errorf("in another realm: %d, %t, %v", n, made, err)
	}
	r.exec("UPDATE cluster.visits SET entered = entered - interval '1 hour' WHERE account = 2 AND number = 2")
	if n, err := r.UnbindInstances(ctx, realm, 2, 0, true, dungeon); n != 0 || err != nil {
		t.Errorf("unbound from where it is: %d, %v", n, err)
	}
	if n, err := r.UnbindInstances(ctx, realm, 2, dungeon, false, 0); n != 1 || err != nil {
		t.Errorf("unbound from %d, %v", n, err)
	}
	enter(entry(2, 4), 4, true, registry.Chance{Instances: 2, Visited: 1})
	if list, err := r.BoundInstances(ctx, realm, 2); err != nil || len(list) != 1 || list[0].Number != 4 || list[0].Map != dungeon {
		t.Errorf("bound to %+v, %v", list, err)
	}
}

// Those are inside that their gateway says, for as long as it says so; one that is on its way is not removed by what the gateway said before.
func TestNoteInside(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	for guid := range uint64(3) {
		if _, _, err := r.EnterInstance(ctx, realm, entry(guid+1, guid+1), anyone); err != nil {
			t.Fatal(err)
		}
	}
	r.must(r.NoteInside(ctx, realm, 1, 2, []registry.Visitor{{Visit: 2, GUID: 2, Number: 2}, {Visit: 7, GUID: 7, Number: 99}}))
	r.hasInstances("1: 1 bound, 0 inside; 2: 1 bound, 1 inside; 3: 1 bound, 1 inside; ")
	r.exec("UPDATE cluster.inside SET until = now()")
	r.hasInstances("1: 1 bound, 0 inside; 2: 1 bound, 0 inside; 3: 1 bound, 0 inside; ")
	r.must(r.NoteInside(ctx, realm, 1, 3, []registry.Visitor{{Visit: 3, GUID: 3, Number: 3}})) // the gateway is back
	r.must(r.NoteInside(ctx, realm, 2, 9, []registry.Visitor{{Visit: 9, GUID: 4, Number: 3}}))
	r.hasInstances("1: 1 bound, 0 inside; 2: 1 bound, 0 inside; 3: 1 bound, 2 inside; ")
	r.must(r.NoteInside(ctx, realm, 1, 3, nil))
	r.hasInstances("1: 1 bound, 0 inside; 2: 1 bound, 0 inside; 3: 1 bound, 1 inside; ")
}

// An instance is removed, with its shard, when it has been empty for the time: no gateway says that one is inside, and its worker has no player.
func TestRemoveEmptyInstances(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	for guid := range uint64(2) {
		if _, _, err := r.EnterInstance(ctx, realm, entry(guid+1, guid+1), anyone); err != nil {
			t.Fatal(err)
		}
	}
	o, w := r.enlist(registry.RoleOrchestrate, 0), r.enlist(registry.RoleWorker, 9)
	l := r.lead(o)
	s := registry.Shard{Map: dungeon, Instance: 1, Players: 1}
	var err error
	if s.Epoch, err = l.Give(ctx, s, w.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Report(ctx, registry.Work{Runs: []registry.Shard{s}}); err != nil {
		t.Fatal(err)
	}
	reaps := func(want ...uint32) {
		t.Helper()
		list, err := r.RemoveEmptyInstances(ctx, realm, time.Minute)
		r.must(err)
		var got []uint32
		for _, in := range list {
			got = append(got, in.Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("removed %v, want %v", got, want)
		}
	}
	pass := func() { r.exec("UPDATE cluster.instances SET emptied = emptied - interval '1 minute'") }
	reaps() // both are inside
	r.must(r.NoteInside(ctx, realm, 1, 2, nil))
	reaps() // one is empty since now
	pass()
	reaps(2) // the other one has a player of a gateway that has ended
	s.Players = 0
	if _, err := w.Report(ctx, registry.Work{Runs: []registry.Shard{s}}); err != nil {
		t.Fatal(err)
	}
	reaps()
	if _, _, err := r.EnterInstance(ctx, realm, entry(1, 3), anyone); err != nil { // it comes back
		t.Fatal(err)
	}
	pass()
	reaps()
	r.must(r.NoteInside(ctx, realm, 1, 3, nil))
	reaps()
	pass()
	reaps(1)
	if o, err := w.Report(ctx, registry.Work{Runs: []registry.Shard{s}}); err != nil || len(o.Own) != 0 || !slices.Equal(o.Gone, []registry.Shard{s}) {
		t.Errorf("the worker has %+v, %v", o, err)
	}
	r.exec("UPDATE cluster.visits SET entered = entered - interval '1 hour'")
	reaps()
	var left int
	r.must(r.raw.QueryRow(ctx, `SELECT (SELECT count(*) FROM cluster.instances) + (SELECT count(*) FROM cluster.binds) + (SELECT count(*) FROM cluster.inside)
		+ (SELECT count(*) FROM cluster.visits) + (SELECT count(*) FROM cluster.shards)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// Of characters that enter at the same moment no more than there is room for get an instance, and one that asks several times gets one.
func TestEnterInstanceAtOnce(t *testing.T) {
	r := newRig(t)
	full := errors.New("full")
	var entering sync.WaitGroup
	var mu sync.Mutex
	numbers, refused := make(map[uint64]map[uint32]bool), 0
	for guid := range uint64(6) {
		for range 3 {
			entering.Go(func() {
				n, _, err := r.EnterInstance(context.Background(), realm, entry(guid, guid+1), func(c registry.Chance) error {
					if c.Number == 0 && c.Instances >= 4 {
						return full
					}
					return nil
				})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case errors.Is(err, full):
					refused++
				case err != nil:
					t.Error(err)
				default:
					if numbers[guid] == nil {
						numbers[guid] = make(map[uint32]bool)
					}
					numbers[guid][n] = true
				}
			})
		}
	}
	entering.Wait()
	for guid, n := range numbers {
		if len(n) != 1 {
			t.Errorf("character %d has entered %v", guid, n)
		}
	}
	if list, err := r.Instances(t.Context(), realm); err != nil || len(list) != 4 || len(numbers) != 4 || refused != 6 {
		t.Errorf("%d instances, %v, of %d characters; %d entries are refused, want 4, 4, 6", len(list), err, len(numbers), refused)
	}
}

// A process that stands still while it decides keeps others from it for some seconds at most.
func TestStoppedWhileItDecides(t *testing.T) {
	r := newRig(t)
	stopped, end := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	go func() {
		_, _, err := r.EnterInstance(context.Background(), realm, entry(1, 1), func(registry.Chance) error {
			close(stopped)
			<-end
			return nil
		})
		first <- err
	}()
	<-stopped
	for { // a call has 5 s
		_, _, err := r.EnterInstance(t.Context(), realm, entry(2, 2), anyone)
		if err == nil {
			break
		}
		t.Log(err)
	}
	close(end)
	if err := <-first; err == nil {
		t.Error("it has decided all the same")
	}
	r.hasInstances("1: 1 bound, 1 inside; ")
}
