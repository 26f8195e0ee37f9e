package keptworld

import (
	"context"
	"errors"
	"fmt"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/link"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/natsbus"
	"muster/net/replication/recording"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// RestoreLogs puts worlds, without their players, in the place of those that workers keep in the stream of a realm, and calls done after each. Each begins a log of its own, at
// the tick that it had. Nothing is changed before all were read, and it is known of each that no process has the world in its place, that this is a world of the same settings, and
// that it has no players, unless asStored: then they are as they are stored, however that differs from what the world has.
func RestoreLogs(ctx context.Context, k, into *Place, asStored bool, done func(Restored)) error {
	if k.Bus != "" {
		return errors.New("worlds of a stream are saved into a folder first, and restored from there")
	}
	var all []Restored
	var worlds []*streamlog.Snapshot
	err := k.Each(ctx, func(w *World) error {
		players, err := w.Leave()
		if err != nil {
			return err
		}
		state, err := w.World.AppendSnapshot(nil)
		h := w.Header
		h.Release, h.Toolchain, h.Segment, h.ShareMs = release.Name(), release.Toolchain(), 1, worldspec.ShareMs
		all = append(all, Restored{w.Shard(), w.Tick, players})
		worlds = append(worlds, &streamlog.Snapshot{Log: link.NewLife(), N: w.Tick, Header: h, Roster: remote.NoGateways(), State: state})
		return err
	})
	if err != nil {
		return err
	}
	return into.connected(ctx, func(_ context.Context, bus *natsbus.Bus, stream *natsbus.Stream) error {
		open := k.opener(ctx)
		ends := make([]uint64, len(all)) // of their logs, when they were looked at
		for i, w := range all {
			of := into.keptIn(bus, stream, w.Shard)
			end, err := stream.Last(ctx, of.log.Subject)
			if err == nil {
				ends[i], err = end.Number, of.replaceable(ctx, into, open, &worlds[i].Header, asStored)
			}
			if err != nil {
				return fmt.Errorf("%v: %w", w.Shard, err)
			}
		}
		for i, w := range all {
			of := into.keptIn(bus, stream, w.Shard)
			err := of.untouched(ctx, ends[i])
			if err == nil {
				err = of.log.Replace(ctx, worlds[i])
			}
			if err != nil {
				return fmt.Errorf("%v is not restored: end its workers, and say it again: %w", w.Shard, err)
			}
			done(w)
		}
		return nil
	})
}

// replaceable is why a world must not be put in the place of the one that is kept.
func (of *kept) replaceable(ctx context.Context, k *Place, open func(*recording.Header) (*World, error), h *recording.Header, asStored bool) error {
	if err := of.led(ctx); err != nil {
		return err
	}
	old, err := of.header(ctx)
	if errors.Is(err, streamlog.ErrNone) { // or it was replaced, or is half, and no process has begun with it
		if of.Instance == 0 {
			return nil
		}
		newest, err := of.log.Newest(ctx)
		if err == nil && newest == nil {
			err = errors.New("there is no such instance")
		}
		return err
	}
	if err == nil {
		same := *old
		same.Release, same.Toolchain, same.Parts = h.Release, h.Toolchain, h.Parts
		if field := worldspec.OtherSetting(&same, h); field != "" {
			return fmt.Errorf("its log is of a world with another %s", field)
		}
	}
	if asStored {
		return nil
	}
	var w *World
	if err == nil {
		w, err = k.readStream(ctx, of.log, open)
	}
	switch {
	case err != nil:
		return fmt.Errorf("it is not known which players are in the world that is there, and --as-stored restores it all the same: %w", err)
	case w.World.Players() > 0:
		return fmt.Errorf("%d players are in the world that is there, and may be newer in it than they are stored: have them leave it, or restore it --as-stored", w.World.Players())
	}
	return nil
}

// led fails if a process has the world.
func (of *kept) led(ctx context.Context) error {
	leader, err := demand.Leader(ctx, of.bus, of.address)
	if err == nil && leader != "" {
		err = fmt.Errorf("%s has the world: end all workers that could have it first", leader)
	}
	return err
}

// untouched fails if a process has the world, or has had it since the log ended with the entry of a number: other worlds were looked at meanwhile.
func (of *kept) untouched(ctx context.Context, number uint64) error {
	if err := of.led(ctx); err != nil {
		return err
	}
	end, err := of.log.Stream.Last(ctx, of.log.Subject)
	if err == nil && end.Number != number {
		err = errors.New("a process has gone on with it meanwhile")
	}
	return err
}

// errKnown ends the reading of a log whose header is known.
var errKnown = errors.New("its header is known")

// header is that of the log. The error wraps streamlog.ErrNone if there is none.
func (of *kept) header(ctx context.Context) (header *recording.Header, err error) {
	err = of.log.Read(ctx, func(h *recording.Header, _ *streamlog.Snapshot) error {
		header = h
		return errKnown
	}, func(recording.Record) error { return nil })
	if errors.Is(err, errKnown) {
		err = nil
	}
	return header, err
}
