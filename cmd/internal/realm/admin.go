package realm

import (
	"context"
	"errors"

	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/link"
	"muster/loaders/store/journal"
	"muster/net/gateway"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/control"
	"muster/net/ops/page"
)

// newAdmin makes what answers operators over HTTP.
func (r *Realm) newAdmin() (*admin.Server, error) {
	token, err := r.config.Token()
	if err != nil {
		return nil, err
	}
	if r.config.Bus != "" && r.config.member != nil {
		r.Page.Cluster, r.Page.Token = &clusterview.View{Registry: r.config.member.Registry, Realm: r.config.RealmName}, token
	}
	r.Page.Log = r.Log
	r.Page.Running = func() []page.World { return r.shown.after(r.Page.Worlds) }
	var lost func() uint64
	if r.links.bus != nil {
		lost = r.links.bus.Dropped
	}
	return admin.New(admin.Config{
		Address: r.config.Admin.AddrPort, Token: token,
		Alive:  r.Alive,
		Checks: r.checks(),
		Stats:  r.stats,
		Parts:  r.parts(),
		Realm:  r.config.RealmName, Role: r.config.role(), TickStats: r.Console.TickStats, Pacer: r.Pacer, Gate: r.gate, Traces: r.gate, Journal: r.journal,
		Plan: r.Plan, Flight: r.Bundle, BusLost: lost,
		Compat: r.config.CompatTC9Metrics,
		Metric: r.Metric, Log: r.Log,
	})
}

// parts are the paths of others.
func (r *Realm) parts() []admin.Part {
	parts := append(page.New(r.Page).Parts(), r.resets()...)
	config := control.Config{
		Console: r.Console, Accounts: &account.Accounts{Store: r.store}, Gate: r.wide(), Store: r.own(), ClockDriver: r.ClockDriver,
		Zone: func(id uint32, x, y float32) uint32 { return r.Defs.Map(id).Zone(x, y) },
		Now:  r.Clock.Now, Happenings: r.happenings, Metric: r.Metric,
	}
	for _, w := range r.Page.Worlds {
		config.Worlds = append(config.Worlds, control.World{Map: w.Map.ID, Inspector: w.Inspector})
	}
	return append(parts, control.New(config).Parts(ListedOperations()...)...)
}

// journal is the state of the journal.
func (r *Realm) journal() admin.Journal {
	j, ok := r.store.(*journal.Journal)
	if !ok {
		return admin.Journal{}
	}
	s := j.Stats()
	return admin.Journal{Pending: s.Pending, Bytes: s.Bytes, Lag: s.Lag, Degraded: s.Degraded, SaveTime: j.SaveTime()}
}

// checks are what must be well before players can be let in.
func (r *Realm) checks() []admin.Check {
	all := []admin.Check{
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
	if bus := r.links.bus; bus != nil {
		all = append(all, admin.Check{Name: "bus", Test: func(context.Context) error { return link.CheckAway(bus) }})
	}
	return all
}

// role is what the metrics call the process.
func (v *Config) role() string {
	if v.Bus != "" {
		return "gateway"
	}
	return "serve"
}

// stats is the statistics for operators.
func (r *Realm) stats() any {
	counters := make(map[string]uint64)
	r.Metric.Each(func(name string, n uint64) { counters[name] = n })
	var kept *journal.Stats
	if j, ok := r.store.(*journal.Journal); ok {
		kept = new(j.Stats())
	}
	return struct {
		Gate     gateway.Stats     `json:"gate"`
		Journal  *journal.Stats    `json:"journal,omitempty"`
		Counters map[string]uint64 `json:"counters"` // by reason
	}{r.gate.Stats(), kept, counters}
}
