// Package natsbus is a remote.Bus over NATS.
package natsbus

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// Bounds of a connection, our own choices.
const (
	reconnectWait = 100 * time.Millisecond // between two tries
	pingInterval  = 2 * time.Second        // after two without an answer the server is tried anew
	writeTime     = 2 * time.Second        // for what is published to be taken by the kernel
	closeTime     = time.Second            // for what has been published to arrive, at the end
	// What waits to be taken from a subscription: more is lost, and asked for again.
	pendingMessages = 64 << 10
	pendingBytes    = 64 << 20
)

// A Bus is a connection to NATS. It is made again whenever it breaks: what is published meanwhile is lost.
type Bus struct{ conn *nats.Conn }

// Connect connects to the servers of a URL, of which there may be several with commas between them. The name is what they
// call the connection. It fails if none of them can be reached.
func Connect(url, name string, log *slog.Logger) (*Bus, error) {
	conn, err := nats.Connect(url,
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectBufSize(-1), nats.PingInterval(pingInterval), nats.FlusherTimeout(writeTime),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("the bus is gone", "err", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { log.Info("the bus is back", "at", c.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			subject := ""
			if s != nil {
				subject = s.Subject
			}
			log.Warn("the bus has lost messages", "subject", subject, "err", err)
		}))
	if err != nil {
		return nil, err
	}
	return &Bus{conn}, nil
}

// Publish implements remote.Bus.
func (b *Bus) Publish(subject string, message []byte) error { return b.conn.Publish(subject, message) }

// Subscribe implements remote.Bus.
func (b *Bus) Subscribe(subject string, take func(message []byte)) (stop func(), err error) {
	s, err := b.conn.Subscribe(subject, func(m *nats.Msg) { take(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, err)
	}
	if err := s.SetPendingLimits(pendingMessages, pendingBytes); err != nil {
		return nil, err
	}
	return func() { s.Unsubscribe() }, nil
}

// ErrDisconnected is returned while there is no connection.
var ErrDisconnected = errors.New("natsbus: not connected")

// Connected returns ErrDisconnected while there is no connection.
func (b *Bus) Connected() error {
	if !b.conn.IsConnected() {
		return ErrDisconnected
	}
	return nil
}

// Close sends what has been published, and ends the connection.
func (b *Bus) Close() {
	b.conn.FlushTimeout(closeTime) // what is not sent is not missed: the other end sees the silence
	b.conn.Close()
}
