package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"muster/loaders/store/journal"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/control"
	"muster/net/ops/page"
)

// An adminToken is what operators name over HTTP.
type adminToken struct {
	AdminToken     string `placeholder:"TOKEN" help:"A token of 16 bytes or more that operators must name, as they must on another address than loopback. Others on this machine see it: better in the environment, or in a file."`
	AdminTokenFile string `placeholder:"FILE" help:"Take it from the first line of a file."`
}

// An adminFlags is the settings of the HTTP server for operators.
type adminFlags struct {
	adminToken

	CompatTC9Metrics bool `name:"compat-tc9-metrics" help:"Export the six gauges of ToCloud9 as well, for dashboards that need them."`
}

// token is what operators are asked for, "" for nothing.
func (f *adminToken) token() (string, error) {
	if f.AdminTokenFile == "" {
		return f.AdminToken, nil
	}
	text, err := os.ReadFile(f.AdminTokenFile)
	if err != nil {
		return "", fmt.Errorf("--admin-token-file: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("--admin-token-file: the first line of %s is empty", f.AdminTokenFile)
	}
	return line, nil
}

// check refuses what cannot be meant. The file is read when it is used.
func (f *adminFlags) check(loopback bool) error {
	switch {
	case f.AdminToken != "" && f.AdminTokenFile != "":
		return errors.New("--admin-token and --admin-token-file name a token each: give one of them")
	case f.AdminToken != "" && len(f.AdminToken) < admin.MinToken:
		return fmt.Errorf("--admin-token has at least %d bytes, not %d", admin.MinToken, len(f.AdminToken))
	case !loopback && f.AdminToken == "" && f.AdminTokenFile == "":
		return errors.New("--admin on another address than loopback needs --admin-token or --admin-token-file")
	}
	return nil
}

// newAdmin makes what answers operators over HTTP.
func (r *realm) newAdmin() (*admin.Server, error) {
	token, err := r.config.token()
	if err != nil {
		return nil, err
	}
	return admin.New(admin.Config{
		Address: r.config.Admin.AddrPort, Token: token,
		Alive:  r.alive,
		Checks: r.checks(),
		Stats:  r.stats,
		Parts:  r.parts(),
		Realm:  r.config.RealmName, Role: r.config.role(), TickStats: r.console.TickStats, Pacer: r.pacer, Gate: r.gate, Traces: r.gate, Journal: r.journal,
		Plan: r.plan, Flight: r.bundle,
		Compat: r.config.CompatTC9Metrics,
		Metric: r.metric, Log: r.log,
	})
}

// parts are the paths of others.
func (r *realm) parts() []admin.Part {
	parts := append(page.New(r.page).Parts(), r.resets()...)
	config := control.Config{
		Console: r.console, Accounts: &account.Accounts{Store: r.store}, Gate: r.wide(), Store: r.own(), ClockDriver: r.clockDriver,
		Zone: func(id uint32, x, y float32) uint32 { return r.defs.Map(id).Zone(x, y) },
		Now:  r.clock.Now, Happenings: r.happenings, Metric: r.metric,
	}
	for _, w := range r.page.Worlds {
		config.Worlds = append(config.Worlds, control.World{Map: w.Map.ID, Inspector: w.Inspector})
	}
	return append(parts, control.New(config).Parts(listedOperations()...)...)
}

// deadTick is how long a tick may take before the server is no longer alive.
const deadTick = 30 * time.Second

// alive is the error of a world that stands still, or is not stepped any more: only another start brings it back.
func (r *worldSet) alive() error {
	for _, p := range r.tickStats {
		if t, _ := p.Running(); t.For > deadTick {
			return fmt.Errorf("tick %d of map %d has been running for %v", t.N, p.Map, t.For)
		}
	}
	if len(r.tickStats) == 0 { // its worlds are of other processes
		return nil
	}
	return r.givenUp()
}

// givenUp is the error of a world that has panicked.
func (r *worldSet) givenUp() error {
	for _, p := range r.exchanges {
		if p.Stopped() {
			return errors.New("a map has been given up")
		}
	}
	return nil
}

// journal is the state of the journal.
func (r *realm) journal() admin.Journal {
	j, ok := r.store.(*journal.Journal)
	if !ok {
		return admin.Journal{}
	}
	s := j.Stats()
	return admin.Journal{Pending: s.Pending, Bytes: s.Bytes, Lag: s.Lag, Degraded: s.Degraded, SaveTime: j.SaveTime()}
}

// checks are what must be well before players can be let in.
func (r *realm) checks() []admin.Check {
	return []admin.Check{
		{Name: "store", Test: func(ctx context.Context) error {
			_, err := r.store.CountCharacters(ctx, 0)
			return err
		}},
		{Name: "journal", Test: func(context.Context) error {
			if j, ok := r.store.(*journal.Journal); ok && j.Degraded() {
				return errors.New("what is saved does not get to the disk")
			}
			return nil
		}},
		{Name: "worlds", Test: func(context.Context) error {
			if r.links.bus != nil {
				return r.links.lost()
			}
			return r.givenUp()
		}},
	}
}

// role is what the metrics call the process.
func (v *serveVerb) role() string {
	if v.Bus != "" {
		return "gateway"
	}
	return "serve"
}
