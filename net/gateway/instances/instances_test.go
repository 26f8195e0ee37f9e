package instances

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"muster/net/gateway"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

const dungeon = 33

// A bench has instances whose worlds are numbers, on a clock of its own.
type bench struct {
	*Instances
	t       *testing.T
	now     time.Time
	made    []uint32
	stopped []uint32
	broken  map[uint32]chan struct{}
	failing error
	removed []uint32 // of which nothing is kept any more
	journal Kept
	tries   int // how often the journal was to try again what it could not keep
}

// Note implements Journal.
func (b *bench) Note(changes ...Change) {
	if len(changes) == 0 {
		b.tries++
	}
	for _, c := range changes {
		if !b.journal.Apply(c) {
			b.t.Errorf("changed by %+v, which cannot be", c)
		}
	}
}

// again is the next process, with what the journal of this one has.
func (b *bench) again(c Config) *bench {
	c.Kept = Kept{}
	for _, change := range b.journal.Changes(time.Unix(1_000_000, 0)) { // none of which is left out
		c.Kept.Apply(change)
	}
	next := newBenchAt(b.t, b.now, c)
	next.journal = b.journal
	return next
}

func newBench(t *testing.T, c Config) *bench { return newBenchAt(t, time.Unix(1_000_000, 0), c) }

func newBenchAt(t *testing.T, now time.Time, c Config) *bench {
	b := &bench{t: t, now: now, broken: make(map[uint32]chan struct{})}
	c.Exits = map[uint32]gateway.Place{dungeon: {Map: 1, X: 5}}
	c.Now = func() time.Time { return b.now }
	c.Journal = b
	c.Make = func(_ context.Context, slot int, number, id uint32) (World, error) {
		if b.failing != nil {
			return World{}, b.failing
		}
		b.made = append(b.made, number)
		b.broken[number] = make(chan struct{})
		return World{Stop: func() { b.stopped = append(b.stopped, number) }, Ended: b.broken[number], Discard: func() {
			if _, ok := b.journal.Instances[number]; ok {
				t.Errorf("what is kept of instance %d is removed, and it is in the journal", number)
			}
			for _, in := range b.slots { // its slot is not free yet
				if in != nil && in.number == number {
					for guid := range maps.Clone(in.bound) {
						b.unbind(in, guid)
					}
				}
			}
			b.removed = append(b.removed, number)
		}}, nil
	}
	b.Instances = New(c)
	return b
}

func (b *bench) enter(guid uint64, account uint32, login bool, want error) (slot int, leave func()) {
	b.t.Helper()
	slot, leave, err := b.Enter(b.t.Context(), gateway.Visit{Map: dungeon, GUID: guid, Account: account, Login: login})
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		b.t.Fatalf("character %d: %v, want %v", guid, err, want)
	}
	return slot, leave
}

