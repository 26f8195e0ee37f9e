package playback

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/recording"
)

// MaxSnapshots is how many there are of a map at a time. Where there would be more, every other one is removed, and
// they are written half as often from then on: they cover the recording, however long it is.
const MaxSnapshots = 64

// shots writes snapshots of a world while its recording is run.
type shots struct {
	folder string
	every  uint64 // ticks; 0 for none
	next   uint64
	Taken  []uint64
}

// NewShots begins a series of snapshots, in place of those that a folder has of a map.
func NewShots(folder string, place uint32, every uint64) (shots, error) {
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

// Due reports that there is to be a snapshot after a tick.
func (s *shots) Due(tick uint64) bool { return s.every > 0 && tick >= max(s.next, s.every) }

// Shoot writes a snapshot of the world as it is now.
func (p *Playback) Shoot() error {
	s := &p.Shots
	if len(s.Taken) == MaxSnapshots {
		kept := s.Taken[:0]
		for i, n := range s.Taken {
			if i%2 == 1 {
				kept = append(kept, n)
			} else if err := recording.RemoveSnapshot(s.folder, p.Header.Map, n); err != nil {
				return err
			}
		}
		s.Taken, s.every = kept, 2*s.every
		s.next = kept[len(kept)-1] + s.every
		if !s.Due(p.Tick) {
			return nil
		}
	}
	state, err := p.World.AppendSnapshot(nil)
	if err != nil {
		return err
	}
	shot := recording.Snapshot{
		Log: p.Header, Release: release.Name(), Toolchain: release.Toolchain(), N: p.Tick, Sum: p.sum, Hash: p.World.Hash(), State: state,
	}
	if err := shot.Write(s.folder); err != nil {
		return fmt.Errorf("the snapshot after tick %d: %w", p.Tick, err)
	}
	s.Taken = append(s.Taken, p.Tick)
	s.next = p.Tick + s.every
	return nil
}

// From restores the world as it was after a tick, or as short before that as there is a snapshot, and continues in
// the recording with what follows. A map without such a snapshot begins at its beginning.
func (p *Playback) From(folder string, tick uint64) error {
	h := &p.Header
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
	if field := worldspec.OtherSetting(&shot.Log, h); field != "" {
		return fmt.Errorf("the snapshot after tick %d is of a recording with another %s", shot.N, field)
	}
	if err := p.World.Restore(shot.State); err != nil {
		return fmt.Errorf("the snapshot after tick %d, by %s, %s: %w", shot.N, shot.Release, shot.Toolchain, err)
	}
	if hash := p.World.Hash(); hash != shot.Hash {
		return fmt.Errorf("the snapshot after tick %d has a world with the hash %016x, and says %016x", shot.N, hash, shot.Hash)
	}
	return p.skip(shot)
}

// skip reads the recording up to the tick of a snapshot, and makes sure that it is the same so far.
func (p *Playback) skip(shot *recording.Snapshot) error {
	for p.Tick < shot.N {
		record, err := p.Log.Next()
		if err == io.EOF || errors.Is(err, recording.ErrTorn) || err == nil && record.N > shot.N {
			return fmt.Errorf("the snapshot after tick %d is of another recording: this one has no such tick", shot.N)
		}
		if err != nil {
			return err
		}
		if record.Inbox != nil {
			p.Tick, p.sum = record.N, recording.Sum(p.sum, record.N, record.Inbox)
		}
	}
	if p.sum != shot.Sum {
		return fmt.Errorf("the snapshot after tick %d is of another recording: in this one the ticks before read something else", shot.N)
	}
	p.Began = shot.N
	return nil
}
