package admin

import (
	"net"
	"sync"
)

// A turnstile is a listener that bounds its connections at a time. Further ones wait in the kernel's queue.
type turnstile struct {
	net.Listener
	places chan struct{} // holds a token for each connection
	end    chan struct{} // closed with the listener
	once   sync.Once
}

func newTurnstile(l net.Listener, places int) *turnstile {
	return &turnstile{Listener: l, places: make(chan struct{}, places), end: make(chan struct{})}
}

// Accept waits for a place, and for a connection.
func (t *turnstile) Accept() (net.Conn, error) {
	select {
	case t.places <- struct{}{}:
	case <-t.end:
		return nil, net.ErrClosed
	}
	c, err := t.Listener.Accept()
	if err != nil {
		<-t.places
		return nil, err
	}
	return &placed{Conn: c, leave: sync.OnceFunc(func() { <-t.places })}, nil
}

// Close closes the listener.
func (t *turnstile) Close() error {
	t.once.Do(func() { close(t.end) })
	return t.Listener.Close()
}

// A placed connection gives its place up when it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
