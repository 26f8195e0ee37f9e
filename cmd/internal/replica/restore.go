package replica

import (
	"context"
	"errors"

	"muster/cmd/internal/link"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// Bounds on how often a replica begins again with the log because that was purged before it was read, our own choices.
const (
	// needsRing is how often it begins with a snapshot from which on it makes all frames that gateways may ask for. After that it begins with the
	// newest, which is kept for the longest, and has the frames since that.
	needsRing    = 2
	maxOvertaken = 4
)

// restore makes the world as a snapshot has it, and returns the number of the entry with which the log goes on.
func (r *Replica) restore(ctx context.Context) (from uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	if r.begunWith = 0; r.anew {
		return 0, r.Place.Remove(ctx)
	}
	newest, err := r.Place.Newest(ctx)
	s := newest
	if err == nil && newest != nil && r.overtaken < needsRing {
		s, err = r.Place.Needed(ctx, r.ticks(link.Kept))
	}
	var unknown *recording.SettingError
	if errors.As(err, &unknown) {
		err = r.sameButUnknown(unknown)
	}
	if err != nil || newest == nil {
		return 0, err
	}
	if err := r.same(&s.Header); err != nil {
		return 0, err
	}
	return s.Next(), r.restoreFrom(s, newest)
}

// restoreFrom makes the world as a snapshot has it.
func (r *Replica) restoreFrom(s, newest *streamlog.Snapshot) error {
	if err := worldspec.RestoreWorld(r.live.World, s); err != nil {
		return err
	}
	players := make(map[uint32]uint64)
	r.live.World.Characters(func(session uint32, guid uint64) { players[session] = guid })
	if err := r.end.Restore(s.N, s.Roster, players); err != nil {
		return err
	}
	r.live.Exchange.Join(s.N)
	r.follower.Begin(s, newest)
	r.tick, r.begunWith = s.N, s.N
	r.At.Store(s.N)
	return nil
}

// purged reports whether the log was purged since the replica has begun with it.
func (r *Replica) purged(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	purged, err := r.Place.Purged(ctx, r.begunWith)
	return err == nil && purged
}
