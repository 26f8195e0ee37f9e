package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/orchestrator"
	"muster/cmd/internal/release"
	"muster/internal/config"
)

type orchestrateVerb struct {
	orchestrator.Config

	ConfigFile string `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in RealmName."`

	Worker []string `arg:"" optional:"" passthrough:"" help:"The flags of those workers besides --database and --realm-name, after --: -- --bus URL --seed 7."`

	settings config.Set
}

// Help is printed below the flags' own.
func (*orchestrateVerb) Help() string {
	return `Several may run: the one that has the lock of the realm in PostgreSQL gives maps to workers, and another one does when it ends.`
}

// BeforeResolve brings in the file and the environment.
func (v *orchestrateVerb) BeforeResolve(command *kong.Context, env *flags.Environment) (err error) {
	if v.settings, err = flags.Load(command, env.Variables); err != nil {
		return err
	}
	command.AddResolver(flags.Resolver(v.settings))
	return nil
}

// Validate refuses what cannot be run.
func (v *orchestrateVerb) Validate() error { return v.Check(v.Worker) }

// Run assigns worlds until ctx ends.
func (v *orchestrateVerb) Run(ctx context.Context, env *flags.Environment) error {
	log := v.Logger(env.Stderr)
	log.Info("starting", "release", release.Name(), "toolchain", release.Toolchain())
	flags.Report(log, v.settings)
	return orchestrator.Run(ctx, &v.Config, v.Worker, env.Stderr, log)
}
