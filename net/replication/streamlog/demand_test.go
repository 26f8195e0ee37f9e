package streamlog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"muster/net/replication/frame"
)

// asked is a snapshot that is asked for when nothing is being appended.
func (w *written) asked(t *testing.T) *Snapshot {
	t.Helper()
	var got *Snapshot
	if err := w.Snapshot(func(s *Snapshot, err error) {
		if got = s; err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	if got == nil {
		t.Fatal("a snapshot that is asked for is not kept")
	}
	return got
}

// hashOf is the hash of a world's state.
func hashOf(sum uint64) [HashSize]byte {
	return Hash(binary.LittleEndian.AppendUint64(nil, sum))
}

// A snapshot that is asked for is of the tick before, whether the world stands still or goes on, and the log goes on after it. Of one tick there is one.
func TestSnapshotIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		not := func(*Snapshot, error) { t.Error("a snapshot that is refused is kept") }
		if err := w.Snapshot(not); !errors.Is(err, ErrNoTick) {
			t.Errorf("before the first tick: %v, want ErrNoTick", err)
		}
		for n := uint64(1); n <= 3; n++ {
			w.step(n, 1)
			synctest.Wait()
		}
		w.config.Committed = func(n uint64, _ *frame.Inbox) { w.commit(n) }
		var in frame.Inbox // longer than an entry
		for i := range 20 {
			in.Add(frame.Item{Session: 2, Op: uint16(i + 1), Body: make([]byte, 60_000)})
		}
		w.Append(4, &in)
		w.sum += 4
		w.After()
		synctest.Wait()
		log := logIn(m)
		reads := func(what string, since uint64, want []uint64) {
			t.Helper()
			s, err := log.Newest(t.Context())
			if err != nil || s == nil || s.N != since {
				t.Fatalf("%s: the newest snapshot is %+v, %v, want one after tick %d", what, s, err, since)
			}
			if gateways := binary.LittleEndian.Uint64(s.Roster); gateways != since {
				t.Errorf("%s: the gateways are as of tick %d, want %d", what, gateways, since)
			}
			m.messages["log"] = slices.DeleteFunc(m.messages["log"], func(at Message) bool { return at.Number < s.From })
			if _, ticks, sum, _, err := all(m); err != nil || sum != w.sum || !slices.Equal(ticks, want) {
				t.Errorf("%s: ticks %v follow, and the sum is %d, %v; want %v, %d", what, ticks, sum, err, want, w.sum)
			}
		}
		s := w.asked(t)
		if s.N != 4 || s.Hash != hashOf(10) || w.metric.Value(Snapshots) != 1 {
			t.Errorf("it stands still, and is kept as of tick %d, with the hash %x; want 4, %x", s.N, s.Hash, hashOf(10))
		}
		reads("it stands still", 4, nil)
		if again := w.asked(t); again.N != 4 || again.Hash != s.Hash || w.metric.Value(Snapshots) != 1 {
			t.Errorf("asked again: tick %d, %d are kept, want 4 and one", again.N, w.metric.Value(Snapshots))
		}
		w.step(5, 1)
		synctest.Wait()
		reads("it has gone on", 4, []uint64{5})

		// While the log is behind the world goes on.
		stuck := make(chan struct{})
		m.stuck = stuck
		w.step(6, 1)
		synctest.Wait()
		w.step(7, 1)
		kept := make(chan *Snapshot, 1)
		if err := w.Snapshot(func(s *Snapshot, err error) { kept <- s }); err != nil {
			t.Fatal(err)
		}
		if err := w.Snapshot(not); !errors.Is(err, ErrKeeping) {
			t.Errorf("while one is being kept: %v, want ErrKeeping", err)
		}
		w.step(8, 1)
		close(stuck)
		if s := <-kept; s.N != 7 || s.Hash != hashOf(28) || s.Ordinal != 0 {
			t.Errorf("it goes on, and %+v is kept, want that of tick 7", s)
		}
		synctest.Wait()
		if err := m.Delete(t.Context(), log.name(4)); err != nil {
			t.Fatal(err)
		}
		reads("it goes on", 7, []uint64{8})

		// One that is due is the one that is asked for, and the next is due later.
		for n := uint64(9); n <= 17; n++ {
			w.step(n, 1)
			synctest.Wait()
		}
		reads("the next is due", 7, upTo(8, 17))
		if s := w.asked(t); s.N != 17 || s.Hash != hashOf(17*18/2) || w.metric.Value(Snapshots) != 3 {
			t.Errorf("one that is due is kept as of tick %d, and %d are kept; want 17 and 3", s.N, w.metric.Value(Snapshots))
		}
	})
}

// A snapshot that is not kept is said to be so, and the next one is taken.
func TestSnapshotThatIsAskedForFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.step(1, 1)
		m.slow = true
		failed := make(chan error, 1)
		if err := w.Snapshot(func(_ *Snapshot, err error) { failed <- err }); err != nil {
			t.Fatal(err)
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it ended with %v, want that it took too long", err)
		}
		synctest.Wait()
		m.slow = false
		if s := w.asked(t); s.N != 1 || w.metric.Value(SnapshotFailed) != 1 {
			t.Errorf("then %+v is kept, and %d have failed, want tick 1, one", s, w.metric.Value(SnapshotFailed))
		}
	})
}

// The snapshot with which a log goes on by another header is not replaced by one of the same tick that is asked for.
func TestSnapshotOfAGenerationIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		one.step(3, 1)
		s, err := one.Settle(t.Context())
		if err == nil {
			err = one.Keep(t.Context(), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		two := successorOf(t, m, 9, 3)
		if err := two.LeadOn(t.Context()); err != nil {
			t.Fatal(err)
		}
		go func() { two.ended <- two.Run(t.Context()) }()
		before := m.snapshots[two.config.name(3)]
		if s := two.asked(t); s.N != 3 || s.Hash != hashOf(3) {
			t.Errorf("of tick %d, with the hash %x; want 3, %x", s.N, s.Hash, hashOf(3))
		}
		if !bytes.Equal(m.snapshots[two.config.name(3)], before) {
			t.Error("it is another one")
		}
	})
}

// A snapshot that is asked for while a fence waits for the log is of what the log has after that, and the log goes on after it.
func TestSnapshotAfterAFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 2; n++ {
			w.step(n, 1)
			synctest.Wait()
		}
		stuck := make(chan struct{})
		m.stuck = stuck
		w.step(3, 1)
		synctest.Wait()
		late, cancel := context.WithTimeout(t.Context(), retryAfter)
		defer cancel()
		if err := w.Fence(late); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a fence in a log that is stuck: %v", err)
		}
		kept := make(chan *Snapshot, 1)
		if err := w.Snapshot(func(s *Snapshot, _ error) { kept <- s }); err != nil {
			t.Fatal(err)
		}
		close(stuck)
		if s := <-kept; s.N != 3 || s.Hash != hashOf(6) {
			t.Errorf("%+v is kept, want tick 3", s)
		}
		w.step(4, 1)
		synctest.Wait()
		if _, ticks, sum, s, err := all(m); err != nil || s == nil || s.N != 3 || sum != 10 || !slices.Equal(ticks, []uint64{4}) {
			t.Errorf("read from %+v on, the log has %v to %d, %v; want tick 4 after 3, 10", s, ticks, sum, err)
		}
	})
}
