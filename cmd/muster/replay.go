package main

import (
	"context"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/replay"
)

type replayVerb struct{ replay.Config }

// Help is printed below the flags' own.
func (*replayVerb) Help() string {
	return `The exit code is not zero if a tick went another way than when it was recorded, or if the recording is damaged. One
that was cut off, because its server was killed, is good up to there.

A snapshot is good for the recording in whose folder it is, and for musters whose worlds are made of the same components
and systems. What comes before it in the recording is read, but not run.

The log of a world is run from its newest snapshot on, with --from or --until from the newest that was taken after that
tick or an earlier one. Ticks that a log has not any more are refused, with those after which it can begin.`
}

// Run runs recordings, or the logs of worlds.
func (v *replayVerb) Run(ctx context.Context, env *flags.Environment) error {
	return replay.Run(ctx, &v.Config, env)
}
