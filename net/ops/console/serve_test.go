package console

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
)

// A lateListener accepts a connection at the moment at which it is to be closed, and is slow to close.
type lateListener struct {
	net.Listener
	conn    net.Conn
	end     context.CancelFunc
	closing chan struct{}
}

func (l *lateListener) Accept() (net.Conn, error) {
	l.end()
	return l.conn, nil
}

func (l *lateListener) Close() error {
	<-l.closing
	return nil
}

// A lateConn notes that it is closed.
type lateConn struct {
	net.Conn
	closed bool
}

func (c *lateConn) Close() error {
	c.closed = true
	return nil
}

// When Serve returns it has closed the listener, whose socket another console may have from then on, and a connection that
// came too late to be answered.
func TestServeClosesBeforeItReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := new(lateConn)
		ctx, end := context.WithCancel(t.Context())
		l := &lateListener{conn: conn, end: end, closing: make(chan struct{})}
		ended := make(chan error, 1)
		c, _ := newConsole()
		go func() { ended <- c.Serve(ctx, l, slog.New(slog.DiscardHandler)) }()
		synctest.Wait()
		if len(ended) > 0 {
			t.Error("it has returned before the listener is closed")
		}
		close(l.closing)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if !conn.closed {
			t.Error("the connection that came late is open")
		}
	})
}
