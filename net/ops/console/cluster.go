package console

import (
	"context"
	"math"
)

// A Cluster is what a Console says and does of the cluster that the server is part of.
type Cluster interface {
	// List is the processes and the shards, as text for people, or as JSON.
	List(ctx context.Context, json bool) (lines []string, err error)
	// Drain has the worlds of a worker given to others.
	Drain(ctx context.Context, worker uint64) error
	// Move gives the world of a map to a worker.
	Move(ctx context.Context, id uint32, worker uint64) error
}

// errNoCluster is the answer of a server that is in none.
const errNoCluster Refusal = "This server is in no cluster with a registry."

func (c *Console) cluster(ctx context.Context, a *call) ([]string, error) {
	json := a.args.Is("--json")
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	return c.Cluster.List(ctx, json)
}

func (c *Console) clusterDrain(ctx context.Context, a *call) ([]string, error) {
	worker := uint64(a.args.Int(1, math.MaxInt64))
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.Drain(ctx, worker); err != nil {
		return nil, err
	}
	return []string{"Its worlds are given to other workers."}, nil
}

func (c *Console) clusterMove(ctx context.Context, a *call) ([]string, error) {
	id, worker := uint32(a.args.Int(0, math.MaxUint32)), uint64(a.args.Int(1, math.MaxInt64))
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.Move(ctx, id, worker); err != nil {
		return nil, err
	}
	return []string{"The world is given to that worker."}, nil
}
