package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"sync"
	"time"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/replica"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldset"
	"muster/loaders/registry"
	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// A shardWorker steps the worlds that it is given by the registry. One goroutine, that of run, owns what is not marked.
type shardWorker struct {
	config     *Config
	base       *worldset.Set // has no worlds: what all of them have in common
	bus        *natsbus.Bus
	stream     *natsbus.Stream     // where the logs of worlds are; nil if they have none
	heartbeats *replica.Heartbeats // likewise
	place      enlisted
	running    map[shardKey]*shardWorld   // with those that end
	pauses     map[shardKey]time.Duration // before the world that ended by itself last was given up
	away       membership.Outage

	mu   sync.Mutex
	made []madeWorld // the worlds that run
}

// An enlisted is a worker of the registry: a *registry.Enlisted.
type enlisted interface {
	Report(ctx context.Context, w registry.Work) (registry.Orders, error)
	GiveUp(ctx context.Context, s registry.Shard) error
	Take(ctx context.Context, s registry.Shard) (epoch uint64, err error)
}

// runShards steps the worlds that the registry gives to this worker, until ctx ends. Base has what they have in common.
func runShards(ctx context.Context, v *Config, base *worldset.Set, log *slog.Logger) (err error) {
	began := time.Now()
	bus, err := v.Access.Connect(v.Bus, "muster worker", natsbus.Worker, log)
	if err != nil {
		return err
	}
	defer bus.Close()
	operators, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Admin.AddrPort))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	defer operators.Close()
	w := &shardWorker{config: v, base: base, bus: bus, running: make(map[shardKey]*shardWorld), pauses: make(map[shardKey]time.Duration)}
	if v.Durable == "world" {
		if w.stream, err = replica.OpenStream(ctx, &v.Durability, v.RealmName, bus); err != nil {
			return err
		}
		w.heartbeats = replica.NewHeartbeats(bus, base.Metric)
	}
	r, err := storage.Await(ctx, base.Log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: v.Database})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer r.Close()
	answers, err := w.newAdmin(r)
	if err != nil {
		return err
	}
	var fixed, served []uint32
	for _, m := range base.AllMaps() {
		fixed = append(fixed, m.ID)
	}
	for i := range base.Defs.Maps {
		served = append(served, base.Defs.Maps[i].ID) // instances, too
	}
	h := base.Flags.Header(base.AllMaps()[0], false)
	place, err := storage.Await(ctx, base.Log, func(ctx context.Context) (*registry.Enlisted, error) {
		if err := r.Declare(ctx, v.RealmName, fixed); err != nil {
			return nil, err
		}
		return r.Enlist(ctx, v.RealmName, upgrade.Kind(registry.Process{
			Role: registry.RoleWorker, Host: membership.Hostname(), PID: os.Getpid(), Admin: membership.AddrPort(operators).String(), Capacity: v.Capacity, Maps: served, Durable: w.stream != nil,
		}, upgrade.SettingsOf(&h), base.Made(), remote.Version))
	})
	if err != nil {
		return storage.OneLine(err)
	}
	w.place = place
	var recording sync.WaitGroup
	defer recording.Wait() // last: it may be in the midst of a bundle
	defer func() {
		w.endAll()
		err = errors.Join(err, membership.Leave(place))
	}()
	ctx, fail := context.WithCancelCause(ctx)
	var serving sync.WaitGroup
	defer serving.Wait()
	defer fail(nil)
	serving.Go(func() {
		process.FailOn(fail, admin.Serve(ctx, operators, answers, log))
	})
	if w.stream != nil {
		serving.Go(func() { w.keepSwept(ctx, r) })
	}
	if base.Flight != nil {
		recording.Go(func() { base.Flight.Run(ctx) })
	}
	log.Info("ready", "maps", "as the registry gives them", "admin", membership.AddrPort(operators), "worker", place.ID(), "took", time.Since(began).Round(time.Millisecond))
	if err := w.run(ctx); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// run reports, and begins and ends worlds as they are given and taken, until ctx ends. While the database is away the worlds go on. The
