// Package orchestrator gives the worlds of a realm to its workers, as the registry has both. Of several orchestrators one leads at a time.
package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway/instances"
	"muster/net/ops/admin"
	"muster/net/ops/page"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// waitTime is for how long an orchestrator waits for more workers, from the first that it sees.
const waitTime = 5 * time.Second

// tryEvery is how often an orchestrator that does not lead tries to. A leader that ends is followed so soon.
const tryEvery = time.Second

// Run assigns worlds until ctx ends. What the workers that it starts, with these flags, log goes to stderr.
func Run(ctx context.Context, v *Config, workers []string, stderr io.Writer, log *slog.Logger) (err error) {
	began := time.Now()
	defer process.LogEnd(log, began, &err)
	r, err := storage.Await(ctx, log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: v.Database})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer r.Close()
	operators, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Admin.AddrPort))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	defer operators.Close()
	token, err := v.Token()
	if err != nil {
		return err
	}
	o := &orchestrator{config: v, log: log, wake: make(chan struct{}, 1)}
	counters := new(metric.Table)
	var bus *natsbus.Bus
	if v.Bus != "" {
		if bus, err = v.Access.Connect(v.Bus, "muster orchestrate", natsbus.Orchestrate, log); err != nil {
			return err
		}
		defer bus.Close()
		o.instances = instances.NewServer(instances.ServerConfig{
			Rules: v.InstanceBounds.Rules(), Registry: r, Bus: bus, Realm: v.RealmName, Subject: link.Subject(v.RealmName), Made: o.look, Metric: counters, Log: log,
		})
	}
	var lost func() uint64
	if bus != nil {
		lost = bus.Dropped
	}
	answers, err := admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Realm: v.RealmName, Role: "orchestrate", Metric: counters, Log: log, Assignment: o.assignment, BusLost: lost,
		Parts: page.New(page.Config{Cluster: &clusterview.View{Registry: r, Realm: v.RealmName}, Token: token, Metric: counters, Log: log}).Parts(),
		Checks: checks(bus, func(ctx context.Context) error {
			_, err := r.Shards(ctx, v.RealmName)
			return err
		}),
	})
	if err != nil {
		return err
	}
	o.place, err = storage.Await(ctx, log, func(ctx context.Context) (*registry.Enlisted, error) {
		return r.Enlist(ctx, v.RealmName, registry.Process{
			Role: registry.RoleOrchestrate, Release: release.Name(), Host: membership.Hostname(), PID: os.Getpid(), Admin: membership.AddrPort(operators).String(), Capacity: v.mostWorkers(),
		})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer func() { err = errors.Join(err, membership.Leave(o.place)) }()
	defer o.resign()
	ctx, fail := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	o.scaling = &Scaling{
		Registry: r, Realm: v.RealmName, Log: log, spares: v.Spares,
		Run: func(ctx context.Context, n int, started func(*process.Child)) error {
			return process.Supervise(ctx, fmt.Sprintf("worker %d", n), v.worker(workers), log, stderr, started, func(pid int, _ error) {
				SayWorkerEnded(ctx, r, bus, v.RealmName, pid, log)
			})
		},
	}
	if o.scaling.by, err = v.scaleFlags.scaler(); err != nil {
		fail(nil)
		return err
	}
	defer func() { err = errors.Join(o.scaling.Wait(), err) }()
	defer running.Wait()
	defer fail(nil)
	running.Go(func() { process.FailOn(fail, admin.Serve(ctx, operators, answers, log)) })
	if o.instances != nil {
		running.Go(func() { process.FailOn(fail, o.instances.Run(ctx)) })
	}
	o.scaling.Spawn(ctx, v.Spawn)
	log.Info("ready", "admin", membership.AddrPort(operators), "took", time.Since(began).Round(time.Millisecond))
	if err := o.run(ctx); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// checks are what an orchestrator needs: the registry, and the bus, if it has one, on which gateways ask for instances.
func checks(bus *natsbus.Bus, asks func(ctx context.Context) error) []admin.Check {
	all := []admin.Check{{Name: "registry", Test: asks}}
	if bus != nil {
		all = append(all, admin.Check{Name: "bus", Test: func(context.Context) error { return link.CheckAway(bus) }})
	}
	return all
}

// An orchestrator gives worlds to workers while it leads.
type orchestrator struct {
	config   *Config
	log      *slog.Logger
	place    *registry.Enlisted
	leader   *registry.Leader  // nil while it does not lead
	balancer registry.Balancer // since it leads
	wake     chan struct{}     // holds a token when there may be something to give

	scaling   *Scaling          // what starts workers
	instances *instances.Server // nil without a bus
	tried     time.Time         // when it led last, or tried to
	removed   time.Time         // when it looked last for instances that are empty
	seen      time.Time         // when it saw a worker first
	away      membership.Outage

	known atomic.Pointer[admin.Assignment] // as of the last look; nil while it does not lead
	given atomic.Uint64                    // worlds
	moved atomic.Uint64                    // of them, to even out loads
}

// run leads whenever no other process does, until ctx ends. The error is registry.ErrReplaced if this one is not in the registry any more.
func (o *orchestrator) run(ctx context.Context) error {
	look := time.NewTicker(membership.ReportEvery)
	defer look.Stop()
	for {
		_, err := o.place.Renew(ctx, 0)
		if errors.Is(err, registry.ErrReplaced) {
			return err
		}
		if o.place.Ending() {
			o.log.Info("ends: an operator has said so")
			return nil
		}
		if now := time.Now(); err == nil && (o.leader != nil || now.Sub(o.tried) >= tryEvery) {
			o.tried = now
			err = o.lead(ctx, now)
		}
		if ctx.Err() == nil {
			o.away.Note(o.log, err)
		}
		select {
		case <-look.C:
		case <-o.wake:
		case <-ctx.Done():
			return nil
		}
	}
}

// look has the orchestrator look soon what is to be given.
func (o *orchestrator) look() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// SayWorkerEnded says, to standbys and to the registry, that a worker has ended which this process has started: neither need wait until it is missed. The bus is nil if there is
// none.
func SayWorkerEnded(ctx context.Context, r *registry.Registry, bus *natsbus.Bus, realm string, pid int, log *slog.Logger) {
	if pid == 0 || ctx.Err() != nil {
		return
	}
	if bus != nil {
		bus.Publish(remote.Ended(link.Subject(realm)), []byte(process.Ended+process.NameOf(pid))) // what is lost is missed after a time
	}
	if err := r.NoteEnd(ctx, realm, membership.Hostname(), pid); err != nil {
		log.Warn("the registry is not told that a worker has ended, and misses it later", "pid", pid, "err", storage.OneLine(err))
	}
}
