package journal

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/internal/metric"
	"muster/loaders/store"
)

// A clerk is a store that notes when it is given batches, and answers as it is told.
type clerk struct {
	*below
	mu      sync.Mutex
	began   time.Time
	at      []time.Duration
	sizes   []int
	answer  func(c store.Character) error // of each; nil takes all
	hang    bool                          // until the context ends
	fail    error                         // of a batch as a whole
	waiting time.Duration                 // of a batch
}

func newClerk() *clerk { return &clerk{below: newBelow(), began: time.Now()} }

func (k *clerk) SaveCharacters(ctx context.Context, list []store.Character) ([]error, error) {
	k.mu.Lock()
	k.at, k.sizes = append(k.at, time.Since(k.began)), append(k.sizes, len(list))
	answer, hang, fail, waiting := k.answer, k.hang, k.fail, k.waiting
	k.mu.Unlock()
	switch {
	case hang:
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case fail != nil:
		return nil, fail
	}
	<-time.After(waiting)
	if answer == nil {
		return k.Memory.SaveCharacters(ctx, list)
	}
	each := make([]error, len(list))
	for i := range list {
		if each[i] = answer(list[i]); each[i] == nil {
			each[i] = k.Memory.SaveCharacter(ctx, list[i])
		}
	}
	return each, nil
}

// calls returns when batches came and how large they were, since it was last called.
func (k *clerk) calls() (at []time.Duration, sizes []int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, sizes = k.at, k.sizes
	k.at, k.sizes = nil, nil
	return at, sizes
}

func (k *clerk) set(change func(*clerk)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change(k)
}

// openOver opens a journal over a clerk at the beginning of its time.
func openOver(t *testing.T, k *clerk, change func(*Config)) *Journal {
	t.Helper()
	c := Config{FS: newDisk()}
	if change != nil {
		change(&c)
	}
	k.set(func(k *clerk) { k.began = time.Now() })
	j, _, err := Open(t.Context(), k, c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// A store that fails is left alone for half a back-off to a whole one, which begins with 50 ms and doubles up to 2 s;
// after a success it begins anew.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		c := k.characters(t, 1)[0]
		counts := new(metric.Table)
		j := openOver(t, k, func(c *Config) { c.Metric = counts })
		k.set(func(k *clerk) { k.fail = store.ErrBusy })
		for round := range 2 {
			j.Save([]store.Snapshot{step(&c, 0)}, nil)
			<-time.After(20 * time.Second)
			at, _ := k.calls()
			if len(at) < 15 {
				t.Fatalf("round %d: %d tries", round, len(at))
			}
			for i, backOff := 1, 50*time.Millisecond; i < len(at); i, backOff = i+1, min(2*backOff, 2*time.Second) {
				if gap := at[i] - at[i-1]; gap < backOff/2 || gap >= backOff {
					t.Errorf("round %d: after try %d the store is left alone for %v, want %v to %v", round, i, gap, backOff/2, backOff)
				}
			}
			if n := counts.Value("journal.retry"); n != uint64(len(at)) {
				t.Errorf("round %d: %d retries are counted of %d", round, n, len(at))
			}
			if s := j.Stats(); s.Pending != 1 || s.Lag < 18*time.Second {
				t.Errorf("round %d: %+v", round, s)
			}
			k.set(func(k *clerk) { k.fail = nil })
			<-time.After(3 * time.Second)
			expect(t, k.Memory, c)
			if s := j.Stats(); s.Pending != 0 || s.Lag != 0 {
				t.Errorf("round %d: %+v", round, s)
			}
			k.calls()
			k.set(func(k *clerk) { k.fail = store.ErrBusy })
			counts.Add("journal.retry", -counts.Value("journal.retry"))
		}
		k.set(func(k *clerk) { k.fail = nil })
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// What is pending is given to the store in batches of their size, one after another, and what changes meanwhile after a
// pause. The time of each is observed. The first round comes a pause after the save, when the disk has it.
func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		people := k.characters(t, 25)
		j := openOver(t, k, func(c *Config) { c.Batch = 10 })
		k.set(func(k *clerk) { k.waiting = 10 * time.Millisecond })
		var all []store.Snapshot
		for i := range people {
			all = append(all, step(&people[i], 0))
		}
		j.Save(all, nil)
		<-time.After(255 * time.Millisecond) // the first batch is being stored
		j.Save([]store.Snapshot{step(&people[0], 0)}, nil)
		<-time.After(2 * time.Second)
		at, sizes := k.calls()
		ms := time.Millisecond
		if !slices.Equal(sizes, []int{10, 10, 5, 1}) || !slices.Equal(at, []time.Duration{250 * ms, 260 * ms, 270 * ms, 530 * ms}) {
			t.Errorf("batches of %d at %v", sizes, at)
		}
		if _, n, sum := j.SaveTime().Read(); n != 4 || sum != 40*ms {
			t.Errorf("%d batches took %v", n, sum)
		}
		for _, c := range people {
			expect(t, k.Memory, c)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A batch ends after its timeout, and is retried.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		c := k.characters(t, 1)[0]
		j := openOver(t, k, nil)
		k.set(func(k *clerk) { k.hang = true })
		j.Save([]store.Snapshot{step(&c, 0)}, nil)
		<-time.After(10100 * time.Millisecond)
		k.set(func(k *clerk) { k.hang = false })
		<-time.After(time.Second)
		at, _ := k.calls()
		if len(at) != 2 || at[0] != 250*time.Millisecond || at[1] < 10275*time.Millisecond || at[1] >= 10300*time.Millisecond {
			t.Errorf("tried at %v", at)
		}
		expect(t, k.Memory, c)
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Close waits for a store that is away as long as it may; what it has not taken is there for the next journal.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, d := newClerk(), newDisk()
		people := k.characters(t, 2)
		j := openOver(t, k, func(c *Config) { c.FS = d })
		k.set(func(k *clerk) { k.fail = store.ErrBusy })
		j.Save([]store.Snapshot{step(&people[0], 0), step(&people[1], 0)}, nil)
		began := time.Now()
		if err := j.Close(); err != nil || time.Since(began) != 10*time.Second {
			t.Errorf("closed with %v after %v", err, time.Since(began))
		}
		k.set(func(k *clerk) { k.fail = nil })
		j = openOver(t, k, func(c *Config) { c.FS = d })
		<-time.After(time.Second)
		for _, c := range people {
			expect(t, k.Memory, c)
		}
		// One that comes back meanwhile gets all.
		k.set(func(k *clerk) { k.fail = store.ErrBusy })
		j.Save([]store.Snapshot{step(&people[0], 0)}, nil)
		<-time.After(time.Second)
		go func() {
			<-time.After(4 * time.Second)
			k.set(func(k *clerk) { k.fail = nil })
		}()
		began = time.Now()
		if err := j.Close(); err != nil || time.Since(began) < 4*time.Second || time.Since(began) > 6*time.Second {
			t.Errorf("closed with %v after %v", err, time.Since(began))
		}
		expect(t, k.Memory, people[0])
		if names := d.names(); len(names) != 0 {
			t.Errorf("left %q", names)
		}
	})
}

