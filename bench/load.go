package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A load is the clients of a Floor: each sends packets at the same pace, and reads what it gets.
type load struct {
	conns    []net.Conn
	packet   []byte
	perSend  float64 // packets in each sendPeriod, of all clients together
	received atomic.Uint64
	broken   atomic.Pointer[error] // why a client could not begin; the first of them
	wg       sync.WaitGroup
	stop     context.CancelFunc
}

// sendPeriod is how often a load sends what is due.
const sendPeriod = 5 * time.Millisecond

// startLoad connects so many clients, which send so many packets per second together, until close.
func startLoad(ctx context.Context, address string, clients int, packets float64, bytes int) (*load, error) {
	ctx, stop := context.WithCancel(ctx)
	l := &load{packet: make([]byte, bytes), perSend: packets * sendPeriod.Seconds(), stop: stop}
	if err := l.connect(ctx, address, clients, nil); err != nil {
		return nil, err
	}
	l.wg.Go(func() { l.send(ctx) })
	return l, nil
}

// greetLoad connects so many clients, which only read, after each has greeted the server, if it has to.
func greetLoad(ctx context.Context, address string, clients int, hello func(i int, c net.Conn) error) (*load, error) {
	ctx, stop := context.WithCancel(ctx)
	l := &load{stop: stop}
	return l, l.connect(ctx, address, clients, hello)
}

// connect connects the clients. If it fails, the load is closed.
func (l *load) connect(ctx context.Context, address string, clients int, hello func(i int, c net.Conn) error) error {
	for i := range clients {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			l.close()
			return fmt.Errorf("load: %w", err)
		}
		l.conns = append(l.conns, c)
		l.wg.Go(func() {
			if hello != nil {
				if err := hello(i, c); err != nil {
					l.broken.CompareAndSwap(nil, &err)
					return
				}
			}
			l.read(c)
		})
	}
	return nil
}

// failed is why a client could not begin, if one could not.
func (l *load) failed() error {
	if err := l.broken.Load(); err != nil {
		return *err
	}
	return nil
}

func (l *load) read(c net.Conn) {
	buf := make([]byte, 8<<10)
	for {
		n, err := c.Read(buf)
		l.received.Add(uint64(n))
		if err != nil {
			return
		}
	}
}

// send sends to one client after the other, so that each has a phase of its own.
func (l *load) send(ctx context.Context) {
	ticker := time.NewTicker(sendPeriod)
	defer ticker.Stop()
	due, next := 0.0, 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for due += l.perSend; due >= 1; due-- {
			if _, err := l.conns[next].Write(l.packet); err != nil && !errors.Is(err, net.ErrClosed) {
				return
			}
			next = (next + 1) % len(l.conns)
		}
	}
}

func (l *load) close() {
	l.stop()
	for _, c := range l.conns {
		c.Close()
	}
	l.wg.Wait()
}
