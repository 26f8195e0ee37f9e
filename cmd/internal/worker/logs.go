package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/replica"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/components/defs"
	"muster/loaders/registry"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
	"muster/sched/ladder"
)

// A madeWorld is a world that runs, or follows its log.
type madeWorld struct {
	set     *worldset.Set
	replica *replica.Replica // nil if it has no log
}

// runReplica runs a world that is kept in a log until ctx ends, or another process has it.
func (w *shardWorker) runReplica(ctx context.Context, s registry.Shard, set *worldset.Set, m *defs.Map, a *replica.Assignment, made chan<- madeWorld) error {
	r := replica.New(&w.config.Durability, w.config.RealmName, set, 0, m, w.bus, w.stream, w.heartbeats)
	r.Assign(s, a, w.base.Made)
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running.Go(func() { set.Pace(ctx, func(*ladder.Sample) {}) })
	made <- madeWorld{set, r}
	err := r.Run(ctx)
	if ctx.Err() != nil && r.Has() {
		r.SayEnded()
	}
	if a.Remove.Load() {
		removing, cancel := context.WithTimeout(context.WithoutCancel(ctx), replica.StreamTime)
		defer cancel()
		err = errors.Join(err, r.Place.Remove(removing))
	}
	return err
}

// moved reports whether a world has ended because another process has it.
func moved(err error) bool {
	return errors.Is(err, replica.ErrGiven) || errors.Is(err, streamlog.ErrMoved)
}

// sweepEvery is how often a worker looks for logs of instances that there are no more: those whose worker ended when they did. What is left of a snapshot whose writer ended is removed when it is as old:
// a snapshot is given up after 30 s.
const sweepEvery = 10 * time.Minute

// removeGone removes the logs of instances that there are no more. A number is of one instance: one that is not in the registry after its log was seen never is.
func removeGone(ctx context.Context, r *registry.Registry, stream *natsbus.Stream, realm string) (removed int, err error) {
	ctx, cancel := context.WithTimeout(ctx, replica.StreamTime)
	defer cancel()
	kept := make(map[shardKey]bool)
	names, err := stream.Names(ctx, "")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		var at shardKey
		if _, err := fmt.Sscanf(name, "%d.%d.", &at.id, &at.instance); err == nil {
			kept[at] = true
		}
	}
	subjects, err := stream.Subjects(ctx)
	if err != nil {
		return 0, err
	}
	prefix := strings.TrimSuffix(remote.Address{Realm: link.Subject(realm)}.Log(), "0.0")
	for _, name := range subjects {
		var at shardKey
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, prefix), "%d.%d", &at.id, &at.instance); err == nil {
			kept[at] = true
		}
	}
	there, err := r.Shards(ctx, realm)
	if err != nil {
		return 0, err
	}
	for _, s := range there {
		delete(kept, keyOf(s))
	}
	for at := range kept {
		if at.instance == 0 {
			continue
		}
		log := replica.LogOf(stream, remote.Address{Realm: link.Subject(realm), Map: at.id, Instance: at.instance})
		if err := log.Remove(ctx); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// removeUnfinished removes what is left of snapshots whose writers ended in the midst of them.
func removeUnfinished(ctx context.Context, stream *natsbus.Stream) (snapshots int, err error) {
	ctx, cancel := context.WithTimeout(ctx, replica.StreamTime)
	defer cancel()
	return stream.RemoveUnfinished(ctx, time.Now().Add(-sweepEvery))
}

// keepSwept sweeps now and then, until ctx ends.
func (w *shardWorker) keepSwept(ctx context.Context, r *registry.Registry) {
	again := time.NewTicker(sweepEvery)
	defer again.Stop()
	for {
		if n, err := removeGone(ctx, r, w.stream, w.config.RealmName); n > 0 || err != nil && ctx.Err() == nil {
			w.base.Log.Info("logs of instances that there are no more are removed", "instances", n, "err", storage.OneLine(err))
		}
		if n, err := removeUnfinished(ctx, w.stream); n > 0 || err != nil && ctx.Err() == nil {
			w.base.Log.Info("what is left of snapshots whose writers have ended is removed", "snapshots", n, "err", storage.OneLine(err))
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}
