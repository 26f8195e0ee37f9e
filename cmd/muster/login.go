package main

import (
	"context"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/loginserver"
	"muster/cmd/internal/release"
	"muster/internal/config"
)

type loginVerb struct {
	loginserver.Config

	ConfigFile string `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in OpenAccounts."`

	settings config.Set
}

// Help is printed below the flags' own.
func (*loginVerb) Help() string {
	return `It has no state: several may run, and clients may use any of them. The realm list has the gateway of the registry with the fewest connections,
and the realm is offline while there is none. What it counts of wrong passwords is its own.`
}

// BeforeResolve brings in the file and the environment.
func (v *loginVerb) BeforeResolve(command *kong.Context, env *flags.Environment) (err error) {
	if v.settings, err = flags.Load(command, env.Variables); err != nil {
		return err
	}
	command.AddResolver(flags.Resolver(v.settings))
	return nil
}

// Validate refuses what cannot be served.
func (v *loginVerb) Validate() error { return v.Config.Check() }

// Run serves logins until ctx ends.
func (v *loginVerb) Run(ctx context.Context, env *flags.Environment) error {
	log := v.Logger(env.Stderr)
	log.Info("starting", "release", release.Name(), "toolchain", release.Toolchain())
	flags.Report(log, v.settings)
	return loginserver.Run(ctx, &v.Config, log)
}
