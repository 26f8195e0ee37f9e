package realm

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/terminal"
	"muster/net/ops/admin"
	"muster/net/ops/console"
)

// A server has the sockets, and the realm behind them: one after another, if the world is reset.
type server struct {
	logins, players, operators *net.TCPListener  // without logins, if muster login has them
	console                    *net.UnixListener // nil if nothing listens for muster ctl
	present                    atomic.Pointer[Realm]
}

// An Open is where a server listens.
type Open struct{ Logins, World, Admin netip.AddrPort }

// LoginsText is where logins are served, "none" if they are not.
func (o *Open) LoginsText() string {
	if !o.Logins.IsValid() {
		return "none"
	}
	return o.Logins.String()
}

// Serve runs the realm until ctx ends, then takes the players out and returns nil. It calls opened once all ports and the socket
// accept, and ends with its error if there is one.
func (r *Realm) Serve(ctx context.Context, opened func(Open) error) (err error) {
	s := new(server)
	ctx, end := context.WithCancel(ctx)
	defer end()
	r.end = end
	s.present.Store(r)
	if err := s.listen(r); err != nil {
		return err
	}
	defer s.close()
	var operators sync.WaitGroup
	defer operators.Wait()
	defer end()
	var failure error
	operators.Go(func() {
		if failure = admin.Serve(ctx, s.operators, s, r.Log); failure != nil {
			end()
		}
	})
	if r.config.Console || terminal.Is(os.Stdin) {
		go console.ReadFor(ctx, os.Stdin, os.Stdout, func() *console.Console { return s.present.Load().Console })
	}
	at := Open{World: membership.AddrPort(s.players), Admin: membership.AddrPort(s.operators)}
	if s.logins != nil {
		at.Logins = membership.AddrPort(s.logins)
	}
	hangups := r.config.hangups
	begun := func() error {
		operators.Go(func() { s.reloadAt(ctx, hangups) }) // also at one that came while it began
		return opened(at)
	}
	for {
		next, err := r.run(ctx, s, begun)
		if err != nil || next == nil {
			end()
			operators.Wait()
			if err == nil {
				err = failure
			}
			return err
		}
		next.realm.end = end
		next.realm.code.Store(r.code.Load()) // if it was told to end meanwhile
		next.realm.Console.Continue(r.Console)
		r, begun = next.realm, next.begun
	}
}

// reloadAt reads the settings again at each signal, until ctx ends.
func (s *server) reloadAt(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
			r := s.present.Load()
			if _, err := r.reload(); err != nil {
				r.Log.Error("settings are not read again", "err", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// listen opens the sockets.
func (s *server) listen(r *Realm) (err error) {
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	for _, p := range []struct {
		name string
		at   netip.AddrPort
		to   **net.TCPListener
	}{{"players", r.config.World.AddrPort, &s.players}, {"logins", r.config.Auth.AddrPort, &s.logins}, {"admin", r.config.Admin.AddrPort, &s.operators}} {
		if p.to == &s.logins && r.config.NoLogins {
			continue
		}
		if *p.to, err = net.ListenTCP("tcp", net.TCPAddrFromAddrPort(p.at)); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	s.console = r.openSocket()
	return nil
}

// close closes the sockets.
func (s *server) close() {
	for _, l := range []*net.TCPListener{s.players, s.logins, s.operators} {
		if l != nil {
			l.Close()
		}
	}
	if s.console != nil {
		s.console.Close()
	}
}

// ServeHTTP has the present realm answer. What it is still answering when it ends is cancelled.
func (s *server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r := s.present.Load()
	r.answering.RLock()
	answers, ended := r.answers, r.ended
	r.answering.RUnlock()
	if answers == nil && (q.URL.Path == "/livez" || q.URL.Path == "/healthz") {
		fmt.Fprintln(w, "ok") // another start would not help: a gateway waits for its workers as long as it takes
		return
	}
	if answers == nil || ended.Err() != nil {
		http.Error(w, "the server begins, or ends", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(q.Context())
	defer cancel()
	defer context.AfterFunc(ended, cancel)()
	answers.ServeHTTP(w, q.WithContext(ctx))
}

// A successor is the realm that takes the place of another.
type successor struct {
	realm *Realm
	begun func() error // is called when it accepts connections
}

// resetTime bounds the end of a realm whose players are not saved.
const resetTime = 10 * time.Second
