package natsbus

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The names of snapshots are to be had while others are removed: jetstream.ObjectStore.List waits for ever where the message is removed with which it would end.
func TestNamesWhileSnapshotsAreRemoved(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	_, s := newStreamOf(t)
	put := func(ctx context.Context, name string) error { return s.Put(ctx, name, bytes.NewReader([]byte{1})) }
	for _, name := range []string{"world/kept", "other/kept"} {
		if err := put(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	var working, listing sync.WaitGroup
	removing, removed := context.WithCancel(ctx)
	for k := range 4 {
		working.Go(func() {
			for i := 0; removing.Err() == nil; i++ {
				name := fmt.Sprintf("world/removed-%d-%d", k, i)
				err := put(ctx, name)
				if err == nil {
					err = s.Delete(ctx, name)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
		listing.Go(func() {
			for range 100 {
				names, err := s.Names(ctx, "world/")
				if err != nil || !slices.Contains(names, "world/kept") || slices.Contains(names, "other/kept") {
					t.Errorf("names %q, %v, want world/kept and perhaps some that are removed", names, err)
					return
				}
			}
		})
	}
	listing.Wait()
	removed()
	working.Wait()
}

// Pieces of a snapshot whose writer has ended in the midst of it are removed, unless they are new; those of a snapshot that is whole stay.
func TestRemoveUnfinished(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	_, s := newStreamOf(t)
	whole := bytes.Repeat([]byte{7}, 300<<10) // more than one piece
	if err := s.Put(ctx, "world/whole", bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	const unfinished = "$O.muster-r-snapshots.C.unfinished"
	for range 2 {
		if _, err := s.js.Publish(ctx, unfinished, []byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	hour := time.Hour
	for _, c := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-hour), 0}, {time.Now().Add(hour), 1}, {time.Now().Add(hour), 0}} {
		if n, err := s.RemoveUnfinished(ctx, c.before); n != c.want || err != nil {
			t.Errorf("of %d snapshots pieces are removed that came before %v, %v; want %d", n, c.before, err, c.want)
		}
	}
	info, err := s.objects.Info(ctx, jetstream.WithSubjectFilter(unfinished))
	if err != nil || len(info.State.Subjects) > 0 {
		t.Errorf("there is %v, %v", info.State.Subjects, err)
	}
	if b, err := s.Get(ctx, "world/whole"); err != nil || !bytes.Equal(b, whole) {
		t.Errorf("of a whole snapshot there are %d bytes, %v", len(b), err)
	}
}