func (b *bench) want(what string, got []uint32, want ...uint32) {
	b.t.Helper()
	if !slices.Equal(got, want) {
		b.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Each character has its own instance and finds it again, until it has been empty for the time that is set.
func TestOwnInstance(t *testing.T) {
	b := newBench(t, Config{Rules: Rules{Empty: time.Minute}})
	if at, ok := b.Exit(dungeon); !ok || at.Map != 1 || at.X != 5 {
		t.Errorf("the exit is %+v", at)
	}
	b.enter(1, 1, true, gateway.AbortNotFound) // it logs in, and is bound to none
	one, leave := b.enter(1, 1, false, nil)
	two, leaveTwo := b.enter(2, 2, false, nil)
	if one != 1 || two != 2 {
		t.Errorf("in slots %d and %d", one, two)
	}
	leave()
	leave() // counts once
	b.now = b.now.Add(59 * time.Second)
	b.Sweep()
	if b.tries != 1 {
		t.Errorf("the journal was to try again %d times", b.tries)
	}
	again, leave := b.enter(1, 1, true, nil)
	if again != one {
		t.Errorf("it came back into slot %d", again)
	}
	b.now = b.now.Add(time.Hour)
	b.Sweep()
	b.want("stopped with players inside", b.stopped)
	leave()
	b.now = b.now.Add(time.Minute)
	b.Sweep()
	b.want("stopped", b.stopped, 1)
	b.enter(1, 1, true, gateway.AbortNotFound)
	slot, _ := b.enter(1, 1, false, nil)
	if slot != 1 {
		t.Errorf("the third instance is in slot %d, want that of the first", slot)
	}
	b.want("made", b.made, 1, 2, 3)
	leaveTwo()
	b.Close()
	b.want("stopped at the end", b.stopped, 1, 3, 2)
	b.enter(4, 4, false, gateway.AbortError)
}

// What is bounded: instances at a time, players in one, and different ones of an account in an hour.
func TestBounds(t *testing.T) {
	b := newBench(t, Config{Rules: Rules{Slots: 3, PerHour: 2, Players: 2}})
	_, leave := b.enter(1, 1, false, nil)
	leave()
	if n, _ := b.Unbind(t.Context(), 1, dungeon, false, dungeon); n != 0 {
		t.Errorf("unbound from %d where it is", n)
	}
	b.Unbind(t.Context(), 1, dungeon, false, 0)
	_, leave = b.enter(1, 1, false, nil)
	leave()
	_, leave = b.enter(1, 1, false, nil) // the same again
	leave()
	b.Unbind(t.Context(), 1, 0, true, 0)
	b.enter(1, 1, false, gateway.AbortTooMany)
	b.now = b.now.Add(time.Hour)
	b.enter(1, 1, false, nil)
	b.enter(2, 2, false, gateway.AbortTooManyRealm)
	for guid := range uint64(2) {
		if err := b.Bind(t.Context(), 10+guid, 3); err != nil {
			t.Fatal(err)
		}
	}
	b.enter(10, 10, false, nil)
	b.enter(11, 11, false, gateway.AbortFull)
	if err := b.Bind(t.Context(), 12, 99); err != ErrUnknown {
		t.Errorf("bound to what is not there: %v", err)
	}
	want := []string{"Instance 1 of map 33: empty for 1h0m0s, 0 bound.", "Instance 2 of map 33: empty for 1h0m0s, 0 bound.",
		"Instance 3 of map 33: 2 players inside, 3 bound.", "3 of 3 instances."}
	if got, _ := b.List(t.Context()); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	want = []string{"map: 33, inst: 3", "player binds: 1"}
	if got, _ := b.Bound(t.Context(), 10); !slices.Equal(got, want) {
		t.Errorf("binds %q, want %q", got, want)
	}
	none := newBench(t, Config{Rules: Rules{Slots: -1}})
	none.enter(1, 1, false, gateway.AbortMapNotAllowed)
}

// A world that cannot be made takes no slot, and one that has ended by itself gives it back when its players are gone.
func TestBrokenWorlds(t *testing.T) {
	b := newBench(t, Config{Rules: Rules{Slots: 1}})
	b.failing = errors.New("no memory")
	b.enter(1, 1, false, gateway.AbortError)
	b.failing = nil
	_, leave := b.enter(1, 1, false, nil)
	close(b.broken[2])
	b.enter(1, 1, false, gateway.AbortTooManyRealm)
	b.Sweep()
	b.want("stopped with a player inside", b.stopped)
	leave()
	b.Sweep()
	b.want("stopped", b.stopped, 2)
	b.enter(1, 1, false, nil)
	b.want("made", b.made, 2, 3)
}

// The accounts whose visits are remembered are bounded, until the hour is over.
func TestAccountsAreBounded(t *testing.T) {
	b := newBench(t, Config{})
	for account := range uint32(maxAccounts) {
		b.note(account, 1)
	}
	b.enter(1, maxAccounts, false, gateway.AbortTooMany)
	b.enter(1, maxAccounts-1, false, nil) // it is remembered
	b.now = b.now.Add(time.Hour)
	b.Sweep()
	b.enter(2, maxAccounts, false, nil)
}

// The characters that are bound to an instance are bounded; one that is bound already may be bound again.
func TestBindsAreBounded(t *testing.T) {
	b := newBench(t, Config{})
	_, leave := b.enter(0, 1, false, nil)
	leave()
	for guid := range uint64(100) { // the first is bound as it has entered
		if err := b.Bind(t.Context(), guid, 1); err != nil {
			t.Fatalf("character %d: %v", guid, err)
		}
	}
	if err := b.Bind(t.Context(), 100, 1); err != gateway.AbortFull {
		t.Errorf("one more: %v", err)
	}
	if err := b.Bind(t.Context(), 99, 1); err != nil {
		t.Errorf("one of them again: %v", err)
	}
}

// The next process has the same instances, with who is bound to them, the numbers that were given, and what accounts have entered in the last hour. What is over is
// not kept, and what ends with the process is.
func TestInstancesGoOn(t *testing.T) {
	rules := Rules{Slots: 3, PerHour: 2, Empty: time.Minute}
	b := newBench(t, Config{Rules: rules})
	_, leave := b.enter(1, 1, false, nil)
	leave()
	_, stays := b.enter(2, 2, false, nil)
	_, leave3 := b.enter(3, 3, false, nil)
	leave3()
	for _, guid := range []uint64{3, 4, 5} { // 3 is bound to its own no more
		if err := b.Bind(t.Context(), guid, 2); err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := b.Unbind(t.Context(), 5, dungeon, false, 0); n != 1 {
		t.Errorf("unbound from %d", n)
	}
	b.now = b.now.Add(time.Minute)
	b.Sweep()
	b.now = b.now.Add(time.Minute)
	b.Sweep()
	b.want("of which nothing is kept", b.removed, 1, 3)
	_, leave = b.enter(1, 1, false, nil) // the fourth
	leave()
	b.now = b.now.Add(50 * time.Minute)
	b.Close()
	stays()
	b.want("of which nothing is kept, after the end", b.removed, 1, 3)

	next := b.again(Config{Rules: rules})
	early, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := next.Enter(early, gateway.Visit{Map: dungeon, GUID: 2, Account: 2, Login: true}); !errors.Is(err, gateway.AbortError) {
		t.Errorf("entered before they go on: %v", err)
	}
	if err := next.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	next.want("made again", next.made, 2, 4)
	for guid, want := range map[uint64]int{1: 2, 2: 1, 3: 1, 4: 1} {
		slot, leave := next.enter(guid, uint32(guid), true, nil)
		if slot != want {
			t.Errorf("character %d is in slot %d, want %d", guid, slot, want)
		}
		leave()
	}
	next.enter(5, 5, true, gateway.AbortNotFound)
	next.Unbind(t.Context(), 1, 0, true, 0)
	next.enter(1, 1, false, gateway.AbortTooMany) // two within the hour, one of which is over
	_, leave = next.enter(9, 9, false, nil)
	leave()
	next.want("made", next.made, 2, 4, 5) // no number is given twice
	next.now = next.now.Add(9 * time.Minute)
	next.Sweep()
	next.now = next.now.Add(time.Minute)
	next.Sweep()
	next.want("of which nothing is kept", next.removed, 2, 4, 5)
	next.enter(1, 1, false, nil) // the first visit was more than an hour ago

	last := next.again(Config{Rules: rules})
	last.failing = errors.New("no room")
	if err := last.Restore(t.Context()); !errors.Is(err, last.failing) {
		t.Errorf("one that cannot go on: %v", err)
	}
}

// A visit that was noted by a clock that was set back since counts for an hour from now on.
func TestVisitsOfTheFuture(t *testing.T) {
	b := newBench(t, Config{Rules: Rules{PerHour: 1}})
	b.enter(1, 1, false, nil)
	b.now = b.now.Add(-24 * time.Hour)
	next := b.again(Config{Rules: Rules{PerHour: 1}})
	if err := next.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	next.Unbind(t.Context(), 1, 0, true, 0)
	next.enter(1, 1, false, gateway.AbortTooMany)
	next.now = next.now.Add(time.Hour)
	next.enter(1, 1, false, nil)
}
