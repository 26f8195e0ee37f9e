package keptworld

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/loaders/store/journal"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// A Restored is a world that was put in the place of a server's.
type Restored struct {
	Shard
	Tick    uint64 // after which it is
	Players int    // that it had, and has no more
}

// Restore puts worlds in the place of those in the folder of a server that does not run, and calls done after each. Nothing is changed
// before all were read and written beside the server's. Worlds of instances are not restored: which of them a server has is
// kept beside them.
func Restore(ctx context.Context, k *Place, into string, done func(Restored)) error {
	if slices.ContainsFunc(k.Instance, func(n uint32) bool { return n != 0 }) {
		return errors.New("instances are not restored into the folder of a server: those that it has go on as they are")
	}
	worlds := *k
	worlds.Instance = []uint32{0}
	k = &worlds
	unlock, err := journal.Hold(storage.JournalFolder(into, k.Database))
	if errors.Is(err, journal.ErrInUse) {
		return fmt.Errorf("a server runs in %s: end it first", into)
	}
	if err != nil {
		return err
	}
	defer unlock()
	to := storage.WorldFolder(into, k.Database)
	if k.Bus == "" && filepath.Clean(to) == filepath.Clean(k.Folder()) {
		return errors.New("these are the server's own worlds: name a folder of muster snapshot save with --from")
	}
	beside := to + ".new"
	if k.Bus == "" && filepath.Clean(k.Folder()) == filepath.Clean(beside) {
		return fmt.Errorf("%s is where worlds are written before they are put in their places, and is removed: give the folder of --from another name", beside)
	}
	if err := os.RemoveAll(beside); err != nil {
		return err
	}
	defer os.RemoveAll(beside)
	var all []Restored
	err = k.Each(ctx, func(w *World) error {
		players, err := w.Leave()
		if err != nil {
			return err
		}
		s, err := w.Snapshot()
		if err != nil {
			return err
		}
		s.Log.Release, s.Log.Toolchain = release.Name(), release.Toolchain()
		all = append(all, Restored{w.Shard(), w.Tick, players})
		return worldlog.Save(beside, s)
	})
	if err != nil {
		return err
	}
	for _, w := range all {
		if _, err := worldlog.SetAside(to, worldlog.Replaced, w.Map); err != nil {
			return err
		}
		if err := worldlog.Put(beside, to, w.Map); err != nil {
			return err
		}
		done(w)
	}
	return nil
}

// Check takes a snapshot of a world, and returns an error if what is restored from it is not the same again.
func (w *World) Check() (*recording.Snapshot, error) {
	s, err := w.Snapshot()
	if err != nil {
		return nil, err
	}
	again := worldspec.NewWorld(&w.Header, w.Defs, new(metric.Table))
	if err := again.Restore(s.State); err != nil {
		return nil, err
	}
	switch b, err := again.AppendSnapshot(nil); {
	case err != nil:
		return nil, err
	case !bytes.Equal(b, s.State) || again.Hash() != s.Hash:
		return nil, fmt.Errorf("after tick %d: what is restored is another world: its hash is %016x, not %016x", w.Tick, again.Hash(), s.Hash)
	}
	return s, nil
}
