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

	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/replica"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/components/defs"
	"muster/loaders/registry"
	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/sched/ladder"
	"muster/sched/tickstats"
)

// A shardWorker steps the worlds that it is given by the registry. One goroutine, that of run, owns what is not marked.
type shardWorker struct {
	config  *Config
	base    *worldset.Set // has no worlds: what all of them have in common
	bus     *natsbus.Bus
	stream  *natsbus.Stream // where the logs of worlds are; nil if they have none
	place   enlisted
	running map[shardKey]*shardWorld   // with those that end
	pauses  map[shardKey]time.Duration // before the world that ended by itself last was given up
	away    membership.Outage

	mu   sync.Mutex
	made []madeWorld // the worlds that run
}

// A shardKey names a world.
type shardKey struct{ id, instance uint32 }

func keyOf(s registry.Shard) shardKey { return shardKey{s.Map, s.Instance} }

// An enlisted is a worker of the registry: a *registry.Enlisted.
type enlisted interface {
	Report(ctx context.Context, w registry.Work) (registry.Orders, error)
	GiveUp(ctx context.Context, s registry.Shard) error
	Take(ctx context.Context, s registry.Shard) (epoch uint64, err error)
}

// A shardWorld is a world that this worker has been given, or follows.
type shardWorld struct {
	registry.Shard
	*replica.Assignment
	end  context.CancelFunc
	made chan madeWorld // has what runs it once it runs; closed without that if it cannot be made
	madeWorld
	ended chan struct{} // closed when all of it has ended
	moved bool          // it has ended because another process has it; valid then
	spent time.Duration // of its ticks, as it was reported last
	began time.Time
	over  bool      // it ends or has ended, and is not reported
	owed  bool      // the registry is to be told that it is given up
	due   time.Time // when it is to be, or the world to begin again, at the earliest
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
	answers, err := w.newAdmin()
	if err != nil {
		return err
	}
	if v.Durable == "world" {
		if w.stream, err = replica.OpenStream(ctx, &v.Durability, v.RealmName, bus); err != nil {
			return err
		}
	}
	r, err := registry.Open(ctx, registry.Config{URL: v.Database})
	if err != nil {
		return storage.OneLine(err)
	}
	defer r.Close()
	var fixed, served []uint32
	for _, m := range base.AllMaps() {
		fixed = append(fixed, m.ID)
	}
	for i := range base.Defs.Maps {
		served = append(served, base.Defs.Maps[i].ID) // instances, too
	}
	if err := r.Declare(ctx, v.RealmName, fixed); err != nil {
		return storage.OneLine(err)
	}
	place, err := r.Enlist(ctx, v.RealmName, registry.Process{
		Role: registry.RoleWorker, Host: membership.Hostname(), PID: os.Getpid(), Admin: membership.Reachable(membership.AddrPort(operators)).String(), Capacity: v.Capacity, Maps: served, Durable: w.stream != nil,
	})
	if err != nil {
		return storage.OneLine(err)
	}
	w.place = place
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
		work := w.report(ctx, now)
		work.Load = w.load(now.Sub(last))
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

// load is how many cores the ticks of the worlds took in the time since it was last called.
func (w *shardWorker) load(since time.Duration) (cores float32) {
	for _, s := range w.running {
		if s.set == nil || s.over {
			continue
		}
		var spent time.Duration
		for _, p := range s.set.TickStats {
			spent += p.Spent()
		}
		if s.replica != nil {
			spent += time.Duration(s.replica.Spent.Load())
		}
		if since > 0 {
			cores += float32(spent-s.spent) / float32(since)
		}
		s.spent = spent
	}
	return cores
}

// report is what there is to say of the worlds. One that has ended by itself, or cannot be made, is given up.
func (w *shardWorker) report(ctx context.Context, now time.Time) (work registry.Work) {
	for id, s := range w.running {
		if s.over {
			if s.hasEnded() && !s.owed && !now.Before(s.due) {
				delete(w.running, id)
			}
			continue
		}
		failed := s.hasEnded()
		if failed && s.moved {
			w.finish(s) // what the registry says then is begun anew
			continue
		}
		if s.set == nil && !failed {
			select {
			case s.madeWorld = <-s.made:
				failed = s.set == nil
				w.show()
			default:
				continue
			}
		}
		if failed || s.replica == nil && s.set.GivenUp() != nil {
			if ctx.Err() == nil { // else it ends because this process does
				w.giveUp(s, now)
			}
			continue
		}
		if s.replica != nil && !s.replica.Has() {
			if !s.Own.Load() {
				work.Follows = append(work.Follows, registry.Standby{Map: s.Map, Instance: s.Instance, Ready: s.replica.IsBehind(), Tick: s.replica.At.Load()})
			}
			continue
		}
		if t, ok := s.set.TickStats[0].Latest(); ok {
			s.Tick, s.Players = t.N, t.Load.Players
		}
		if s.replica != nil { // one without players may not have stepped since it was given
			s.Tick = max(s.Tick, s.replica.At.Load())
		}
		work.Runs = append(work.Runs, s.Shard)
	}
	return work
}

// hasEnded reports whether all of it has.
func (s *shardWorld) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// giveUp ends a world, for another worker to have it, or this one anew: after a pause, which doubles while the worlds of the map do not run for long.
func (w *shardWorker) giveUp(s *shardWorld, now time.Time) {
	pause := nextPause(w.pauses[keyOf(s.Shard)], now.Sub(s.began))
	w.pauses[keyOf(s.Shard)] = pause
	s.owed, s.due = s.Own.Load(), now.Add(pause)
	w.base.Log.Error("a world is given up", "map", s.Map, "instance", s.Instance, "epoch", s.Epoch, "after", pause)
	w.finish(s)
}

// maxPauses is of how many worlds that have ended by themselves the last pause is kept.
const maxPauses = 1024

// nextPause is the pause after something has ended that ran for a time, and the last time had a pause of so much, 0 for none.
func nextPause(last, ran time.Duration) time.Duration {
	if last == 0 || ran > process.SoundTime {
		return process.LeastPause
	}
	return min(2*last, process.MostPause)
}

// tell tells the registry which worlds are given up. A world that it is not told of, as it is away, stays among those that run: the registry
// lists it with the same epoch, with which no second one begins.
func (w *shardWorker) tell(ctx context.Context, now time.Time) {
	for _, s := range w.running {
		if !s.owed || now.Before(s.due) {
			continue
		}
		if err := w.place.GiveUp(ctx, s.Shard); err != nil && !errors.Is(err, registry.ErrOlder) {
			return // the next report says that the registry is away
		}
		s.owed = false
	}
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

// keeps notes what the registry says of a world that has a log, and reports whether it goes on here: it is given, with a greater epoch perhaps, or followed, or this process has it.
func (s *shardWorld) keeps(given registry.Shard, own bool, followed registry.Shard) bool {
	has := s.replica != nil && s.replica.Has()
	switch {
	case own:
		s.Epoch = given.Epoch
		s.Order(given.Epoch, true, has)
	case followed.Epoch > 0:
		s.Order(followed.Epoch, false, has)
		if !has {
			s.Epoch = followed.Epoch
		}
	default:
		s.Own.Store(false)
		return has
	}
	return true
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

// begin makes a world, and runs it, beside the caller.
func (w *shardWorker) begin(ctx context.Context, s registry.Shard, own bool) *shardWorld {
	ctx, end := context.WithCancel(ctx)
	world := &shardWorld{Shard: s, Assignment: new(replica.Assignment), end: end, made: make(chan madeWorld, 1), ended: make(chan struct{}), began: time.Now()}
	world.Order(s.Epoch, own, false)
	go func() {
		defer close(world.ended)
		defer end()
		err := w.runWorld(ctx, s, world.Assignment, world.made)
		if world.moved = moved(err); world.moved {
			w.base.Log.Info("a world has gone on in another process", "map", s.Map, "instance", s.Instance, "because", err)
		} else if err != nil {
			w.base.Log.Error("a world cannot be run", "map", s.Map, "instance", s.Instance, "err", err)
		}
	}()
	return world
}

// runWorld runs a world until ctx ends. It closes made if it cannot, and after it.
func (w *shardWorker) runWorld(ctx context.Context, s registry.Shard, a *replica.Assignment, made chan<- madeWorld) error {
	defer close(made)
	flags := w.config.Settings
	if s.Instance != 0 { // each has chances of its own, and none is recorded: the seed of a recording is that of the map, too
		flags.Seed, flags.Record = flags.Seed+uint64(s.Instance), ""
	}
	set, err := worldset.New(&flags, w.base.Defs, w.base.Metric, w.base.Log)
	if err != nil {
		return err
	}
	set.Tracer, set.Instance = w.base.Tracer, s.Instance
	m := set.Defs.Map(s.Map)
	if m == nil {
		return fmt.Errorf("the world has no map %d", s.Map)
	}
	if err := set.MakeWorlds([]*defs.Map{m}, false, link.Kept); err != nil {
		return err
	}
	for _, p := range set.TickStats {
		p.Instance = s.Instance
	}
	if w.stream != nil {
		return w.runReplica(ctx, s, set, m, a, made)
	}
	defer set.EndRecordings()
	// What it is made of is what gateways know: not the seed of an instance.
	end := remote.NewWorld(remote.WorldConfig{
		Bus: w.bus, Address: remote.Address{Realm: link.Subject(w.config.RealmName), Map: s.Map, Instance: s.Instance}, Exchange: set.Exchanges[s.Map],
		Life: s.Epoch, Made: w.base.Made(), Metric: set.Metric, Log: set.Log,
	})
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, loop := range set.Worlds {
		running.Go(func() { loop.Run(ctx) })
	}
	running.Go(func() { set.Pace(ctx, func(*ladder.Sample) {}) })
	made <- madeWorld{set: set}
	return end.Run(ctx)
}

// finish has a world end. It does not wait for that: the lease of all worlds is to be renewed meanwhile.
func (w *shardWorker) finish(s *shardWorld) {
	s.over = true
	s.end()
	w.show()
}

// worldEndTime is how long the worlds of a worker that ends may take to end.
const worldEndTime = 10 * time.Second

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

// show has operators see the worlds that run.
func (w *shardWorker) show() {
	var made []madeWorld
	for _, s := range w.running {
		if s.set != nil && !s.over {
			made = append(made, s.madeWorld)
		}
	}
	w.mu.Lock()
	w.made = made
	w.mu.Unlock()
}

// newAdmin makes what answers operators over HTTP, about the worlds that run when they ask.
func (w *shardWorker) newAdmin() (*admin.Server, error) {
	token, err := w.config.Token()
	if err != nil {
		return nil, err
	}
	return admin.New(admin.Config{
		Address: w.config.Admin.AddrPort, Token: token,
		Alive:  func() error { return w.each((*worldset.Set).Alive) },
		Checks: []admin.Check{{Name: "bus", Test: func(context.Context) error { return w.bus.Connected() }}},
		Realm:  w.config.RealmName, Role: "worker", Pacer: w.base.Pacer, Flight: w.base.Bundle,
		Worlds: func() (stats []*tickstats.Stats) {
			for _, set := range w.worlds() {
				stats = append(stats, set.TickStats...)
			}
			return stats
		},
		PlanOf: func() string {
			for _, set := range w.worlds() {
				return set.Plan // all have the same
			}
			return ""
		},
		Compat: w.config.CompatTC9Metrics, Metric: w.base.Metric, Log: w.base.Log,
	})
}

// worlds are those that this worker has: not those that it follows.
func (w *shardWorker) worlds() (sets []*worldset.Set) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.made {
		if m.replica == nil || m.replica.Has() {
			sets = append(sets, m.set)
		}
	}
	return sets
}

// each is the first error of the worlds that run.
func (w *shardWorker) each(f func(*worldset.Set) error) error {
	for _, set := range w.worlds() {
		if err := f(set); err != nil {
			return err
		}
	}
	return nil
}
