package keptworld

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/link"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/natsbus"
	"muster/net/replication/recording"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// openTime bounds how long a stream is looked for.
const openTime = 10 * time.Second

// A kept is a world that has a log in the stream of a realm.
type kept struct {
	Shard
	address remote.Address
	log     streamlog.Log
	bus     *natsbus.Bus
}

// connected calls use with the stream of the realm.
func (k *Place) connected(ctx context.Context, use func(opening context.Context, bus *natsbus.Bus, stream *natsbus.Stream) error) error {
	bus, err := k.Connect(k.Bus, "muster snapshot", natsbus.Worker, slog.Default())
	if err != nil {
		return err
	}
	defer bus.Close()
	opening, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	stream, err := bus.OpenStream(opening, link.Subject(k.RealmName))
	if err != nil {
		return err
	}
	return use(opening, bus, stream)
}

// keptIn is what there is of a world in the stream.
func (k *Place) keptIn(bus *natsbus.Bus, stream *natsbus.Stream, at Shard) *kept {
	a := remote.Address{Realm: link.Subject(k.RealmName), Map: at.Map, Instance: at.Instance}
	return &kept{at, a, streamlog.Log{Stream: stream, Subject: a.Log(), Name: fmt.Sprintf("%d.%d.", a.Map, a.Instance)}, bus}
}

// eachLog visits the logs of those worlds that workers keep and that the flags name.
func (k *Place) eachLog(ctx context.Context, visit func(*kept) error) error {
	return k.connected(ctx, func(opening context.Context, bus *natsbus.Bus, stream *natsbus.Stream) error {
		all, err := k.inStream(opening, stream)
		if err == nil {
			all, err = k.chosen(all)
		}
		if err != nil {
			return err
		}
		for _, at := range all {
			if err := visit(k.keptIn(bus, stream, at)); err != nil {
				return fmt.Errorf("%v: %w", at, err)
			}
		}
		return nil
	})
}

// eachOfStream visits those that workers keep.
func (k *Place) eachOfStream(ctx context.Context, open func(*recording.Header) (*World, error), visit func(w *World) error) error {
	return k.eachLog(ctx, func(of *kept) error {
		w, err := k.readStream(ctx, of.log, open)
		if errors.Is(err, streamlog.ErrNone) && of.Instance != 0 && len(k.Instance) == 0 {
			return nil // the instance was removed meanwhile
		}
		if err == nil {
			w.Instance = of.Instance
			err = visit(w)
		}
		return err
	})
}

// Demand has the workers of the realm keep snapshots of those of its worlds that the flags name, as they are now, and calls done with the answer of each. Of a world that
// has none the others are asked all the same; the error says which those are.
func (k *Place) Demand(ctx context.Context, done func(Shard, demand.Answer) error) error {
	var failed error
	err := k.eachLog(ctx, func(of *kept) error {
		a, err := demand.Snapshot(ctx, of.bus, of.address)
		if err != nil && ctx.Err() == nil {
			failed = errors.Join(failed, fmt.Errorf("%v: %w", of.Shard, err))
			return nil
		}
		if err == nil {
			err = done(of.Shard, a)
		}
		return err
	})
	return errors.Join(failed, err)
}

// inStream are the worlds that have a log in the stream.
func (k *Place) inStream(ctx context.Context, stream *natsbus.Stream) (all []Shard, err error) {
	subjects, err := stream.Subjects(ctx)
	if err != nil {
		return nil, err
	}
	for _, subject := range subjects {
		var at Shard
		if _, err := fmt.Sscanf(subject, strings.TrimSuffix(remote.Address{Realm: link.Subject(k.RealmName)}.Log(), "0.0")+"%d.%d", &at.Map, &at.Instance); err == nil {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, compareShards)
	return all, nil
}

// readStream makes the world of a log as it is now.
func (k *Place) readStream(ctx context.Context, log streamlog.Log, open func(*recording.Header) (*World, error)) (w *World, err error) {
	other := false // the log is of another release: of an imported world its snapshot can be read, and no tick after that
	err = log.Read(ctx, func(h *recording.Header, s *streamlog.Snapshot) error {
		if other = h.Release != release.Name() || h.Toolchain != release.Toolchain(); other && h.World == "" {
			return playback.ErrOtherRelease(h)
		}
		if w, err = open(h); err != nil || s == nil {
			return err
		}
		w.Since, w.Bytes, w.Tick = s.N, len(s.State), s.N
		return worldspec.RestoreWorld(w.World, s)
	}, func(record recording.Record) error {
		switch {
		case record.Inbox == nil || record.N <= w.Tick:
			return nil
		case other:
			return playback.ErrOtherRelease(&w.Header)
		}
		return w.Run(record.N, record.Inbox)
	})
	return w, err
}
