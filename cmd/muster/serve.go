package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/realm"
	"muster/internal/config"
)

type serveVerb struct {
	realm.Config

	ConfigFile string        `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in OpenAccounts."`
	Profile    flags.Profile `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile until the end: cpu, mem, mutex, block or trace."`

	settings config.Set
	again    *commandLine // to be read again; nil before it was read
}

// Help is printed below the flags' own.
func (*serveVerb) Help() string {
	return `Every flag can also be set in the file that --config names, and in the environment: --open-accounts is
OpenAccounts there and MUSTER_OPEN_ACCOUNTS here. Flags win over the environment, that over the file.`
}

// BeforeResolve brings in the file and the environment.
func (v *serveVerb) BeforeResolve(command *kong.Context, env *flags.Environment) (err error) {
	if v.settings, err = flags.Load(command, env.Variables); err != nil {
		return err
	}
	command.AddResolver(flags.Resolver(v.settings))
	v.Config.Reread = v.reread
	v.again = &commandLine{parsed: command, variables: env.Variables}
	return nil
}

// AfterApply finds out what no flag says.
func (v *serveVerb) AfterApply(env *flags.Environment) error {
	v.Complete(env.Variables)
	return nil
}

// Validate refuses what cannot be served.
func (v *serveVerb) Validate() error { return v.Config.Check() }

// Run serves until ctx ends.
func (v *serveVerb) Run(ctx context.Context, env *flags.Environment) error {
	defer v.Profile.Start()()
	return realm.Run(ctx, &v.Config, v.settings, env)
}
