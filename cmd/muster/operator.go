package main

import (
	"context"
	"net"
	"os"

	"muster/net/ops/console"
)

// openSocket opens the socket for muster ctl, nil if it cannot: the realm goes on without.
func (r *realm) openSocket() net.Listener {
	if r.socket == "" {
		return nil
	}
	l, err := console.Listen(r.socket)
	if err != nil {
		r.log.Warn("muster ctl cannot reach this server", "err", err)
		r.socket = ""
		return nil
	}
	r.log.Info("listening for muster ctl", "socket", r.socket)
	return l
}

// readTerminal executes what is typed, if standard input is a terminal.
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
