package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"muster/net/replication/recording"
)

// mostSnapshots is how many there are of a map at a time. Where there would be more, every other one is removed, and
// they are written half as often from then on: they cover the recording, however long it is.
const mostSnapshots = 64

// shots writes snapshots of a world while its recording is run.
type shots struct {
	folder string
	every  uint64 // ticks; 0 for none
	next   uint64
	taken  []uint64
}

// newShots begins a series of snapshots, in place of those that a folder has of a map.
func newShots(folder string, place uint32, every uint64) (shots, error) {
	s := shots{folder: folder, every: every}
	if every == 0 {
		return s, nil
	}
	old, err := recording.Snapshots(folder, place)
	for _, n := range old {
		err = errors.Join(err, recording.RemoveSnapshot(folder, place, n))
	}
	return s, err
}

// due reports that there is to be a snapshot after a tick.
func (s *shots) due(tick uint64) bool { return s.every > 0 && tick >= max(s.next, s.every) }

// shoot writes a snapshot of the world as it is now.
func (p *playback) shoot() error {
	s := &p.shots
	if len(s.taken) == mostSnapshots {
		kept := s.taken[:0]
		for i, n := range s.taken {
			if i%2 == 1 {
				kept = append(kept, n)
			} else if err := recording.RemoveSnapshot(s.folder, p.log.Header.Map, n); err != nil {
				return err
			}
		}
		s.taken, s.every = kept, 2*s.every
		s.next = kept[len(kept)-1] + s.every
		if !s.due(p.tick) {
			return nil
		}
	}
	state, err := p.world.AppendSnapshot(nil)
	if err != nil {
		return err
	}
	shot := recording.Snapshot{
		Log: p.log.Header, Release: release(), Toolchain: toolchain(), N: p.tick, Sum: p.sum, Hash: p.world.Hash(), State: state,
	}
	if err := shot.Write(s.folder); err != nil {
		return fmt.Errorf("the snapshot after tick %d: %w", p.tick, err)
	}
	s.taken = append(s.taken, p.tick)
	s.next = p.tick + s.every
	return nil
}

// from restores the world as it was after a tick, or as short before that as there is a snapshot, and continues in
// the recording with what follows. A map without such a snapshot begins at its beginning.
func (p *playback) from(folder string, tick uint64) error {
	h := &p.log.Header
	ticks, err := recording.Snapshots(folder, h.Map)
	if err != nil {
		return err
	}
	after, _ := slices.BinarySearch(ticks, tick+1)
	if after == 0 {
		return nil
	}
	shot, err := recording.OpenSnapshot(folder, h.Map, ticks[after-1])
	if err != nil {
		return err
	}
	if field := otherSetting(&shot.Log, h); field != "" {
		return fmt.Errorf("the snapshot after tick %d is of a recording with another %s", shot.N, field)
	}
	if err := p.world.Restore(shot.State); err != nil {
		return fmt.Errorf("the snapshot after tick %d, by %s, %s: %w", shot.N, shot.Release, shot.Toolchain, err)
	}
	if hash := p.world.Hash(); hash != shot.Hash {
		return fmt.Errorf("the snapshot after tick %d has a world with the hash %016x, and says %016x", shot.N, hash, shot.Hash)
	}
	return p.skip(shot)
}

// skip reads the recording up to the tick of a snapshot, and makes sure that it is the same so far.
func (p *playback) skip(shot *recording.Snapshot) error {
	for p.tick < shot.N {
		record, err := p.log.Next()
		if err == io.EOF || errors.Is(err, recording.ErrTorn) || err == nil && record.N > shot.N {
			return fmt.Errorf("the snapshot after tick %d is of another recording: this one has no such tick", shot.N)
		}
		if err != nil {
			return err
		}
		if record.Inbox != nil {
			p.tick, p.sum = record.N, recording.Sum(p.sum, record.N, record.Inbox)
		}
	}
	if p.sum != shot.Sum {
		return fmt.Errorf("the snapshot after tick %d is of another recording: in this one the ticks before read something else", shot.N)
	}
	p.began = shot.N
	return nil
}
