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

// A pausable listener accepts connections of a socket for a time. Closing it leaves the socket open, and connections wait there for
// the next one. A socket has one at a time.
type pausable struct {
	deadliner
	closed atomic.Bool
}

// newPausable begins to accept the connections of a socket.
func newPausable(l deadliner) *pausable {
	l.SetDeadline(time.Time{})
	return &pausable{deadliner: l}
}

// Accept waits for a connection. After Close it returns net.ErrClosed.
func (l *pausable) Accept() (net.Conn, error) {
	c, err := l.deadliner.Accept()
	if err != nil && l.closed.Load() {
		return nil, net.ErrClosed
	}
	return c, err
}

// Close ends a waiting Accept.
func (l *pausable) Close() error {
	l.closed.Store(true)
	return l.SetDeadline(time.Unix(1, 0))
}