// What the store says of each character decides: a stale, deleted or refused one is no longer pending, and is counted;
// any other is tried again, alone.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		people := k.characters(t, 5)
		counts := new(metric.Table)
		j := openOver(t, k, func(c *Config) { c.Metric = counts })
		says := []error{nil, store.ErrStale, store.ErrNotFound, store.ErrLife, store.ErrBusy}
		k.set(func(k *clerk) {
			k.answer = func(c store.Character) error {
				return says[slices.IndexFunc(people, func(p store.Character) bool { return p.GUID == c.GUID })]
			}
		})
		var all []store.Snapshot
		for i := range people {
			all = append(all, step(&people[i], 0))
		}
		j.Save(all, nil)
		<-time.After(251 * time.Millisecond)
		synctest.Wait()
		if s := j.Stats(); s.Pending != 1 || j.pending.all[people[4].GUID] == nil {
			t.Errorf("%+v", s)
		}
		k.set(func(k *clerk) { k.answer = nil })
		<-time.After(time.Second)
		if _, sizes := k.calls(); !slices.Equal(sizes, []int{5, 1}) {
			t.Errorf("batches of %d", sizes)
		}
		for name, want := range map[string]uint64{"journal.gone": 1, "journal.refused": 1, "journal.retry": 1, "journal.stale": 0, "journal.orphan": 0} {
			if got := counts.Value(name); got != want {
				t.Errorf("%s is %d, want %d", name, got, want)
			}
		}
		expect(t, k.Memory, people[0])
		expect(t, k.Memory, people[4])
		j.Save([]store.Snapshot{{Character: people[0], Since: 1}, all[4]}, nil) // neither is newer than what is pending, but nothing is pending
		if s := j.Stats(); s.Pending != 2 {
			t.Errorf("%+v", s)
		}
		j.Save([]store.Snapshot{{Character: people[0], Since: 1}}, nil)
		if n := counts.Value("journal.stale"); n != 1 {
			t.Errorf("%d are stale, want 1", n)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		done := false
		j.Save([]store.Snapshot{step(&people[0], life.All)}, func() { done = true })
		if n := counts.Value("journal.stale"); n != 2 || !done {
			t.Errorf("after Close %d are stale, want 2; done %v", n, done)
		}
	})
}

// What was saved of some characters is delivered at once, and that of others when its turn comes. While the store does not take it,
// nothing is delivered.
func TestDeliver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		people := k.characters(t, 3)
		j := openOver(t, k, func(c *Config) { c.Interval, c.Pause = time.Hour, time.Hour })
		var all []store.Snapshot
		for i := range people {
			all = append(all, step(&people[i], 0))
		}
		j.Save(all[:2], nil)
		synctest.Wait()
		began := time.Now()
		if err := j.Deliver(t.Context(), people[0].GUID, 4711); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
		expect(t, k.Memory, people[0])
		if stored, err := k.Memory.Character(t.Context(), people[1].GUID); err != nil || stored.Version == people[1].Version {
			t.Errorf("the other one has version %d, %v, before its turn", stored.Version, err)
		}
		k.set(func(k *clerk) { k.fail = store.ErrBusy })
		j.Save(all[2:], nil)
		if err := j.Deliver(t.Context(), people[2].GUID); err == nil {
			t.Error("delivered to a store that takes nothing")
		}
		changes := 3
		k.set(func(k *clerk) {
			k.fail = nil
			k.answer = func(c store.Character) error { // it changes while it is being stored
				if changes--; changes >= 0 && c.GUID == people[2].GUID {
					j.Save([]store.Snapshot{step(&people[2], 0)}, nil)
				}
				return nil
			}
		})
		if err := j.Deliver(t.Context(), people[2].GUID); err != nil {
			t.Error(err)
		}
		expect(t, k.Memory, people[2])
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}
