package keptworld

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"muster/cmd/internal/worldspec"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
	"muster/net/replication/worldlog"
)

// Excerpts visits the worlds that the flags name, by map, each as it was after its newest snapshot that is of a tick or an earlier one, or as it was made if the log has its
// beginning: what follows in the log is for Next or Compare of the world. That is copied into a folder first, as muster snapshot save has worlds in one, which is there until visit
// returns: what keeps the worlds goes on meanwhile. The error wraps a recording.PurgedError if a log has not as old a tick.
func (k *Place) Excerpts(ctx context.Context, tick uint64, visit func(w *World, folder string) error) error {
	open := k.opener(ctx)
	visitIn := func(at Shard, copied func(folder string) error) (err error) {
		folder, err := os.MkdirTemp("", "muster-log-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		if err := copied(worldlog.InstanceFolder(folder, at.Instance)); err != nil {
			return err
		}
		w, err := excerpt(worldlog.InstanceFolder(folder, at.Instance), at, open)
		if err != nil {
			return err
		}
		return errors.Join(visit(w, folder), w.Log.Close())
	}
	if k.Bus != "" {
		return k.eachLog(ctx, func(of *kept) error {
			err := visitIn(of.Shard, func(folder string) error { return of.log.Excerpt(ctx, folder, tick, math.MaxInt64) })
			if errors.Is(err, streamlog.ErrNone) && of.Instance != 0 && len(k.Instance) == 0 {
				return nil // the instance was removed meanwhile
			}
			return err
		})
	}
	all, err := k.InFolder()
	if err == nil {
		all, err = k.chosen(all)
	}
	if err != nil {
		return err
	}
	for _, at := range all {
		err := visitIn(at, func(folder string) error {
			return worldlog.Excerpt(ctx, worldlog.InstanceFolder(k.Folder(), at.Instance), folder, at.Map, tick, math.MaxInt64)
		})
		if errors.Is(err, worldlog.ErrNone) && at.Instance != 0 && len(k.Instance) == 0 {
			continue // it was removed since they were listed
		}
		if err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
	}
	return nil
}

// excerpt is the world with which one begins.
func excerpt(folder string, at Shard, open func(*recording.Header) (*World, error)) (*World, error) {
	found, err := worldlog.Open(folder, at.Map)
	if err == nil && found == nil {
		err = worldlog.ErrNone
	}
	if err != nil {
		return nil, err
	}
	w, err := open(&found.Header)
	if err != nil {
		return nil, err
	}
	w.Log, w.Name, w.Instance, w.Tick, w.Since = found, at.String(), at.Instance, found.Since(), found.Since()
	shot := found.Snapshot
	if shot == nil {
		return w, nil
	}
	w.Bytes = len(shot.State)
	s := &streamlog.Snapshot{N: shot.N, Header: shot.Log, State: shot.State, Hash: streamlog.Hash(shot.State)}
	s.Header.Release, s.Header.Toolchain = shot.Release, shot.Toolchain
	if worldspec.OtherSetting(&shot.Log, &found.Header) != "" { // the log goes on by another header from here on
		s.Before = &s.Header
	}
	if err := worldspec.RestoreWorld(w.World, s); err != nil {
		return nil, err
	}
	if hash := w.World.Hash(); shot.Hash != 0 && shot.Hash != hash {
		return nil, fmt.Errorf("the snapshot after tick %d has a world with the hash %016x, and says %016x", shot.N, hash, shot.Hash)
	}
	return w, nil
}
