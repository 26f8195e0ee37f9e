package console

import (
	"context"
	"math"
)

// A Cluster is what a Console says and does of the cluster that the server is part of.
type Cluster interface {
	// List is the processes and the shards, as text for people, or as JSON.
	List(ctx context.Context, json bool) (lines []string, err error)
	// Players is the players of the realm, at all gateways, as text for people; that of a name alone, if there is one.
	Players(ctx context.Context, name string) (lines []string, err error)
	// Drain has the worlds of a worker given to others.
	Drain(ctx context.Context, worker uint64) error
	// Undrain has a worker that drains be given worlds again.
	Undrain(ctx context.Context, worker uint64) error
	// Move gives the world of a map to a worker, or that of an instance of it.
	Move(ctx context.Context, id, instance uint32, worker uint64) error
	// Scale has the realm have so many workers.
	Scale(ctx context.Context, workers int) error
	// Stop has a process end in order, and returns what it has to do before: "" if nothing.
	Stop(ctx context.Context, process uint64) (before string, err error)
	// SetRealm lets accounts from a security level on into the realm, or none if it is offline.
	SetRealm(ctx context.Context, level uint8, offline bool) error
	// LimitRealm has the realm let in so many players at a time, through all gateways; 0 as many as those have seats for.
	LimitRealm(ctx context.Context, players int) error
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

func (c *Console) clusterPlayers(ctx context.Context, a *call) ([]string, error) {
	name := ""
	if a.args.Len() > 0 {
		name = a.args.Word()
	}
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	return c.Cluster.Players(ctx, name)
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

func (c *Console) clusterUndrain(ctx context.Context, a *call) ([]string, error) {
	worker := uint64(a.args.Int(1, math.MaxInt64))
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.Undrain(ctx, worker); err != nil {
		return nil, err
	}
	return []string{"It is given worlds again, as those come up that no worker has."}, nil
}

func (c *Console) clusterMove(ctx context.Context, a *call) ([]string, error) {
	id, worker := uint32(a.args.Int(0, math.MaxUint32)), uint64(a.args.Int(1, math.MaxInt64))
	var instance uint32
	if a.args.Len() > 0 {
		instance = a.args.ID()
	}
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.Move(ctx, id, instance, worker); err != nil {
		return nil, err
	}
	return []string{"The world is given to that worker."}, nil
}

// MaxWorkers is how many workers an operator can want, our own choice.
const MaxWorkers = 1000

func (c *Console) clusterScale(ctx context.Context, a *call) ([]string, error) {
	workers := a.args.Int(1, MaxWorkers)
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.Scale(ctx, int(workers)); err != nil {
		return nil, err
	}
	return []string{"So many workers are had to run; one that is too many ends when its worlds are given to others."}, nil
}

func (c *Console) clusterStop(ctx context.Context, a *call) ([]string, error) {
	process := uint64(a.args.Int(1, math.MaxInt64))
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	before, err := c.Cluster.Stop(ctx, process)
	if err != nil {
		return nil, err
	}
	if before == "" {
		return []string{"It ends."}, nil
	}
	return []string{"It ends once " + before + "."}, nil
}

func (c *Console) clusterRealm(ctx context.Context, a *call) ([]string, error) {
	if a.args.Is("limit") {
		return c.limitRealm(ctx, a)
	}
	var level uint8
	offline, said := false, "All accounts are let into the realm."
	switch {
	case a.args.Is("offline"):
		offline, said = true, "The realm is offline, and lets no account in. Those that are in it stay."
	case a.args.Is("locked"):
		level, said = uint8(a.args.Int(1, 3)), "The realm lets accounts of that security level in, and of higher ones. Those that are in it stay."
	case !a.args.Is("open"):
		a.args.Word()
		return nil, Refusal("It is open, locked with a security level from 1 to 3, or offline, or has a limit of players.")
	}
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.SetRealm(ctx, level, offline); err != nil {
		return nil, err
	}
	return []string{said}, nil
}

// MaxRealmPlayers is how many players an operator can have a realm let in, our own choice.
const MaxRealmPlayers = 10_000_000

func (c *Console) limitRealm(ctx context.Context, a *call) ([]string, error) {
	players := int(a.args.Int(0, MaxRealmPlayers))
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Cluster == nil {
		return nil, errNoCluster
	}
	if err := c.Cluster.LimitRealm(ctx, players); err != nil {
		return nil, err
	}
	if players == 0 {
		return []string{"The realm lets in as many players as its gateways have seats for."}, nil
	}
	return []string{"The realm lets in so many players at a time. Others wait in one queue, at whichever gateway; those that are in it stay."}, nil
}
