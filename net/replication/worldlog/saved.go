package worldlog

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"muster/internal/directory"
	"muster/net/replication/recording"
)

// Maps are those of which a folder has something, ascending. A folder that is not there has none.
func Maps(folder string) ([]uint32, error) {
	names, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var maps []uint32
	for _, at := range names {
		var place uint32
		var tick uint64
		var kind string
		if _, err := fmt.Sscanf(at.Name(), "map%d-%d.%s", &place, &tick, &kind); err != nil || kind != "log" && kind != "snapshot" {
			continue
		}
		maps = append(maps, place)
	}
	slices.Sort(maps)
	return slices.Compact(maps), nil
}

// Put moves what Save has written of a map from one folder into another of the same file system, which has nothing of that map. The snapshot is the
// last that is moved. When it returns, the disk has that.
func Put(from, to string, place uint32) error { return put(from, to, place, directory.Sync) }

func put(from, to string, place uint32, sync func(folder string) error) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, kind := range []string{"log", "snapshot"} {
		err := each(from, place, func(of string, tick uint64) error {
			if of != kind {
				return nil
			}
			name := fileName(place, tick, kind)
			return os.Rename(filepath.Join(from, name), filepath.Join(to, name))
		})
		if err != nil {
			return err
		}
	}
	return sync(to)
}

// Save writes a world into a folder, in place of what that has of its map: a snapshot, and the log of a world that has ended after it.
// The snapshot is the last that is written, so that it has its log if it is there.
func Save(folder string, s *recording.Snapshot) error {
	s.Log.Segment = 1
	if err := errors.Join(os.MkdirAll(folder, 0o700), remove(folder, s.Log.Map, 0, math.MaxUint64)); err != nil {
		return err
	}
	b := recording.AppendEnd(recording.AppendHeader(nil, &s.Log), closed)
	log, err := os.OpenFile(logName(folder, s.Log.Map, s.N), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = log.Write(b)
	if err := errors.Join(err, log.Sync(), log.Close()); err != nil {
		return err
	}
	return s.Write(folder)
}