// error is registry.ErrReplaced if this worker is not in the registry any more.
func (w *shardWorker) run(ctx context.Context) error {
	report := time.NewTicker(membership.ReportEvery)
	defer report.Stop()
	for last := time.Now(); ctx.Err() == nil; {
		now := time.Now()
		load := w.load(now.Sub(last)) // first: what is reported of each world has its share
		work := w.report(ctx, now)
		work.Load = load
		orders, err := w.place.Report(ctx, work)
		last = now
		if errors.Is(err, registry.ErrReplaced) {
			return err
		}
		if ctx.Err() == nil {
			w.away.Note(w.base.Log, err)
		}
		if err == nil {
			w.follow(ctx, orders)
			w.tell(ctx, now)
			w.take(ctx)
			if orders.Ending && len(orders.Own) == 0 && len(w.running) == 0 {
				w.base.Log.Info("ends: an operator has said so")
				return nil
			}
		}
		select {
		case <-report.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// follow ends the worlds that are another's by now, and begins those that are given or to be followed, each once no other of its map is left. A world that has a log goes on
// while no other process has it: the one that is given it asks for it.
func (w *shardWorker) follow(ctx context.Context, o registry.Orders) {
	mine, follows := make(map[shardKey]registry.Shard), make(map[shardKey]registry.Shard)
	for _, s := range o.Own {
		mine[keyOf(s)] = s
	}
	for _, s := range o.Follows {
		follows[keyOf(s)] = s
	}
	for _, s := range o.Gone {
		if world := w.running[keyOf(s)]; world != nil && !world.over {
			w.base.Log.Info("a world is removed", "map", s.Map, "instance", s.Instance)
			world.Remove.Store(w.stream != nil)
			w.finish(world)
		}
	}
	if len(w.pauses) > maxPauses { // those of instances that there were
		maps.DeleteFunc(w.pauses, func(key shardKey, _ time.Duration) bool { return key.instance != 0 })
	}
	for id, s := range w.running {
		given, own := mine[id]
		if own && given.Epoch == s.Epoch {
			continue
		}
		s.owed = false
		if w.stream != nil && !s.over && s.keeps(given, own, follows[id]) {
			continue
		}
		if !s.over {
			w.base.Log.Info("a world is another worker's", "map", id.id, "instance", id.instance, "epoch", s.Epoch)
			w.finish(s)
		}
	}
	for id, s := range mine {
		if w.running[id] == nil {
			w.base.Log.Info("a world is given", "map", id.id, "epoch", s.Epoch, "instance", id.instance)
			w.running[id] = w.begin(ctx, s, true)
		}
	}
	for id, s := range follows {
		if w.running[id] == nil && w.stream != nil {
			w.base.Log.Info("a world is followed", "map", id.id, "epoch", s.Epoch, "instance", id.instance)
			w.running[id] = w.begin(ctx, s, false)
		}
	}
}

// take notes in the registry which worlds this worker has gone on with that it was to follow.
func (w *shardWorker) take(ctx context.Context) {
	for _, s := range w.running {
		if s.replica == nil || s.over || s.Own.Load() || !s.replica.Has() {
			continue
		}
		if epoch, err := w.place.Take(ctx, s.Shard); err == nil {
			w.base.Log.Info("this worker has gone on with a world that it followed", "map", s.Map, "instance", s.Instance, "epoch", epoch)
			s.Epoch = epoch
			s.Order(epoch, true, true)
		} // else it is another's, which asks for it, or the registry is away
	}
}

// endAll ends all worlds.
func (w *shardWorker) endAll() {
	for _, s := range w.running {
		s.end()
	}
	late := time.After(worldEndTime)
	for id, s := range w.running {
		select {
		case <-s.ended:
		case <-late:
			w.base.Log.Error("a world does not end: it is left", "map", id.id, "instance", id.instance, "epoch", s.Epoch)
			return
		}
	}
}
