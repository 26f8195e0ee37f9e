package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"muster/internal/refuse"
	"muster/net/login/account"
)

// Server serves logins. Its methods may be called from any goroutine.
type Server struct {
	config   Config // its open accounts are those of the start
	open     atomic.Pointer[openAccounts]
	store    Store
	acceptor acceptor
	answers  answerClock
	refusals *refuse.Log
	received atomic.Uint64 // connections
	made     atomic.Int64  // accounts
}

// New makes a server that looks accounts up in a store. The error names what is wrong with the config.
func New(config Config, accounts Store) (*Server, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	config.Metric.Declare(counted()...)
	if config.Guard == nil {
		config.Guard = account.NewGuard(account.GuardConfig{
			Loopback: config.LimitLoopback, Secret: config.Secret, Metric: config.Metric, Log: config.Log,
		}, accounts)
	}
	s := &Server{
		config:   config,
		store:    accounts,
		acceptor: acceptor{limit: config.MaxConns, perAddress: config.PerAddress, loopback: config.LimitLoopback},
		answers:  newAnswerClock(),
		refusals: refuse.New(config.Log, Reasons()),
	}
	s.SetOpen(config.OpenPassword, config.OpenLevel)
	return s, nil
}

// openAccounts is OpenPassword and OpenLevel of a Config.
type openAccounts struct {
	password string
	level    uint8
}

// SetOpen changes OpenPassword and OpenLevel, for logins that begin from now on.
func (s *Server) SetOpen(password string, level uint8) { s.open.Store(&openAccounts{password, level}) }

// Serve accepts connections until ctx ends. It then closes the listener and every connection, waits for their
// goroutines, of which each connection has one, and returns nil. It retries after a while on any error of the listener;
// only a listener that was closed elsewhere ends Serve, with net.ErrClosed.
//
// Several listeners may be served at a time; the limits are for all together.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer s.refusals.Flush()
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		<-ctx.Done()
		l.Close()
	})
	for wait := time.Duration(0); ; {
		conn, err := l.Accept()
		switch {
		case err == nil:
			wait = 0
			s.receive(ctx, conn, &running)
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("login: serve: %w", err)
		default:
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			s.config.Metric.Count(string(acceptFailed))
			if line, ok := s.refusals.Admit(string(acceptFailed)); ok {
				line.Write("login: cannot accept", slog.Any("err", err), slog.Duration("again_in", wait))
			}
			pause(ctx, wait)
		}
	}
}

// pause waits, but not beyond the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}

// receive serves a connection on its own goroutine, or closes it at once.
func (s *Server) receive(ctx context.Context, conn net.Conn, running *sync.WaitGroup) {
	talk := &conversation{server: s, id: s.received.Add(1), from: addressOf(conn)}
	place := account.Place(talk.from)
	if err := s.acceptor.enter(place); err != nil {
		talk.end(err)
		conn.Close()
		return
	}
	running.Go(func() {
		defer s.acceptor.leave(place)
		defer conn.Close()
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		defer stop()
		if err := s.converse(ctx, conn, talk); ctx.Err() == nil {
			talk.end(err)
		}
	})
}

// addressOf is where a peer is; it is invalid for a connection that is not TCP.
func addressOf(conn net.Conn) netip.Addr {
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr()
	}
	return netip.Addr{}
}

// converse serves one client until it leaves or is refused.
func (s *Server) converse(ctx context.Context, conn net.Conn, talk *conversation) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.config.Log.Error("login: panic", "value", p, "stack", string(debug.Stack()))
			err = panicked
		}
	}()
	opened := time.Now()
	conn.SetReadDeadline(s.deadline(talk.state, opened))
	var buf [maxRequest]byte
	for have := 0; ; {
		n, reply, refusal := talk.take(ctx, buf[:have])
		if len(reply) > 0 {
			conn.SetWriteDeadline(time.Now().Add(s.config.Packet))
			if _, err := conn.Write(reply); err != nil {
				return peerError(talk.state, err)
			}
		}
		if refusal != nil {
			return refusal
		}
		if n > 0 {
			have = copy(buf[:], buf[n:have])
			conn.SetReadDeadline(s.deadline(talk.state, opened))
			continue
		}
		n, err := conn.Read(buf[have:])
		if err != nil {
			return peerError(talk.state, err)
		}
		have += n
	}
}

// deadline is when the next packet must be complete. It does not move while bytes trickle in.
func (s *Server) deadline(now state, opened time.Time) time.Time {
	if now == authenticated {
		return time.Now().Add(s.config.Idle)
	}
	packet, handshake := time.Now().Add(s.config.Packet), opened.Add(s.config.Handshake)
	if handshake.Before(packet) {
		return handshake
	}
	return packet
}

// peerError makes a reason of a missed deadline; a peer that leaves is no refusal.
func peerError(now state, err error) error {
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case now == authenticated:
		return idle
	}
	return timedOut
}
