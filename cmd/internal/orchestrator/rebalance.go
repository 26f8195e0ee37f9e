package orchestrator

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"muster/loaders/registry"
)

// A Rebalancing says which worlds are moved to even out loads, and when.
type Rebalancing struct {
	Rebalance      string        `default:"logs" enum:"logs,all,off" placeholder:"WHICH" help:"Move worlds of the registry from workers with much load to others with less: logs, those in logs, whose players notice a pause; all, also others, whose players load the map again and whose creatures begin anew; or off: logs, all or off (${default})."`
	RebalanceAfter time.Duration `default:"30s" placeholder:"D" help:"Move one when loads have been so for so long (${default})."`
}

// Check refuses what cannot be meant.
func (v *Rebalancing) Check() error {
	if v.RebalanceAfter <= 0 {
		return errors.New("--rebalance-after is above 0")
	}
	return nil
}

// Args are the flags that say the same.
func (v *Rebalancing) Args() []string {
	return []string{"--rebalance", v.Rebalance, "--rebalance-after", v.RebalanceAfter.String()}
}

// rebalance moves a shard to a worker with less load, if one is to be. Without a log that ends fights and has creatures begin anew, which needs an operator's consent.
func (o *orchestrator) rebalance(ctx context.Context, now time.Time, workers []registry.Process, shards []registry.Shard, standbys []registry.Standby) error {
	inLogs := slices.ContainsFunc(workers, func(w registry.Process) bool { return w.Durable })
	if o.config.Rebalance != "all" && (o.config.Rebalance != "logs" || !inLogs) {
		return nil
	}
	m, ok := o.balancer.Next(now, workers, shards, standbys...)
	if !ok {
		return nil
	}
	switch err := o.leader.Move(ctx, m.Shard, m.To); {
	case errors.Is(err, registry.ErrOlder): // it is another's meanwhile, or the other worker takes it no more
		o.log.Info("a world was to be moved to a worker with less load, and is not", "map", m.Shard.Map, "instance", m.Shard.Instance, "worker", m.To, "before", m.Shard.Worker, "err", err)
	case err != nil:
		return err
	default:
		because := "the other worker has no world"
		if m.FromLoad >= registry.HighLoad {
			because = "its worker has too much load"
		}
		o.moved.Add(1)
		o.log.Info("a world is moved to a worker with less load", "map", m.Shard.Map, "instance", m.Shard.Instance, "worker", m.To, "before", m.Shard.Worker, "because", because,
			"cores", rounded(m.Cost), "worker_cores", rounded(m.ToLoad), "before_cores", rounded(m.FromLoad), "players", m.Shard.Players)
	}
	return nil
}

// rounded is a load to a hundredth of a core.
func rounded(cores float32) float64 { return math.Round(float64(cores)*100) / 100 }
