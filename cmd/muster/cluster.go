package main

import "context"

type clusterVerb struct{ clusterConfig }

// Help is printed below the flags' own.
func (*clusterVerb) Help() string {
	return `NATS runs in this process. The others are muster worker and muster gateway, without --database muster serve --bus; what they log is repeated with their name before it.
When one of them ends, all do. With --database there are 2 muster orchestrate and 2 muster login as well, 3 workers and 2 gateways, unless the flags say
otherwise, and what ends is started again.`
}

// Validate refuses what cannot be run.
func (v *clusterVerb) Validate() error { return v.check() }

// AfterApply finds out what no flag says.
func (v *clusterVerb) AfterApply(env *environment) error {
	v.complete(env.variables)
	return nil
}

// Run runs a cluster until ctx ends.
func (v *clusterVerb) Run(ctx context.Context, env *environment) error {
	return runCluster(ctx, &v.clusterConfig, env.stderr, v.logger(env.stderr))
}
