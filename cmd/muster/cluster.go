package main

import (
	"context"

	"muster/cmd/internal/cluster"
	"muster/cmd/internal/flags"
)

type clusterVerb struct{ cluster.Config }

// Help is printed below the flags' own.
func (*clusterVerb) Help() string {
	return `NATS runs in this process. The others are muster worker and muster gateway, without --database muster serve --bus; what they log is repeated with their name before it.
When one of them ends, all do. With --database there are 2 muster orchestrate and 2 muster login as well, 3 workers and 2 gateways, unless the flags say
otherwise, and what ends is started again.`
}

// Validate refuses what cannot be run.
func (v *clusterVerb) Validate() error { return v.Check() }

// AfterApply finds out what no flag says.
func (v *clusterVerb) AfterApply(env *flags.Environment) error {
	v.Complete(env.Variables)
	return nil
}

// Run runs a cluster until ctx ends.
func (v *clusterVerb) Run(ctx context.Context, env *flags.Environment) error {
	return cluster.Run(ctx, &v.Config, env.Stderr, v.Logger(env.Stderr))
}
