package main

import (
	"slices"

	"github.com/alecthomas/kong"
)

// A gatewayVerb is a serve whose worlds and logins are those of other processes. It has the flags of serve but for notGateways.
type gatewayVerb struct{ serveVerb }

// notGateways are the flags of serve that are about logins, about the worlds of a process, or about a store that only one process has.
var notGateways = []string{
	"auth", "no-logins", "open-accounts", "open-accounts-anywhere", "open-level", "wrong-pass.max-count", "wrong-pass.ban-time", "wrong-pass.ban-type",
	"clock", "date", "strikes", "death-reclaim", "rate-xp", "record", "record-limit",
	"flight-budget", "flight-every", "flight-dir", "flight-keep", "flight-off",
	"ephemeral", "snapshot", "durable", "instances-per-hour", "instance-empty",
}

// Help is printed below the flags' own.
func (*gatewayVerb) Help() string {
	return `The worlds are those of muster worker, logins those of muster login, and instances of dungeons those of muster orchestrate. The seed, the creatures, the start,
the imported world and the step must be the workers'. On SIGTERM it takes its players out, saves them, and gives their accounts back: within 30 s.`
}

// BeforeApply says what the flags that it has not would have said.
func (v *gatewayVerb) BeforeApply() error {
	v.NoLogins = true
	return nil
}

// narrow takes the flags from the verb that it has not. These are as by default.
func (*gatewayVerb) narrow(node *kong.Node) {
	node.Flags = slices.DeleteFunc(node.Flags, func(f *kong.Flag) bool {
		out := slices.Contains(notGateways, f.Name)
		if out {
			f.Reset()
		}
		return out
	})
}

// served is serve, or gateway as one: whichever the command line has. It is serve before that is read.
func (v *verbs) served() *serveVerb {
	if v.Gateway.again != nil {
		return &v.Gateway.serveVerb
	}
	return &v.Serve
}
