// Package swarm is many 3.3.5a clients in one process: they log in over TCP, walk, and measure what they are sent.
//
// It works against any server of that build. One goroutine drives all clients through epoll; nothing is allocated per
// packet. Every send has a moment at which it is due, fixed beforehand, and latencies are measured from that moment and
// not from the write: a swarm or a server that falls behind shows it (no coordinated omission).
package swarm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"time"
)

// ErrConfig is wrapped by what Run returns if it could not begin.
var ErrConfig = errors.New("swarm: bad config")

// Config is the accounts, the server, and what clients do then.
type Config struct {
	Auth      string        // host:port of the login server; default 127.0.0.1:3724
	Prefix    string        // accounts are Prefix1 … PrefixN; default SWARM
	Password  string        // of all of them
	Clients   int           // default 1
	Behaviour Behaviour     // default Walk
	Ramp      float64       // logins begun per second; default 200
	Duration  time.Duration // of the measured time, after the ramp; default 30s
	Seed      uint64        // of the walks
	Login     time.Duration // a login that takes longer has failed; default 30s
	SLO       []Objective   // what the report must meet
	Fresh     bool          // each client makes a new character: see chooseFresh
	Progress  io.Writer     // a progress bar is drawn here; nil: none
	PIDs      []int         // the server's processes, whose processor time and memory are watched; default none
	Strict    bool          // what would be a note is a violation

	// Alone says that the process does little else. The swarm then waits for its sockets in system calls of which the Go
	// scheduler does not know, and keeps a processor of GOMAXPROCS for itself: else what watches for long system calls
	// takes a twentieth of a core.
	Alone bool

	// SampleAbove is how many relays per second are decoded before only a sample of the clients is verified, as the
	// report then says; default 5 million.
	SampleAbove float64

	// Enough, if set, is asked once a second of the measured time of Grind; it ends when that says so.
	Enough func(*Harvest) bool

	// Longer, if set, is asked when Duration is over, and ten times a second after that, with how many relays were timed (Report.Movement, but for
	// those that are outstanding): the measured time goes on while it says so.
	Longer func(relays int64) bool
}

// maxAccount is the longest account name, in bytes, that servers accept. Source: protocol.md 1.1.
const maxAccount = 16

// perSource is how many clients share one source address on loopback. The default range of ephemeral ports holds
// 28,232, but the kernel looks for long for a free one among many that are not, and those of closed connections are not
// free for a minute.
const perSource = 5000

func (c Config) withDefaults() Config {
	c.Auth = cmp.Or(c.Auth, "127.0.0.1:3724")
	c.Prefix = strings.ToUpper(cmp.Or(c.Prefix, "SWARM"))
	c.Clients = cmp.Or(c.Clients, 1)
	c.Behaviour = cmp.Or(c.Behaviour, Walk)
	c.Ramp = cmp.Or(c.Ramp, 200)
	c.SampleAbove = cmp.Or(c.SampleAbove, sampleAbove)
	c.Duration = cmp.Or(c.Duration, 30*time.Second)
	c.Login = cmp.Or(c.Login, 30*time.Second)
	return c
}

// Check is the error that Run would return for this Config, wrapping ErrConfig, as far as that can be said beforehand.
func (c Config) Check() error { return c.withDefaults().check() }

func (c Config) check() error {
	longest := fmt.Sprintf("%s%d", c.Prefix, c.Clients)
	switch {
	case c.Clients < 0:
		return fmt.Errorf("%w: %d clients", ErrConfig, c.Clients)
	case !(c.Ramp > 0):
		return fmt.Errorf("%w: a ramp of %v logins per second", ErrConfig, c.Ramp)
	case c.Duration < 0 || c.Login < 0:
		return fmt.Errorf("%w: a negative duration", ErrConfig)
	case len(longest) > maxAccount:
		return fmt.Errorf("%w: account name %s is longer than %d bytes", ErrConfig, longest, maxAccount)
	}
	if err := new(Behaviour).UnmarshalText([]byte(c.Behaviour)); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// Run logs the clients in, lets them live for the measured time, closes their sockets and reports.
//
// The report is good unless the error wraps ErrConfig or is a system error of the poller. The error is the report's Err
// joined with the context's, if that ended the run early.
func Run(ctx context.Context, config Config) (Report, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return Report{}, err
	}
	auth, err := resolve(ctx, config.Auth)
	if err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	r, err := newRun(config, auth)
	if err != nil {
		return Report{}, err
	}
	defer r.close()
	loopErr := r.loop(ctx)
	report := r.finish()
	return report, errors.Join(loopErr, report.Err())
}

// resolve turns host:port into an address, looking the host up if it is a name.
func resolve(ctx context.Context, hostPort string) (netip.AddrPort, error) {
	if a, err := netip.ParseAddrPort(hostPort); err == nil {
		return a, nil
	}
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return netip.AddrPort{}, err
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	if err != nil {
		return netip.AddrPort{}, err
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.AddrPort{}, err
	}
	for _, a := range found {
		if a.Unmap().Is4() {
			return netip.AddrPortFrom(a.Unmap(), uint16(number)), nil
		}
	}
	return netip.AddrPortFrom(found[0], uint16(number)), nil
}
