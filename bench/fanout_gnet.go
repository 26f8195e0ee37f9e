package bench

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/panjf2000/gnet/v2"
)

// ServeGnet is Serve by gnet, in the way that its users know: each connection is asked to write, from another goroutine
// than that of its event loop.
func (f Floor) ServeGnet(ctx context.Context, ready func(netip.AddrPort)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	crowd := new(gnetCrowd)
	engine, err := gnet.NewClient(crowd, gnet.WithNumEventLoop(1), gnet.WithTCPNoDelay(gnet.TCPNoDelay))
	if err == nil {
		err = engine.Start()
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var doorman sync.WaitGroup
	doorman.Go(func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = engine.Enroll(socket) // one that is refused is not sent to, and is missing in the count
		}
	})
	ready(listener.Addr().(*net.TCPAddr).AddrPort())
	packet := make([]byte, f.Bytes)
	for next := time.Now(); ctx.Err() == nil; {
		if all := crowd.all(); len(all) >= f.Clients {
			for _, c := range all {
				_ = c.AsyncWrite(packet, nil)
			}
		}
		next = next.Add(f.round())
		time.Sleep(time.Until(next))
	}
	err = errors.Join(listener.Close(), engine.Stop())
	doorman.Wait()
	return err
}

// A gnetCrowd is the connections of an event loop.
type gnetCrowd struct {
	gnet.BuiltinEventEngine
	mu    sync.Mutex
	conns []gnet.Conn
}

// OnOpen keeps a connection.
func (g *gnetCrowd) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conns = append(g.conns, c)
	return nil, gnet.None
}

func (g *gnetCrowd) all() []gnet.Conn {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.conns
}
