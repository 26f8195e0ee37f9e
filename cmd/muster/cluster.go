package main

import (
	"context"

	"muster/cmd/internal/cluster"
	"muster/cmd/internal/flags"
)

type clusterVerb struct{ cluster.Config }

// Help is printed below the flags' own.
func (*clusterVerb) Help() string {
	return `NATS runs in this process, and PostgreSQL as it is installed beside it, unless --database names one. The others are 2 muster login, 2 muster gateway, 3 muster worker and
2 muster orchestrate, unless the flags say otherwise; what they log is repeated with their name before it, and what ends is started again. With --ephemeral
alone there are only workers and one muster serve --bus, and when one of them ends, all do.`
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
