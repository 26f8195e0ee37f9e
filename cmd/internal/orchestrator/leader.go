package orchestrator

import (
	"context"
	"errors"
	"slices"
	"time"

	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/net/ops/admin"
)

// removeEvery is how often a leader looks for instances that are empty.
const removeEvery = time.Second

// lead gives what is to be given, if this process leads or can.
func (o *orchestrator) lead(ctx context.Context, now time.Time) (err error) {
	if o.leader == nil {
		if o.leader, err = o.place.Lead(ctx); err != nil {
			if errors.Is(err, registry.ErrLed) {
				err = nil
			}
			return err
		}
		o.balancer = registry.Balancer{Hold: o.config.RebalanceAfter}
		o.log.Info("this orchestrator leads")
	}
	if err = o.assign(ctx, now); err != nil {
		o.log.Info("this orchestrator leads no more", "err", storage.OneLine(err))
		o.resign()
		return err
	}
	if o.config.scales() {
		o.scaling.Follow(ctx)
		if err := o.leader.Stay(ctx); err != nil {
			return err
		}
	}
	return o.removeEmpty(ctx, now)
}

// removeEmpty removes the instances that are empty, now and then. The session of the leader is not silent for longer meanwhile than it may be.
func (o *orchestrator) removeEmpty(ctx context.Context, now time.Time) error {
	if o.instances == nil || now.Sub(o.removed) < removeEvery {
		return nil
	}
	o.removed = now
	limited, cancel := context.WithTimeout(ctx, removeEvery)
	defer cancel()
	return errors.Join(o.instances.RemoveEmpty(limited), o.leader.Stay(ctx))
}

// resign ends leading.
func (o *orchestrator) resign() {
	if o.leader != nil {
		o.leader.Close()
		o.leader = nil
		o.known.Store(nil)
	}
}

// assign gives shards without a worker to those that there are, and moves one whose worker has too much load.
func (o *orchestrator) assign(ctx context.Context, now time.Time) error {
	workers, shards, standbys, err := o.leader.State(ctx)
	if err != nil {
		return err
	}
	o.known.Store(assignmentOf(workers, shards, standbys, o.config.Standbys))
	if o.seen.IsZero() && len(workers) > 0 {
		o.seen = now
	}
	if waitsFor(o.config.Wait, workers, shards) && now.Sub(o.seen) < waitTime {
		return nil
	}
	for _, g := range registry.Assign(workers, shards, standbys...) {
		switch epoch, err := o.leader.Give(ctx, g.Shard, g.Worker); {
		case errors.Is(err, registry.ErrOlder): // it is another's meanwhile, or may still be the one's that had it
		case err != nil:
			return err
		default:
			o.given.Add(1)
			o.log.Info("a world is given to a worker", "map", g.Shard.Map, "instance", g.Shard.Instance, "worker", g.Worker, "before", g.Shard.Worker, "epoch", epoch)
		}
	}
	if err := o.assignStandbys(ctx, workers, shards, standbys); err != nil {
		return err
	}
	return o.rebalance(ctx, now, workers, shards, standbys)
}

// assignStandbys has workers follow the shards of others.
func (o *orchestrator) assignStandbys(ctx context.Context, workers []registry.Process, shards []registry.Shard, standbys []registry.Standby) error {
	placed, withdrawn := registry.AssignStandbys(workers, shards, standbys, o.config.Standbys)
	for _, s := range withdrawn {
		if err := o.leader.Withdraw(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range placed {
		switch err := o.leader.Place(ctx, s); {
		case errors.Is(err, registry.ErrOlder): // it has ended, or has the world by now
		case err != nil:
			return err
		default:
			o.log.Info("a worker is to follow a world", "map", s.Map, "instance", s.Instance, "worker", s.Worker)
		}
	}
	return nil
}

// assignmentOf is what metrics tell of a realm whose worlds are to have so many standbys each.
func assignmentOf(workers []registry.Process, shards []registry.Shard, standbys []registry.Standby, each int) *admin.Assignment {
	a := &admin.Assignment{Leads: true, Workers: len(workers), Placed: len(standbys), Missing: max(0, each*len(shards)-len(standbys))}
	for _, s := range shards {
		if !slices.ContainsFunc(workers, func(w registry.Process) bool { return w.ID == s.Worker }) {
			a.Unassigned++
		}
	}
	return a
}

// assignment is what metrics tell now.
func (o *orchestrator) assignment() (a admin.Assignment) {
	if known := o.known.Load(); known != nil {
		a = *known
	}
	a.Given, a.Moved = o.given.Load(), o.moved.Load()
	return a
}

// waitsFor reports whether more workers are to come before the first is given a shard: there are fewer than so many, and none of them has one.
func waitsFor(n int, workers []registry.Process, shards []registry.Shard) bool {
	return len(workers) < n && !slices.ContainsFunc(shards, func(s registry.Shard) bool {
		return slices.ContainsFunc(workers, func(w registry.Process) bool { return w.ID == s.Worker })
	})
}
