// Package natsbus is a remote.Bus over NATS.
package natsbus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// Bounds of a connection, our own choices.
const (
	reconnectWait = 100 * time.Millisecond // between two tries
	pingInterval  = 2 * time.Second        // after two without an answer the server is tried anew
	closeTime     = time.Second            // for what has been published to arrive, at the end
	// What waits to be taken from a subscription: more is lost, and asked for again.
	pendingMessages = 64 << 10
	pendingBytes    = 64 << 20
)

// A Config says how NATS is reached.
type Config struct {
	URL  string // of the servers, with commas between them
	Name string // what the servers call the connection
	// Role has replies in subjects that others cannot read; default: in those that NATS has for all. A Worker does not get what it publishes itself.
	Role Role

	// Credentials is a file with the seed of an nkey, as muster cluster credentials makes them, or with a JWT and a seed, as nsc does. "" is none.
	Credentials string
	CA          string // file of the certificates that the servers' are signed by; "" is those of the system
	Cert, Key   string // files of the certificate that is shown to servers, and its key; "" is none

	Log *slog.Logger // default slog.Default()
}

// A Bus is a connection to NATS. It is made again whenever it breaks: what is published meanwhile is lost.
type Bus struct {
	conn *nats.Conn
	lost atomic.Pointer[time.Time] // when the connection broke; nil while there is one

	mu      sync.Mutex
	subs    map[*nats.Subscription]bool // those of Share that have not ended
	dropped uint64                      // of those that have
}

// Connect connects to servers. It fails if none of them can be reached, or none takes the credentials.
func Connect(c Config) (*Bus, error) {
	log := cmp.Or(c.Log, slog.Default())
	var refused atomic.Uint64
	b := &Bus{subs: make(map[*nats.Subscription]bool)}
	options := []nats.Option{
		nats.Name(c.Name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectBufSize(-1), nats.PingInterval(pingInterval), nats.FlusherTimeout(0), // a conn has deadlines of its own
		nats.SetCustomDialer(&dialer{net.Dialer{Timeout: nats.DefaultTimeout}}), nats.SkipHostLookup(), // the dialer does it, and divides its time by the addresses of a name
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			b.lost.CompareAndSwap(nil, new(time.Now()))
			if err != nil {
				log.Warn("the bus is gone", "err", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			b.lost.Store(nil)
			log.Info("the bus is back", "at", c.ConnectedUrlRedacted())
		}),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // one for each message: the log has the 1st, 2nd, 4th …
				if n := refused.Add(1); n&(n-1) == 0 {
					log.Error("the bus refuses a subject to these credentials", "err", err, "times", n)
				}
				return
			}
			subject := ""
			if s != nil {
				subject = s.Subject
			}
			log.Warn("the bus has lost messages", "subject", subject, "err", err)
		}),
	}
	if c.Role == Worker {
		options = append(options, nats.NoEcho()) // its heartbeats, ten in a second, would wake it
	}
	proof, err := c.proof()
	if err != nil {
		return nil, err
	}
	if b.conn, err = nats.Connect(c.URL, append(options, proof...)...); err != nil {
		return nil, err
	}
	return b, nil
}

// beginJWT is in a file that has more than a seed.
const beginJWT = "BEGIN NATS USER JWT"

// proof are the options that say which process connects, and which server may answer.
func (c *Config) proof() (options []nats.Option, err error) {
	if c.Role != "" {
		options = append(options, nats.CustomInboxPrefix(c.Role.inbox()))
	}
	if c.Credentials != "" {
		text, err := os.ReadFile(c.Credentials)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(text, []byte(beginJWT)) {
			options = append(options, nats.UserCredentials(c.Credentials))
		} else {
			seed, err := nats.NkeyOptionFromSeed(c.Credentials)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Credentials, err)
			}
			options = append(options, seed)
		}
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	if c.Cert != "" {
		options = append(options, nats.ClientCert(c.Cert, c.Key))
	}
	return options, nil
}

// Publish implements remote.Bus.
func (b *Bus) Publish(subject string, message []byte) error { return b.conn.Publish(subject, message) }

// Subscribe implements remote.Bus.
func (b *Bus) Subscribe(subject string, take func(message []byte)) (stop func(), err error) {
	return b.Share(subject, "", take)
}

// Share is Subscribe for one of several in a group: each message is given to one of them.
func (b *Bus) Share(subject, group string, take func(message []byte)) (stop func(), err error) {
	s, err := b.conn.QueueSubscribe(subject, group, func(m *nats.Msg) { take(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, err)
	}
	if err := s.SetPendingLimits(pendingMessages, pendingBytes); err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.subs[s] = true
	b.mu.Unlock()
	return func() { b.unsubscribe(s) }, nil
}

// unsubscribe ends a subscription, of which it notes what it has lost.
func (b *Bus) unsubscribe(s *nats.Subscription) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs[s] {
		delete(b.subs, s)
		b.dropped += dropped(s)
	}
	s.Unsubscribe()
}

// Dropped is how many messages this process has lost that NATS had delivered, as more than pendingMessages or pendingBytes waited to be taken from a subscription.
func (b *Bus) Dropped() (n uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = b.dropped
	for s := range b.subs {
		n += dropped(s)
	}
	return n
}

// dropped is what a subscription has lost; 0 once the connection is closed.
func dropped(s *nats.Subscription) uint64 {
	n, err := s.Dropped()
	if err != nil {
		return 0
	}
	return uint64(n)
}

// Flush returns when the server has read what has been published and subscribed to, and has said which of it it refuses.
func (b *Bus) Flush() error { return b.conn.FlushTimeout(writeTime) }

// LastError is the latest error of the connection, among them what the server refused: nats.ErrPermissionViolation. nil is none.
func (b *Bus) LastError() error { return b.conn.LastError() }

// Away is for how long there has been no connection, 0 while there is one.
func (b *Bus) Away() time.Duration {
	if lost := b.lost.Load(); lost != nil {
		return time.Since(*lost)
	}
	return 0
}

// Close sends what has been published, and ends the connection.
func (b *Bus) Close() {
	b.conn.FlushTimeout(closeTime) // what is not sent is not missed: the other end sees the silence
	b.conn.Close()
}
