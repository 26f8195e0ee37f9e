package streamlog

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/net/replication/recording"
)

// successorOf is a writer with another header that has restored the snapshot after a tick.
func successorOf(t *testing.T, m *memory, life, tick uint64) *written {
	t.Helper()
	log := logIn(m)
	s, err := log.At(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	f := new(Follower)
	f.Begin(s, s)
	w := &written{stream: m, sum: binary.LittleEndian.Uint64(s.State), ended: make(chan error, 1)}
	next := testHeader
	next.Release = "2"
	w.Writer = NewWriter(Config{
		Log: log, Life: life, Header: next, State: w.state,
		Digest: func(uint64) []byte { return digestOf(w.sum) }, Committed: w.commitOf(), Roster: func(b []byte) []byte { return b },
		Every: 10, Kept: 20, Second: 4, Metric: &w.metric,
	}, f, s.N, Digests{})
	return w
}

// A log goes on by another header from a snapshot of a world that stands still, one tick after the other, and whoever reads it finds that. The writer
// before finds out by its next append.
func TestGoesOnByAnotherHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 25; n++ {
			one.step(n, 1)
			one.wait()
		}
		one.step(30, 1) // takes a snapshot, which is dropped
		s, err := one.Settle(t.Context())
		if err != nil || s.N != 30 || s.Ordinal == 0 || s.From != m.number || one.newest() != 30 {
			t.Fatalf("it stands still as %+v, %v, and tick %d is committed, want 30", s, err, one.newest())
		}
		if err := one.Keep(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		two := successorOf(t, m, 9, 30)
		if err := two.LeadOn(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { two.ended <- two.Run(ctx) }()
		for n := uint64(31); n <= 75; n++ {
			two.step(n, 1)
			two.wait()
			log := logIn(m)
			oldest, err := log.Needed(t.Context(), math.MaxUint64)
			if since, failed := log.Since(t.Context()); failed != nil || since != 30 || err != nil || oldest.N < 30 || oldest.Header.Release != "2" || (oldest.N == 30) != (oldest.Before != nil) {
				t.Fatalf("after tick %d the log goes on after tick %d, %v, and begins with %+v, %v", n, since, failed, oldest, err)
			}
			var ticks []uint64
			sum := uint64(0)
			err = log.Read(t.Context(), func(h *recording.Header, s *Snapshot) error {
				if h.Release != "2" {
					t.Errorf("its header is of release %s, want 2", h.Release)
				}
				ticks, sum = append(ticks, s.N), binary.LittleEndian.Uint64(s.State)
				return nil
			}, func(r recording.Record) error {
				if r.Inbox != nil && r.N > ticks[0] {
					ticks, sum = append(ticks, r.N), sum+r.N
				}
				return nil
			})
			if err != nil || ticks[0] < 30 || ticks[len(ticks)-1] != n || sum != two.sum {
				t.Fatalf("after tick %d there are %v with the sum %d, want %d, %v", n, ticks, sum, two.sum, err)
			}
		}
		one.step(31, 1)
		if err := <-one.ended; !errors.Is(err, ErrMoved) || slices.Contains(one.all(), 31) {
			t.Errorf("the writer before has ended with %v, and has committed %v", err, one.all())
		}
		cancel()
		if err := <-two.ended; err != nil {
			t.Error(err)
		}
	})
}

// One that goes on all the same after its world stood still is not followed by a successor any more, and its log is whole.
func TestFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 5; n++ {
			one.step(n, 1)
		}
		s, err := one.Settle(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := one.Keep(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		two := successorOf(t, m, 9, 5)
		if err := one.Fence(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := two.LeadOn(t.Context()); !errors.Is(err, ErrMoved) {
			t.Errorf("the successor has %v, want ErrMoved", err)
		}
		one.step(6, 1)
		one.wait()
		f, ticks, sum, begun, err := all(m)
		if err != nil || begun == nil || begun.N != 5 || !slices.Equal(ticks, []uint64{6}) || sum != one.sum || f.Since != 0 || f.Header.Release != "1" {
			t.Errorf("the log begins with %+v, goes on with %v, has the sum %d, want %d, and goes on after tick %d, %v", begun, ticks, sum, one.sum, f.Since, err)
		}
		// Behind a stream that does not answer it is not known, in time.
		m.stuck = make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := one.Fence(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want that there was no time", err)
		}
		close(m.stuck)
	})
}

// A snapshot that was taken before the world stood still, and is dropped, is taken after the next tick if that goes on here, and not an interval later.
func TestDroppedSnapshotIsTakenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		one, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 10; n++ { // Every is 10
			one.step(n, 1)
			one.wait()
		}
		if err := one.Fence(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := uint64(11); n <= 12; n++ {
			one.step(n, 1)
			one.wait()
		}
		log := logIn(m)
		if s, err := log.Newest(t.Context()); err != nil || s == nil || s.N != 11 {
			t.Errorf("the newest snapshot is %+v, %v, want one after tick 11", s, err)
		}
	})
}
