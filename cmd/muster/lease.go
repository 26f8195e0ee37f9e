package main

import (
	"net"
	"sync/atomic"
	"time"
)

// A deadliner is a listener whose Accept can be interrupted.
type deadliner interface {
	net.Listener
	SetDeadline(time.Time) error
}

// A lease is a listener for a time: closing it leaves the socket below open, on which connections wait for the next lease.
// There is one lease of a socket at a time.
type lease struct {
	deadliner
	closed atomic.Bool
}

// newLease begins a lease of a socket.
func newLease(l deadliner) *lease {
	l.SetDeadline(time.Time{})
	return &lease{deadliner: l}
}

// Accept waits for a connection. After Close it returns net.ErrClosed.
func (l *lease) Accept() (net.Conn, error) {
	c, err := l.deadliner.Accept()
	if err != nil && l.closed.Load() {
		return nil, net.ErrClosed
	}
	return c, err
}

// Close ends the lease.
func (l *lease) Close() error {
	l.closed.Store(true)
	return l.SetDeadline(time.Unix(1, 0))
}
