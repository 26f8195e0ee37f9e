package streamlog

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"testing"
	"testing/synctest"

	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// readFrom reads a log from a tick on: the tick of the snapshot, 0 without one, what follows it, and their sum.
func readFrom(t *testing.T, m *memory, tick uint64) (since uint64, ticks []uint64, sum uint64, err error) {
	l := logIn(m)
	err = l.ReadFrom(t.Context(), tick, func(h *recording.Header, s *Snapshot) error {
		if s != nil {
			since, sum = s.N, binary.LittleEndian.Uint64(s.State)
		}
		return nil
	}, func(r recording.Record) error {
		if r.Inbox == nil || r.N <= since {
			return nil
		}
		var in frame.Inbox
		err := in.UnmarshalBinary(r.Inbox)
		ticks, sum = append(ticks, r.N), sum+uint64(in.At(0).Session)
		return err
	})
	return since, ticks, sum, err
}

// A log is read from the newest snapshot on that is not later than a tick, and from its beginning while it has that. A tick that it has not any more is refused with those
// that it has.
func TestReadFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		steps := func(first, last uint64) {
			for n := first; n <= last; n++ {
				w.step(n, 1)
				synctest.Wait()
			}
		}
		has := func(tick, since, last uint64) {
			t.Helper()
			if got, ticks, sum, err := readFrom(t, m, tick); err != nil || got != since || sum != w.sum || !slices.Equal(ticks, upTo(since+1, last)) {
				t.Errorf("from tick %d on a log is read after %d: %v with the sum %d, %v; want %d to %d with %d", tick, got, ticks, sum, err, since+1, last, w.sum)
			}
		}
		lacks := func(tick uint64, since ...uint64) {
			t.Helper()
			_, ticks, _, err := readFrom(t, m, tick)
			var purged *recording.PurgedError
			if !errors.As(err, &purged) || purged.Tick != tick || !slices.Equal(purged.Since, since) || ticks != nil {
				t.Errorf("from tick %d on a log is read as %v, %v; want only what follows %v", tick, ticks, err, since)
			}
		}
		if _, _, _, err := readFrom(t, newMemory(), 3); !errors.Is(err, ErrNone) {
			t.Errorf("no log is read with %v", err)
		}
		steps(1, 8)
		has(1, 0, 8)
		has(math.MaxUint64, 0, 8)
		steps(9, 25)
		has(9, 0, 25)
		has(10, 10, 25)
		has(19, 10, 25)
		has(24, 20, 25)
		steps(26, 75)
		has(math.MaxUint64, 70, 75)
		has(69, 60, 75)
		has(40, 40, 75)
		lacks(39, 40, 50, 60, 70)
		lacks(1, 40, 50, 60, 70)

		s, err := w.Settle(t.Context())
		if err == nil {
			err = w.Keep(t.Context(), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		next := successorOf(t, m, 9, 75)
		if err := next.LeadOn(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { next.ended <- next.Run(ctx) }()
		w = next
		steps(76, 90)
		has(77, 75, 90)
		has(85, 85, 90)
		lacks(74, 75, 85)
		cancel()
		if err := <-next.ended; err != nil {
			t.Error(err)
		}

		// A world that was put in the place of a log has no ticks before.
		log := logIn(m)
		if err := log.Replace(t.Context(), &Snapshot{Log: 9, N: 30, Header: testHeader, State: binary.LittleEndian.AppendUint64(nil, 77)}); err != nil {
			t.Fatal(err)
		}
		begun, err := log.Newest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f := new(Follower)
		f.Begin(begun, begun)
		if w, err = write(t.Context(), m, 12, f, 30, 77); err != nil {
			t.Fatal(err)
		}
		steps(31, 33)
		has(30, 30, 33)
		lacks(29, 30)
	})
}

// An excerpt that has more bytes than there is room for ends with an error.
func TestRoomOfExcerpt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		w, err := write(t.Context(), m, 5, new(Follower), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= 15; n++ {
			w.step(n, 1)
			synctest.Wait()
		}
		l := logIn(m)
		for _, tick := range []uint64{1, 12} { // without a snapshot, and with one
			folder := t.TempDir()
			if err := l.Excerpt(t.Context(), folder, tick, math.MaxInt64); err != nil {
				t.Fatal(err)
			}
			all, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			size := int64(0)
			for _, at := range all {
				info, err := at.Info()
				if err != nil {
					t.Fatal(err)
				}
				size += info.Size()
			}
			if err := l.Excerpt(t.Context(), t.TempDir(), tick, size); err != nil {
				t.Errorf("from tick %d on %d bytes have no room in as many: %v", tick, size, err)
			}
			if err := l.Excerpt(t.Context(), t.TempDir(), tick, size-1); !errors.Is(err, worldlog.ErrLarge) {
				t.Errorf("from tick %d on %d bytes have room in one less: %v", tick, size, err)
			}
		}
	})
}
