package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/internal/config"
)

type workerVerb struct {
	workerConfig

	ConfigFile string      `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in RealmName."`
	Profile    profileFlag `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile until the end: cpu, mem, mutex, block or trace."`

	settings config.Set
}

// Help is printed below the flags' own.
func (*workerVerb) Help() string {
	return `The seed, the creatures, the start and the imported world must be those of the gateways, muster gateway: they have the same world in their
tables. The step is 50ms unless --tick says otherwise, there and here.`
}

// BeforeResolve brings in the file and the environment.
func (v *workerVerb) BeforeResolve(command *kong.Context, env *environment) (err error) {
	if v.settings, err = load(command, env.variables); err != nil {
		return err
	}
	command.AddResolver(resolver(v.settings))
	return nil
}

// Validate refuses what cannot be run.
func (v *workerVerb) Validate() error { return v.check() }

// Run steps worlds until ctx ends.
func (v *workerVerb) Run(ctx context.Context, env *environment) (err error) {
	defer v.Profile.start()()
	log := v.logger(env.stderr)
	log.Info("starting", "release", release(), "toolchain", toolchain())
	report(log, v.settings)
	return runWorker(ctx, &v.workerConfig, log)
}
