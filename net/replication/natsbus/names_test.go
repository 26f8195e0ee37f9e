package natsbus

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
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
