package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/internal/config"
)

type orchestrateVerb struct {
	orchestrateConfig

	ConfigFile string `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in RealmName."`

	Worker []string `arg:"" optional:"" passthrough:"" help:"The flags of those workers besides --database and --realm-name, after --: -- --bus URL --seed 7."`

	settings config.Set
}

// Help is printed below the flags' own.
func (*orchestrateVerb) Help() string {
	return `Several may run: the one that has the lock of the realm in PostgreSQL gives maps to workers, and another one does when it ends.`
}

// BeforeResolve brings in the file and the environment.
func (v *orchestrateVerb) BeforeResolve(command *kong.Context, env *environment) (err error) {
	if v.settings, err = load(command, env.variables); err != nil {
		return err
	}
	command.AddResolver(resolver(v.settings))
	return nil
}

// Validate refuses what cannot be run.
func (v *orchestrateVerb) Validate() error { return v.check(v.Worker) }

// Run assigns worlds until ctx ends.
func (v *orchestrateVerb) Run(ctx context.Context, env *environment) error {
	log := v.logger(env.stderr)
	log.Info("starting", "release", release(), "toolchain", toolchain())
	report(log, v.settings)
	return runOrchestrator(ctx, &v.orchestrateConfig, v.Worker, env.stderr, log)
}
