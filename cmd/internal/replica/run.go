package replica

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/net/ops/flight"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/systems"
)

// New returns a replica of the world of a map of a realm, which set has made. The heartbeats are those of the process.
func New(v *Durability, realm string, set *worldset.Set, at int, m *defs.Map, bus *natsbus.Bus, stream *natsbus.Stream, heartbeats *Heartbeats) *Replica {
	live := set.Worlds[at].Map.(*systems.Live)
	a := remote.Address{Realm: link.Subject(realm), Map: m.ID}
	h := set.Header(m, false)
	h.Segment = 1
	r := &Replica{
		address: a, header: h, standby: v.Standby, anew: v.Anew, every: v.SnapshotEvery, bus: bus, heartbeats: heartbeats, loop: set.Worlds[at], live: live,
		Place:  LogOf(stream, a),
		metric: set.Metric, log: set.Log.With("map", m.ID), ready: make(chan struct{}),
		successor: v.Successor, defs: set.Defs, made: set.Made, name: process.OwnName(), asks: make(chan upgrade.Ask, 1), gifts: make(chan gift, 1), told: make(chan struct{}, 1), replies: make(chan giftAnswer, 4),
	}
	r.metric.Declare(worldsDiffer, worldsRebuilt, worldsGiven, worldsNotGiven)
	sent := set.Sent(m.ID)
	r.renew = func() {
		r.end = remote.NewWorld(remote.WorldConfig{
			Bus: bus, Address: r.address, Exchange: live.Exchange, Logged: true, Kept: uint64(link.Kept / r.loop.Quantum), Made: r.made(), Sent: sent, Metric: set.Metric, Log: set.Log,
		})
	}
	r.renew()
	r.anewly = func() {
		port := set.EmptyExchange(link.Kept)
		port.Happened, port.Publishing = live.Exchange.Happened, live.Exchange.Publishing
		live.World, live.Exchange = worldspec.NewWorld(&r.header, set.Defs, set.Metric), port
		r.renew()
	}
	return r
}

// OpenStream opens the stream of a realm, or makes it.
func OpenStream(ctx context.Context, v *Durability, realm string, bus *natsbus.Bus) (*natsbus.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	stream, err := bus.Stream(ctx, natsbus.StreamConfig{Realm: link.Subject(realm), Replicas: v.Replicas, Memory: v.Storage == "memory"})
	if err != nil {
		return nil, fmt.Errorf("--durable world: %w", err)
	}
	return stream, nil
}

// ExcerptsOf has the flight recorder of a process take what bundles have of worlds from their logs in the stream of a realm.
func ExcerptsOf(bus *natsbus.Bus, realm string) func(id, instance uint32) flight.Excerpt {
	return func(id, instance uint32) flight.Excerpt {
		return func(ctx context.Context, folder string, tick uint64, most int64) error {
			stream, err := bus.OpenStream(ctx, link.Subject(realm))
			if err != nil {
				return err
			}
			log := LogOf(stream, remote.Address{Realm: link.Subject(realm), Map: id, Instance: instance})
			return log.Excerpt(ctx, folder, tick, most)
		}
	}
}

// RunAll runs the worlds of some maps of a realm, which set has made in that order, as their logs have them. It returns when all of them are so,
// and they go on in running until ctx is done. It calls fail with what ends one of them, and with ErrUpgraded when all have gone on in other processes.
func RunAll(ctx context.Context, fail context.CancelCauseFunc, running *sync.WaitGroup, v *Durability, realm string, set *worldset.Set, maps []*defs.Map, bus *natsbus.Bus) error {
	stream, err := OpenStream(ctx, v, realm, bus)
	if err != nil {
		return err
	}
	heartbeats := NewHeartbeats(bus, set.Metric)
	var replicas []*Replica
	var here atomic.Int64
	here.Store(int64(len(maps)))
	for i, m := range maps {
		r := New(v, realm, set, i, m, bus, stream, heartbeats)
		replicas = append(replicas, r)
		running.Go(func() {
			switch err := r.Run(ctx); {
			case !errors.Is(err, ErrGiven):
				process.FailOn(fail, err)
			case here.Add(-1) == 0:
				fail(ErrUpgraded)
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
