package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worker"
	"muster/internal/config"
)

type workerVerb struct {
	worker.Config

	ConfigFile string        `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in RealmName."`
	Profile    flags.Profile `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile until the end: cpu, mem, mutex, block or trace."`

	settings config.Set
}

// Help is printed below the flags' own.
func (*workerVerb) Help() string {
	return `The seed, the creatures, the start and the imported world must be those of the gateways, muster gateway: they have the same world in their
tables. The step is from 7ms to 56ms by the load, unless --tick says otherwise, there and here.`
}

// BeforeResolve brings in the file and the environment.
func (v *workerVerb) BeforeResolve(command *kong.Context, env *flags.Environment) (err error) {
	if v.settings, err = flags.Load(command, env.Variables); err != nil {
		return err
	}
	command.AddResolver(flags.Resolver(v.settings))
	return nil
}

// Validate refuses what cannot be run.
func (v *workerVerb) Validate() error { return v.Check() }

// Run steps worlds until ctx ends.
func (v *workerVerb) Run(ctx context.Context, env *flags.Environment) (err error) {
	defer v.Profile.Start()()
	log := v.Logger(env.Stderr)
	log.Info("starting", "release", release.Name(), "toolchain", release.Toolchain())
	flags.Report(log, v.settings)
	return worker.Run(ctx, &v.Config, log)
}
