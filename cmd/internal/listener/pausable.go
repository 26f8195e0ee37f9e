// Package listener has sockets that one server after another accepts connections of.
package listener

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

// A Pausable listener accepts connections of a socket for a time. Closing it leaves the socket open, and connections wait there for
// the next one. A socket has one at a time.
type Pausable struct {
	deadliner
	closed atomic.Bool
}

// NewPausable begins to accept the connections of a socket.
func NewPausable(l deadliner) *Pausable {
	l.SetDeadline(time.Time{})
	return &Pausable{deadliner: l}
}

// Accept waits for a connection. After Close it returns net.ErrClosed.
func (l *Pausable) Accept() (net.Conn, error) {
	c, err := l.deadliner.Accept()
	if err != nil && l.closed.Load() {
		return nil, net.ErrClosed
	}
	return c, err
}

// Close ends a waiting Accept.
func (l *Pausable) Close() error {
	l.closed.Store(true)
	return l.SetDeadline(time.Unix(1, 0))
}
