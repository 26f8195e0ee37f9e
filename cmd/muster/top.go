package main

import (
	"context"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/topview"
)

type topVerb struct{ topview.Config }

// Help is printed below the flags' own.
func (*topVerb) Help() string {
	return `Times are of the ticks in the last ten seconds, and a tick is late that took longer than its step; a map without players rests, and has none. Ctrl-C ends it.`
}

// Validate refuses what cannot be shown.
func (v *topVerb) Validate() error { return v.Config.Check() }

// Run shows how a server does until ctx ends.
func (v *topVerb) Run(ctx context.Context, env *flags.Environment) error {
	return topview.Run(ctx, &v.Config, env)
}
