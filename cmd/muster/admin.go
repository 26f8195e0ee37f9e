package main

import (
	"context"
	"errors"

	"muster/loaders/store/journal"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/control"
	"muster/net/ops/page"
)

// newAdmin makes what answers operators over HTTP.
func (r *realm) newAdmin() (*admin.Server, error) {
	token, err := r.config.Token()
	if err != nil {
		return nil, err
	}
	return admin.New(admin.Config{
		Address: r.config.Admin.AddrPort, Token: token,
		Alive:  r.Alive,
		Checks: r.checks(),
		Stats:  r.stats,
		Parts:  r.parts(),
		Realm:  r.config.RealmName, Role: r.config.role(), TickStats: r.console.TickStats, Pacer: r.Pacer, Gate: r.gate, Traces: r.gate, Journal: r.journal,
		Plan: r.Plan, Flight: r.Bundle,
		Compat: r.config.CompatTC9Metrics,
		Metric: r.Metric, Log: r.Log,
	})
}

// parts are the paths of others.
func (r *realm) parts() []admin.Part {
	parts := append(page.New(r.Page).Parts(), r.resets()...)
	config := control.Config{
		Console: r.console, Accounts: &account.Accounts{Store: r.store}, Gate: r.wide(), Store: r.own(), ClockDriver: r.ClockDriver,
		Zone: func(id uint32, x, y float32) uint32 { return r.Defs.Map(id).Zone(x, y) },
		Now:  r.Clock.Now, Happenings: r.happenings, Metric: r.Metric,
	}
	for _, w := range r.Page.Worlds {
		config.Worlds = append(config.Worlds, control.World{Map: w.Map.ID, Inspector: w.Inspector})
	}
	return append(parts, control.New(config).Parts(listedOperations()...)...)
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
			return r.GivenUp()
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
