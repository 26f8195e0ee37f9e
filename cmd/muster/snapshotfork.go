package main

import (
	"context"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/worldfork"
)

type snapshotFork struct{ worldfork.Config }

// Help is printed below the flags' own.
func (*snapshotFork) Help() string {
	return `The copy has the players that the world had, which do nothing more. No client can log in to it, nothing of it is saved, and it ends with the
process. The page at its address shows it; POST /api/clock there lets its clock run, or step, and POST /api/console has it execute a command, as
{"line":"npc kill 0xf130000019000001"}. The number of the instance that each copy is of is no world's of a realm.`
}

// Validate refuses an address without a token that others could reach.
func (v *snapshotFork) Validate() error { return v.Config.Check() }

// Run runs the copies until ctx ends.
func (v *snapshotFork) Run(ctx context.Context, env *flags.Environment) error {
	return worldfork.Run(ctx, &v.Config, env)
}
