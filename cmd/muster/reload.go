package main

import (
	"io"
	"reflect"
	"slices"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/internal/config"
)

// changeable are the flags whose settings count at once when a running server reads them again. All others need a restart.
var changeable = []string{
	"log-level", "rate-xp", "open-accounts", "open-accounts-anywhere", "open-level",
	"allow-two-side.interaction.chat", "allow-two-side.who-list",
	"close-idle-connections", "socket-time-out-time", "socket-time-out-time-active",
	"max-queue", "delay-auth-challenge", "delay-auth-response",
}

// A commandLine is that of serve, which can be parsed again. Its file may be another by then.
type commandLine struct {
	parsed    *kong.Context
	variables []string
}

// flags are the flags of the command; their targets are its fields.
func (c *commandLine) flags() []*kong.Flag { return c.parsed.Selected().Flags }

// reread parses the command line again, and takes over what can change. It returns the keys of what has changed, and of
// what differs and cannot change. If anything is wrong with the settings, nothing changes.
func (v *serveVerb) reread() (changed, kept []string, err error) {
	var next verbs
	if _, err := newParser(&next, &flags.Environment{Stdout: io.Discard, Stderr: io.Discard, Variables: v.again.variables}).Parse(v.again.parsed.Args); err != nil {
		return nil, nil, err
	}
	read := next.served().again.flags()
	var undo []func()
	for i, f := range v.again.flags() {
		if reflect.DeepEqual(f.Target.Interface(), read[i].Target.Interface()) {
			continue
		}
		key := config.Key(f.Name)
		if !slices.Contains(changeable, f.Name) {
			kept = append(kept, key)
			continue
		}
		was := reflect.ValueOf(f.Target.Interface())
		undo = append(undo, func() { f.Target.Set(was) })
		f.Target.Set(read[i].Target)
		changed = append(changed, key)
	}
	if err := v.Validate(); err != nil { // of what is read together with what is kept
		for _, f := range undo {
			f()
		}
		return nil, nil, err
	}
	return changed, kept, nil
}
