package streamlog

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
)

// A brokenStream does something else when a snapshot is put.
type brokenStream struct {
	*memory
	put func() error
}

func (b *brokenStream) Put(ctx context.Context, name string, snapshot io.Reader) error {
	if err := b.put(); err != nil {
		return err
	}
	return b.memory.Put(ctx, name, snapshot)
}

// A log is replaced by one that begins with a snapshot, of any tick. What ends that in its midst leaves nothing that a world could go on with, and a process that begins with the world
// meanwhile keeps it.
func TestReplace(t *testing.T) {
	for name, tick := range map[string]uint64{"older": 7, "as old": 30, "newer": 1000} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { replaced(t, tick) }) })
	}
}

func replaced(t *testing.T, tick uint64) {
	m := newMemory()
	old, err := write(t.Context(), m, 5, new(Follower), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := uint64(1); n <= 35; n++ { // snapshots after 10, 20, 30
		old.step(n, 1)
		synctest.Wait()
	}
	s := &Snapshot{Log: 9, N: tick, Header: testHeader, State: binary.LittleEndian.AppendUint64(nil, 77)}
	broken := &brokenStream{m, func() error { return errMemory }}
	log := Log{Stream: broken, Subject: "log", Name: "1.0."}
	if err := log.Replace(t.Context(), s); !errors.Is(err, errMemory) {
		t.Fatalf("the snapshot cannot be put: %v", err)
	}
	begins := func() (f *Follower, s *Snapshot, err error) {
		newest, err := log.Newest(t.Context())
		if err == nil {
			s, err = log.Needed(t.Context(), 20)
		}
		if err != nil || s == nil {
			t.Fatalf("a process begins with %+v, %v", s, err)
		}
		f = new(Follower)
		f.Begin(s, newest)
		end, err := m.Last(t.Context(), "log")
		if err == nil {
			_, err = f.Reached(end.Number)
		}
		return f, s, err
	}
	if _, _, err := begins(); !errors.Is(err, ErrShort) {
		t.Errorf("in its midst a process begins with %v, want ErrShort", err)
	}
	old.step(36, 1)
	if err := <-old.ended; !errors.Is(err, ErrMoved) {
		t.Errorf("a writer that is not known of ends with %v, want ErrMoved", err)
	}

	// One that has begun anew.
	var anew *written
	broken.put = func() (err error) {
		anew, err = write(t.Context(), m, 6, new(Follower), 0, 0)
		return err
	}
	if err := log.Replace(t.Context(), s); !errors.Is(err, ErrMoved) {
		t.Errorf("a process has begun meanwhile: %v, want ErrMoved", err)
	}
	anew.step(1, 1)
	synctest.Wait()
	if _, ticks, _, s, err := all(m); err != nil || s != nil || !slices.Equal(ticks, []uint64{1}) {
		t.Errorf("that has the ticks %v after %+v, %v; want its first", ticks, s, err)
	}

	broken.put = func() error { return nil }
	for range 2 { // it may be said again
		if err := log.Replace(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := m.Names(t.Context(), ""); err != nil || !slices.Equal(names, []string{log.name(tick)}) || len(m.messages["log"]) > 0 {
		t.Errorf("there are %v, %v, and %d entries", names, err, len(m.messages["log"]))
	}
	// Another one in its place, before a process has begun with it: it is the one or the other, or none, and never a mixture.
	other := *s
	other.Log, other.N = 8, tick+1
	broken.put = func() error { return errMemory }
	if err := log.Replace(t.Context(), &other); !errors.Is(err, errMemory) {
		t.Fatalf("the snapshot cannot be put: %v", err)
	}
	if names, err := m.Names(t.Context(), ""); err != nil || len(names) > 0 {
		t.Errorf("a process could begin with %v, %v", names, err)
	}
	broken.put = func() error { return nil }
	if err := log.Replace(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for life := uint64(10); life < 12; life++ { // the first begins the log, the other goes on with it
		f, s, err := begins()
		if err != nil || s.N != tick {
			t.Fatalf("a process begins with tick %d, %v; want %d", s.N, err, tick)
		}
		sum, n := uint64(77), tick
		if life > 10 {
			f, _, sum, _, err = all(m)
			n++
		}
		if err != nil || f.Log != 9 {
			t.Fatalf("it follows the log %d, %v; want 9", f.Log, err)
		}
		w, err := write(t.Context(), m, life, f, n, sum)
		if err != nil {
			t.Fatal(err)
		}
		w.step(n+1, 1)
		synctest.Wait()
		if _, ticks, sum, _, err := all(m); err != nil || sum != w.sum || !slices.Equal(ticks, upTo(tick+1, n+1)) {
			t.Errorf("it has gone on with %v to %d, %v; want %v, %d", ticks, sum, err, upTo(tick+1, n+1), w.sum)
		}
	}
}
