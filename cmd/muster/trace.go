package main

import (
	"context"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/sessiontrace"
)

type traceVerb struct{ sessiontrace.Config }

// Help is printed below the flags' own.
func (*traceVerb) Help() string {
	return `A name is followed from CMSG_AUTH_SESSION on if it is that of an account, and from its entry on if it is that of a character;
a session that is there already from now on. Passwords are stars. A recording has what its worlds read and sent: no logins,
no character screen, and no answers that need no world. Ctrl-C ends it.`
}

// Validate refuses what cannot be followed.
func (v *traceVerb) Validate() error { return v.Config.Check() }

// Run writes packets until there are no more, or ctx ends.
func (v *traceVerb) Run(ctx context.Context, env *flags.Environment) error {
	return sessiontrace.Run(ctx, &v.Config, env)
}
