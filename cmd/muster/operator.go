package main

import (
	"net"

	"muster/net/ops/console"
)

// openSocket opens the socket for muster ctl, nil if it cannot: the realm goes on without.
func (r *realm) openSocket() *net.UnixListener {
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

// shutdown ends the realm with a code, as an operator wants it.
func (r *realm) shutdown(code int) {
	r.code.Store(int32(code))
	r.end()
}
