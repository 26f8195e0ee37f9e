package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// acceptGoroutines is how many goroutines accept connections. Each passes one at a time to its event loop, which
// may be held until the next drain point; together they accept some thousands a second.
const acceptGoroutines = 32

// spareDescriptors are kept for all that is not a connection: event loops, files, other listeners, and the
// connections that are being accepted, which take two for a moment.
const spareDescriptors = 2*acceptGoroutines + 64

// maxSockets is how many connections the process has descriptors for.
func maxSockets() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		limit.Cur = 1024
	}
	return max(1, int(min(limit.Cur, 1<<30))-spareDescriptors)
}

// An acceptor counts the connections, in all and by address. The gateway accepts them itself: to an
// engine of gnet an accept that fails is the end, and it can close an excess connection only after
// accepting it.
type acceptor struct {
	config   *Config
	listener net.Listener // of TCP

	mu      sync.Mutex
	inside  int
	from    map[netip.Addr]int
	emptied chan struct{} // closed when there is no connection; nil if nothing waits for it
}

func (d *acceptor) init(config *Config) {
	d.config = config
	d.from = make(map[netip.Addr]int)
}

func (d *acceptor) open() error {
	if d.listener != nil {
		return nil
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(d.config.Listen))
	d.listener = l
	return err
}

func (d *acceptor) close() { d.listener.Close() }

func (d *acceptor) addr() netip.AddrPort { return d.listener.Addr().(*net.TCPAddr).AddrPort() }

// enter counts a new connection, or returns why it is refused.
func (d *acceptor) enter(from netip.Addr) (reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.inside >= d.config.MaxConnections:
		return Full
	case d.from[from] >= d.config.MaxPerAddress && (d.config.LimitLoopback || !from.IsLoopback()):
		return AddressFull
	}
	d.inside++
	d.from[from]++
	return ""
}

// leave counts a connection out.
func (d *acceptor) leave(from netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if d.from[from]--; d.from[from] == 0 {
		delete(d.from, from)
	}
	if d.inside == 0 && d.emptied != nil {
		close(d.emptied)
		d.emptied = nil
	}
}

// whenEmpty is closed when there is no connection.
func (d *acceptor) whenEmpty() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := make(chan struct{})
	if d.inside == 0 {
		close(c)
	} else {
		d.emptied = c
	}
	return c
}

// sendBuffer is what the kernel is asked to buffer for a client that does not read, in bytes; it doubles that for its
// own needs. Without it, it buffers up to 4 MB over loopback, and until then no client counts as slow.
//
// Source: tcp_wmem and SO_SNDBUF, tcp(7) and socket(7).
const sendBuffer = 256 << 10

// admit accepts connections until the listener closes.
func (g *Gate) admit() {
	for {
		accepted, err := g.acceptor.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // no descriptor, no memory: others may give some back
			g.config.Metric.Count(AcceptError)
			if line, ok := g.refusals.Admit(AcceptError); ok {
				line.Write("gateway: cannot accept", slog.Any("err", err))
			}
			pause(g.ctx, 50*time.Millisecond)
			continue
		}
		socket := accepted.(*net.TCPConn)
		from := socket.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap()
		if reason := g.acceptor.enter(from); reason != "" {
			g.refuse(from, closedFor(reason))
			socket.Close()
			continue
		}
		socket.SetWriteBuffer(sendBuffer) // gnet goes on with the same socket; what fails here fails there
		c := g.newConn(from)
		// From here on the connection is gnet's, which gives it to events.OnOpen before this returns.
		if _, err := g.engine.EnrollContext(socket, c); err != nil || c.loop == nil {
			g.refuse(from, AcceptError)
			g.acceptor.leave(from)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
