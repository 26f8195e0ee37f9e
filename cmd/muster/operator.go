package main

import (
	"context"
	"net"
	"os"
	"time"

	"muster/net/console"
	"muster/sched/flight"
	"muster/sched/pulse"
	"muster/systems"
)

// A timed world tells its pulse of its ticks.
type timed struct {
	*systems.Live
	pulse  *pulse.Pulse
	flight *flight.World // nil remembers nothing more
	beats  uint64
}

// crowdTicks is how often the fullest cells are looked for, in ticks; after a slow one they are, too.
const crowdTicks = 20

// Step runs tick n.
func (t *timed) Step(n uint64) {
	began := time.Now()
	t.pulse.Start(n)
	t.Live.Step(n)
	took := time.Since(began)
	if t.beats++; t.beats%crowdTicks == 0 || took > t.pulse.Step {
		t.pulse.Crowd(t.World.Crowds())
	}
	t.pulse.Beat(n, took, t.World.Load())
	if t.flight != nil {
		t.flight.Ended(n, took)
	}
}

// openSocket opens what muster ctl speaks to, nil if it cannot: the realm goes on without.
func (r *realm) openSocket() net.Listener {
	if r.socket == "" {
		return nil
	}
	l, err := console.Listen(r.socket)
	if err != nil {
		r.log.Warn("muster ctl cannot reach this server", "err", err)
		return nil
	}
	r.log.Info("listening for muster ctl", "socket", r.socket)
	return l
}

// readTerminal does what is typed, if somebody types.
func (r *realm) readTerminal(ctx context.Context) {
	if r.config.Console || isTerminal(os.Stdin) {
		go r.console.Read(ctx, os.Stdin, os.Stdout)
	}
}

// shutdown ends the realm with a code, as an operator wants it.
func (r *realm) shutdown(code int) {
	r.code.Store(int32(code))
	r.end()
}
