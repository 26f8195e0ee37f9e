package main

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/internal/config"
	"muster/net/gateway"
	"muster/net/ops/console"
	"muster/net/protocol/command"
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
	changing  sync.Mutex // is held while settings change, and while a realm is made of them
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

// gateSettings are those of the gateway that can change while it runs.
func (v *serveVerb) gateSettings() gateway.Settings {
	return gateway.Settings{
		DelayAuthChallenge: v.DelayAuthChallenge, DelayAuthResponse: v.DelayAuthResponse,
		Idle: v.Silence.SocketTimeOutTime.Duration, IdleActive: v.Silence.SocketTimeOutTimeActive.Duration,
		KeepIdle: !v.Silence.CloseIdleConnections, MaxQueue: v.MaxQueue, TwoSides: v.AllowTwoSide.config(),
	}
}

// reload reads the settings again, has those count that can change, and returns what an operator is answered. What worlds
// read is a command to them, so that recordings have it. The error is a console.Refusal, and nothing has changed then.
func (r *realm) reload() (said []string, err error) {
	v := r.config
	if !v.again.changing.TryLock() { // to wait would keep a realm that is to end
		return nil, console.Refusal("The settings are being read.")
	}
	defer v.again.changing.Unlock()
	r.answering.RLock()
	ended := r.ended
	r.answering.RUnlock()
	if ended == nil || ended.Err() != nil {
		return nil, console.Refusal("The server begins, or ends.")
	}
	changed, kept, err := v.reread()
	if err != nil {
		return nil, console.Refusal(err.Error())
	}
	password, err := v.openPassword()
	if err != nil {
		return nil, console.Refusal(err.Error()) // Validate has asked the same
	}
	v.SetLevel()
	r.gate.Change(v.gateSettings())
	r.logins.SetOpen(password, v.OpenLevel)
	r.instanceRate.Store(math.Float32bits(v.RateXP))
	if slices.Contains(changed, config.Key("rate-xp")) && v.Bus == "" { // other worlds have it from their workers
		if err := r.gate.Tell(command.Console, fmt.Sprintf("server set rate xp %v", v.RateXP)); err != nil {
			r.Log.Error("a world does not take its settings", "err", err)
		}
	}
	r.Log.Info("settings are read again", "changed", strings.Join(changed, ","), "need_restart", strings.Join(kept, ","))
	if len(changed) == 0 {
		said = append(said, "No setting has changed that can.")
	} else {
		said = append(said, "These count from now on: "+strings.Join(changed, ", ")+".")
	}
	if len(kept) > 0 {
		said = append(said, "These need a restart: "+strings.Join(kept, ", ")+".")
	}
	return said, nil
}
