package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/replica"
	"muster/cmd/internal/worldset"
	"muster/components/defs"
	"muster/loaders/registry"
	"muster/net/replication/remote"
	"muster/sched/ladder"
)

// A shardKey names a world.
type shardKey struct{ id, instance uint32 }

func keyOf(s registry.Shard) shardKey { return shardKey{s.Map, s.Instance} }

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

// hasEnded reports whether all of it has.
func (s *shardWorld) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
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
	if s.Instance != 0 { // none is recorded
		flags.Record = ""
	}
	set, err := worldset.New(&flags, w.base.Defs, w.base.Metric, w.base.Log)
	if err != nil {
		return err
	}
	set.Tracer, set.Instance, set.Flight = w.base.Tracer, s.Instance, w.base.Flight
	if w.stream != nil {
		set.StreamLog = replica.ExcerptsOf(w.bus, w.config.RealmName)
	}
	defer set.Forget()
	m := set.Defs.Map(s.Map)
	if m == nil {
		return fmt.Errorf("the world has no map %d", s.Map)
	}
	if err := set.MakeWorlds([]*defs.Map{m}, false, link.Kept); err != nil {
		return err
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
	made <- madeWorld{set: set}
	return runLinked(ctx, set, end)
}

// runLinked steps a world without a log for gateways until ctx ends, and then hands its players over to the one that follows it: the gateways have them, and wait for that.
func runLinked(ctx context.Context, set *worldset.Set, end *remote.World) error {
	beyond := context.WithoutCancel(ctx)
	stepping, stop := context.WithCancel(beyond)
	defer stop()
	var steps sync.WaitGroup
	for _, loop := range set.Worlds {
		steps.Go(func() { loop.Run(stepping) })
	}
	steps.Go(func() { set.Pace(stepping, func(*ladder.Sample) {}) })
	serving, leave := context.WithCancel(beyond)
	defer leave()
	go func() {
		defer leave()
		select {
		case <-ctx.Done():
		case <-serving.Done(): // it has failed before, and there is nothing to hand over
			return
		}
		giving, late := context.WithTimeout(beyond, handOverTime)
		err := end.HandOver(giving)
		late()
		if err != nil {
			set.Log.Warn("not all players of a world have left it: gateways close those that are missing", "err", err)
		}
		stop()
		steps.Wait()
		releasing, over := context.WithTimeout(beyond, releaseTime)
		defer over()
		if err := end.Release(releasing); err != nil {
			set.Log.Debug("a gateway has not said that it waits for the next world", "err", err)
		}
	}()
	err := end.Run(serving)
	stop()
	steps.Wait()
	return err
}

// finish has a world end. It does not wait for that: the lease of all worlds is to be renewed meanwhile.
func (w *shardWorker) finish(s *shardWorld) {
	s.over = true
	s.end()
	w.show()
}

// worldEndTime is how long the worlds of a worker that ends may take to end.
const worldEndTime = 10 * time.Second

// A worker that ends hands its players over while its lease lasts, which it renews no more: in less than that, with both, our own choice.
const (
	handOverTime = 3 * time.Second
	releaseTime  = time.Second
)
