package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
	"muster/sched"
	"muster/systems"
)

// logEvery is the time of a world between two snapshots in its log. A server that was killed runs at most so much of
// each world again.
const logEvery = 30 * time.Second

// continueTime bounds how long the store takes to have the players of a world that is continued.
const continueTime = time.Minute

// worldLogs keep the worlds of a server on a disk, and continue those of the server before it.
type worldLogs struct {
	folder string
	store  store.Store
	saver  gateway.Saver
	metric *metric.Table
	log    *slog.Logger

	logs   []*worldlog.Log
	newest time.Duration // of all worlds that were continued
}

// logFolder is a folder for the worlds of one store: their players are characters of that.
func (v *serveVerb) logFolder() string {
	return filepath.Join(v.Data, strings.Replace(filepath.Base(v.journalFolder()), "journal", "worlds", 1))
}

// keepWorlds has the worlds kept, if that is wanted. If not, those that are kept are set aside: they are older than what
// becomes of their players from now on.
func (r *realm) keepWorlds(saver gateway.Saver) error {
	switch {
	case r.config.Ephemeral:
		return nil
	case r.config.Durable == "world":
		r.logs = &worldLogs{folder: r.config.logFolder(), store: r.store, saver: saver, metric: r.metric, log: r.log}
		return nil
	}
	for _, m := range r.allMaps() {
		to, err := worldlog.SetAside(r.config.logFolder(), m.ID)
		if err != nil {
			return err
		}
		if to != "" {
			r.log.Info("a world that was kept before is not continued without --durable world", "map", m.ID, "in", to)
		}
	}
	return nil
}

// newWorld makes a world as its log has it, and as anew if there is none, or none of use.
func (k *worldLogs) newWorld(h *recording.Header, fresh func() *systems.World) (*systems.World, *worldlog.Log, error) {
	world := fresh()
	unit := time.Duration(h.StepMs) * time.Millisecond
	tick, err := k.restore(h, world)
	if errors.Is(err, errStore) {
		return nil, nil, err
	}
	if err != nil {
		to, failed := worldlog.SetAside(k.folder, h.Map)
		if failed != nil {
			return nil, nil, errors.Join(err, failed)
		}
		k.log.Error("the world cannot be continued, and begins anew", "map", h.Map, "err", err, "was", to)
		world, tick = fresh(), 0
	}
	log, err := worldlog.Begin(worldlog.Config{
		Folder: k.folder, Header: *h, Every: uint64(logEvery / unit), Metric: k.metric,
		State: func(b []byte) ([]byte, error) { return world.AppendSnapshot(b) },
		Failed: func(err error, ended bool) {
			if ended {
				k.log.Error("the world is not kept until its next snapshot", "map", h.Map, "err", err)
			} else {
				k.log.Warn("a snapshot of the world was not written", "map", h.Map, "err", err)
			}
		},
	}, tick)
	if err != nil {
		return nil, nil, fmt.Errorf("--durable world: %w", err)
	}
	k.newest = max(k.newest, time.Duration(tick)*unit)
	k.logs = append(k.logs, log)
	return world, log, nil
}

// restore makes a new world what the log has, but without its players, who are in the store when it returns. It returns
// the last tick, 0 if there is no log.
func (k *worldLogs) restore(h *recording.Header, world *systems.World) (tick uint64, err error) {
	found, err := worldlog.Open(k.folder, h.Map)
	if err != nil || found == nil {
		return 0, err
	}
	began := time.Now()
	p, err := rerun(found, h, world)
	if err != nil || p.tick == 0 {
		return 0, err
	}
	sessions := world.Sessions(nil)
	if len(sessions) > 0 {
		if err := k.settle(p, sessions); err != nil {
			return 0, err
		}
	}
	k.log.Info("the world is continued", "map", h.Map, "tick", p.tick, "ran", p.ticks, "players", len(sessions),
		"took", time.Since(began).Round(time.Millisecond))
	return p.tick, nil
}

// rerun makes a new world what a log has.
func rerun(found *worldlog.Found, h *recording.Header, world *systems.World) (*playback, error) {
	was, now := found.Header, *h
	other := was.Release != now.Release || was.Toolchain != now.Toolchain
	was.Release, was.Toolchain, was.Segment, was.Parts = now.Release, now.Toolchain, now.Segment, now.Parts
	if field := otherSetting(&was, &now); field != "" {
		return nil, fmt.Errorf("it was a world with another %s", field)
	}
	p := &playback{world: world, tick: found.Since()}
	if found.Snapshot != nil {
		if err := world.Restore(found.Snapshot.State); err != nil {
			return nil, err
		}
	}
	return p, found.Each(func(n uint64, inbox []byte) error {
		if other {
			return fmt.Errorf("its last ticks are those of %s, %s, which was killed: this is %s, %s",
				found.Header.Release, found.Header.Toolchain, now.Release, now.Toolchain)
		}
		return p.run(n, inbox)
	})
}

var (
	// errBehind is the error of a log that is older than what is stored.
	errBehind = errors.New("what is stored of its players is newer")
	// errStore is the error of a store that does not have the players of a world that could be continued.
	errStore = errors.New("--durable world: the players of a world are not saved")
)

// settle takes the players of a world out of it, in one more tick, and has them saved: their connections ended with
// the server before. The log and the store may both have the last of them, if a server was killed while it did this.
func (k *worldLogs) settle(p *playback, sessions []uint32) error {
	var in frame.Inbox
	for _, s := range sessions {
		if err := in.Add(frame.Item{Session: s, Op: frame.OpLeave}); err != nil {
			return err
		}
	}
	in.Seal()
	b, err := in.AppendBinary(nil)
	if err == nil {
		err = p.run(p.tick+1, b)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), continueTime)
	defer cancel()
	var together []store.Snapshot
	for _, left := range p.frame.Left {
		s, err := k.merged(ctx, p.frame.In(left.Character))
		switch {
		case errors.Is(err, store.ErrNotFound): // deleted meanwhile
		case err != nil:
			return err
		case s.Version > s.Since:
			together = append(together, s)
		}
	}
	if len(together) == 0 {
		return nil
	}
	done := make(chan struct{})
	k.saver.Save(together, func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errStore, ctx.Err())
	}
}

// merged merges a player that has left its world into what is stored of it.
func (k *worldLogs) merged(ctx context.Context, character []byte) (store.Snapshot, error) {
	var c frame.Character
	if err := msg.Decode(wire.V12340, character, &c); err != nil {
		return store.Snapshot{}, err
	}
	kept, err := k.store.Character(ctx, c.GUID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return store.Snapshot{}, err
	case err != nil:
		return store.Snapshot{}, fmt.Errorf("%w: %w", errStore, err)
	}
	if kept.Version > c.Version {
		return store.Snapshot{}, fmt.Errorf("%w: version %d of character %d, %d in the world", errBehind, kept.Version, c.GUID, c.Version)
	}
	s := store.Snapshot{Since: kept.Version, Lists: c.Told, Soon: true}
	now := store.FromFrame(&c)
	now.SavedUnix = time.Now().Unix()
	kept.Merge(&now, c.Told)
	s.Character = kept
	return s, nil
}

// advance sets the clock of the worlds to that of the newest of them.
func (k *worldLogs) advance(c sched.Clock) { c.(*sched.RealClock).Advance(k.newest) }

// close has the worlds, which have stopped, as they are now.
func (k *worldLogs) close() {
	for _, l := range k.logs {
		if err := l.Close(); err != nil {
			k.log.Error("a world is not kept as it is at the end", "err", err)
		}
	}
}
