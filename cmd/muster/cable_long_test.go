//go:build long

package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"muster/internal/testnet"
)

// A cable carries the connections of one process to one server, and can be cut: then nothing is carried, and no connection ends, until it is
// mended, as when a network loses all packets for a time and TCP sends them again.
type cable struct {
	network, to string
	far         *testnet.Host // from which it connects
	listener    net.Listener
	ctx         context.Context // done when it has ended

	mu    sync.Mutex
	whole *sync.Cond // signalled when it is mended, or has ended
	cut   bool
	late  time.Duration // what is carried arrives so much later
	ended bool
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

// newCable listens at a place of a host, and carries what comes to a place that another host reaches.
func newCable(t *testing.T, network string, near *testnet.Host, at string, far *testnet.Host, to string) *cable {
	t.Helper()
	l, err := near.Listen(network, at)
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{network: network, to: to, far: far, listener: l, conns: make(map[net.Conn]bool)}
	c.whole = sync.NewCond(&c.mu)
	var end context.CancelFunc
	c.ctx, end = context.WithCancel(context.Background())
	c.all.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			c.all.Go(func() { c.carry(near) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		end()
		c.mu.Lock()
		c.ended = true
		c.whole.Broadcast()
		c.mu.Unlock()
		c.snap()
		c.all.Wait()
	})
	return c
}

// postgresCable is a cable to a server of PostgreSQL whose socket is in a folder. It listens in another one.
//
// Source: PostgreSQL documentation, "Connection Strings": the socket of port 5432 is .s.PGSQL.5432.
func postgresCable(t *testing.T, folder string) (c *cable, at string) {
	t.Helper()
	at, err := os.MkdirTemp("", "cable") // that of the test may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(at) })
	const socket = ".s.PGSQL.5432"
	machine := new(testnet.Host) // sockets of files are in no network
	return newCable(t, "unix", machine, filepath.Join(at, socket), machine, filepath.Join(folder, socket)), at
}

func (c *cable) address() string { return c.listener.Addr().String() }

// setCut cuts or mends the cable.
func (c *cable) setCut(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	c.whole.Broadcast()
}

// setLate has what is carried arrive later, or at once again.
func (c *cable) setLate(late time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = late
}

// snap ends all connections.
func (c *cable) snap() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.conns {
		conn.Close()
	}
}

// wait waits while the cable is cut, and for as long as it is late. It reports whether it carries anything more.
func (c *cable) wait() bool {
	c.mu.Lock()
	late := c.late
	c.mu.Unlock()
	if late > 0 {
		<-time.After(late) // and what comes meanwhile is carried together with what comes next
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.cut && !c.ended {
		c.whole.Wait()
	}
	return !c.ended
}

// add notes a connection. It reports whether the cable has not ended.
func (c *cable) add(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns[conn] = true
	return !c.ended
}

func (c *cable) drop(conn net.Conn) {
	c.mu.Lock()
	delete(c.conns, conn)
	c.mu.Unlock()
	conn.Close()
}

// carry carries a connection until either end closes it.
func (c *cable) carry(near net.Conn) {
	defer c.drop(near)
	if !c.add(near) || !c.wait() {
		return
	}
	far, err := c.far.DialContext(c.ctx, c.network, c.to)
	if err != nil {
		return
	}
	defer c.drop(far)
	if !c.add(far) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { c.copy(near, far) })
	both.Go(func() { c.copy(far, near) })
	both.Wait()
}

// copy copies what comes from one end to the other, while the cable is not cut, and then ends both.
func (c *cable) copy(from, to net.Conn) {
	defer func() {
		if c.wait() { // an end is not seen beyond a cut
			from.Close()
			to.Close()
		}
	}()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if n > 0 {
			if !c.wait() {
				return
			}
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
