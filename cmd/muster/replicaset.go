package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"muster/components/defs"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/systems"
)

// newReplica returns a replica of the world of a map of a realm, which set has made.
func newReplica(v *streamFlags, realm string, set *worldSet, at int, m *defs.Map, bus *natsbus.Bus, stream *natsbus.Stream) *replica {
	live := set.worlds[at].Map.(*systems.Live)
	a := remote.Address{Realm: subject(realm), Map: m.ID}
	h := set.flags.header(m, false)
	h.World, h.Segment = set.defs.Digest, 1
	r := &replica{
		address: a, header: h, standby: v.Standby, anew: v.Anew, every: v.SnapshotEvery, bus: bus, loop: set.worlds[at], live: live,
		place:  logOf(stream, a),
		metric: set.metric, log: set.log.With("map", m.ID), ready: make(chan struct{}),
		successor: v.Successor, defs: set.defs, made: set.made, name: ourName(), asks: make(chan upgradeAsk, 1), gifts: make(chan worldGift, 1), replies: make(chan giftAnswer, 4),
	}
	r.metric.Declare(worldsDiffer, worldsRebuilt, worldsGiven, worldsNotGiven)
	r.renew = func() {
		r.end = remote.NewWorld(remote.WorldConfig{
			Bus: bus, Address: r.address, Exchange: live.Exchange, Logged: true, Kept: uint64(remoteKept / r.loop.Unit), Made: r.made(), Metric: set.metric, Log: set.log,
		})
	}
	r.renew()
	r.anewly = func() {
		port := set.emptyExchange(remoteKept)
		port.Happened = live.Exchange.Happened
		live.World, live.Exchange = newWorld(&r.header, set.defs, set.metric), port
		r.renew()
	}
	return r
}

// openStream opens the stream of a realm, or makes it.
func openStream(ctx context.Context, v *streamFlags, realm string, bus *natsbus.Bus) (*natsbus.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, streamTime)
	defer cancel()
	stream, err := bus.Stream(ctx, natsbus.StreamConfig{Realm: subject(realm), Replicas: v.Replicas, Memory: v.Storage == "memory"})
	if err != nil {
		return nil, fmt.Errorf("--durable world: %w", err)
	}
	return stream, nil
}

// runReplicas runs the worlds of some maps of a realm, which set has made in that order, as their logs have them. It returns when all of them are so,
// and they go on in running until ctx is done. It calls fail with what ends one of them, and with errUpgraded when all have gone on in other processes.
func runReplicas(ctx context.Context, fail context.CancelCauseFunc, running *sync.WaitGroup, v *streamFlags, realm string, set *worldSet, maps []*defs.Map, bus *natsbus.Bus) error {
	stream, err := openStream(ctx, v, realm, bus)
	if err != nil {
		return err
	}
	var replicas []*replica
	var here atomic.Int64
	here.Store(int64(len(maps)))
	for i, m := range maps {
		r := newReplica(v, realm, set, i, m, bus, stream)
		replicas = append(replicas, r)
		running.Go(func() {
			switch err := r.run(ctx); {
			case !errors.Is(err, errGiven):
				failed(fail, err)
			case here.Add(-1) == 0:
				fail(errUpgraded)
			}
		})
	}
	for _, r := range replicas {
		select {
		case <-r.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
