package worker

import (
	"context"

	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/link"
	"muster/cmd/internal/worldset"
	"muster/loaders/registry"
	"muster/net/ops/admin"
	"muster/net/ops/page"
	"muster/sched/tickstats"
)

// show has operators see the worlds that run.
func (w *shardWorker) show() {
	var made []madeWorld
	for _, s := range w.running {
		if s.set != nil && !s.over {
			made = append(made, s.madeWorld)
		}
	}
	w.mu.Lock()
	w.made = made
	w.mu.Unlock()
}

// newAdmin makes what answers operators over HTTP, about the worlds that run when they ask, and on the live page those of other workers.
func (w *shardWorker) newAdmin(r *registry.Registry) (*admin.Server, error) {
	token, err := w.config.Token()
	if err != nil {
		return nil, err
	}
	live := w.base.Page
	live.Running, live.Cluster, live.Token, live.Log = w.pages, &clusterview.View{Registry: r, Realm: w.config.RealmName}, token, w.base.Log
	return admin.New(admin.Config{
		Parts:   page.New(live).Parts(),
		Address: w.config.Admin.AddrPort, Token: token,
		Alive:  func() error { return w.each((*worldset.Set).Alive) },
		Checks: w.checks(),
		Realm:  w.config.RealmName, Role: "worker", Pacer: w.base.Pacer, Flight: w.base.Bundle, BusLost: w.bus.Dropped,
		Worlds: func() (stats []*tickstats.Stats) {
			for _, set := range w.worlds() {
				stats = append(stats, set.TickStats...)
			}
			return stats
		},
		PlanOf: func() string {
			for _, set := range w.worlds() {
				return set.Plan // all have the same
			}
			return ""
		},
		Compat: w.config.CompatTC9Metrics, Metric: w.base.Metric, Log: w.base.Log,
	})
}

// checks are what this worker needs for the worlds that it is given.
func (w *shardWorker) checks() []admin.Check {
	return []admin.Check{
		{Name: "bus", Test: func(context.Context) error { return link.CheckAway(w.bus) }},
		{Name: "registry", Test: func(context.Context) error { return w.away.Check() }},
	}
}

// worlds are those that this worker has: not those that it follows.
func (w *shardWorker) worlds() (sets []*worldset.Set) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.made {
		if m.replica == nil || m.replica.Has() {
			sets = append(sets, m.set)
		}
	}
	return sets
}

// pages are the worlds that this worker has, as the live page shows them.
func (w *shardWorker) pages() (all []page.World) {
	for _, set := range w.worlds() {
		all = append(all, set.Page.Worlds...)
	}
	return all
}

// each is the first error of the worlds that run.
func (w *shardWorker) each(f func(*worldset.Set) error) error {
	for _, set := range w.worlds() {
		if err := f(set); err != nil {
			return err
		}
	}
	return nil
}
