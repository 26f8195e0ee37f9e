package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/sched/ladder"
)

// A workerConfig is which worlds a worker steps, and how. Its tags say how that is spelled on a command line.
type workerConfig struct {
	Bus       string   `required:"" placeholder:"URL" help:"NATS, over which gateways reach the worlds: nats://HOST:PORT, or one for each server of it with commas between them."`
	RealmName string   `default:"muster" placeholder:"NAME" help:"Name of the realm, as gateways have it (${default})."`
	Map       []uint32 `placeholder:"ID" help:"Run the worlds of these maps; default: of all."`
	Database  string   `placeholder:"URL" help:"Run the worlds that muster orchestrate gives to this worker, over the registry in PostgreSQL, instead."`
	Capacity  int      `default:"64" placeholder:"N" help:"With --database: take so many worlds at most (${default})."`
	Admin     address  `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; port 0 takes a free one (${default})."`

	natsFlags
	streamFlags
	worldFlags
	adminFlags
	flightFlags
	traceFlags
	logFlags
}

// check refuses what cannot be run.
func (v *workerConfig) check() error {
	if v.Clock == "virtual" {
		return errors.New("--clock virtual is for a server of one process")
	}
	switch {
	case v.Database != "" && !isDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	case v.Database != "" && len(v.Map) > 0:
		return errors.New("--database and --map exclude each other: the registry gives maps")
	case v.Database != "" && (v.Standby || v.Successor || v.Anew):
		return errors.New("--database excludes --standby, --successor and --anew: the registry says who follows a world, and who goes on with it")
	case v.OTLP != "" && v.Durable == "world":
		return errors.New("--durable world and --otlp exclude each other: standbys step the same ticks, and would trace them too")
	case v.Capacity < 1:
		return fmt.Errorf("--capacity is at least 1, not %d", v.Capacity)
	}
	return errors.Join(checkBus(v.Bus), v.natsFlags.check(), v.worldFlags.check(), v.streamFlags.check(&v.worldFlags), v.checkStep(), v.flightFlags.check(), v.traceFlags.check(), v.adminFlags.check(v.Admin.Addr().IsLoopback()))
}

// runWorker steps worlds until ctx ends.
func runWorker(ctx context.Context, v *workerConfig, log *slog.Logger) (err error) {
	began := time.Now()
	v.pin()
	known, err := v.loadWorld(ctx, log)
	if err != nil {
		return err
	}
	set, err := newWorldSet(&v.worldFlags, known, new(metric.Table), log)
	if err != nil {
		return err
	}
	if set.tracer, err = v.traceFlags.tracer(ctx, v.RealmName, "worker", ourName(), set.metric, log); err != nil {
		return err
	}
	defer set.tracer.Close()
	if v.Database != "" {
		return runShards(ctx, v, set, log)
	}
	maps, err := v.maps(set.defs)
	if err != nil {
		return err
	}
	set.flight = set.recorder(&v.flightFlags, "")
	if err := set.makeWorlds(maps, false, remoteKept); err != nil {
		return err
	}
	bus, err := v.natsFlags.connect(v.Bus, "muster worker", natsbus.Worker, log)
	if err != nil {
		return err
	}
	defer bus.Close()
	operators, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Admin.AddrPort))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	defer operators.Close()
	answers, err := v.newAdmin(set, bus)
	if err != nil {
		return err
	}

	var running sync.WaitGroup
	defer set.endRecordings()
	defer running.Wait()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	mine := newLife()
	worlds := set.worlds
	if v.Durable == "world" {
		if err := runReplicas(ctx, fail, &running, &v.streamFlags, v.RealmName, set, maps, bus); errors.Is(err, errUpgraded) {
			log.Info("ends", "because", err)
			return nil
		} else if err != nil {
			return err
		}
		maps, worlds = nil, nil // those are the replicas'
	}
	for _, m := range maps {
		end := remote.NewWorld(remote.WorldConfig{
			Bus: bus, Address: remote.Address{Realm: subject(v.RealmName), Map: m.ID}, Exchange: set.exchanges[m.ID], Life: mine, Made: set.made(),
			Metric: set.metric, Log: log,
		})
		running.Go(func() { failed(fail, end.Run(ctx)) })
	}
	for _, w := range worlds {
		running.Go(func() {
			if w.Run(ctx); ctx.Err() == nil { // another start brings the map back, and gateways with it
				fail(errors.New("a map has been given up"))
			}
		})
	}
	running.Go(func() { set.pace(ctx, func(*ladder.Sample) {}) })
	if set.flight != nil {
		running.Go(func() { set.flight.Run(ctx) })
	}
	running.Go(func() { failed(fail, admin.Serve(ctx, operators, answers, log)) })
	log.Info("ready", "maps", v.Map, "admin", addrPort(operators), "took", time.Since(began).Round(time.Millisecond))
	<-ctx.Done()
	if cause := context.Cause(ctx); errors.Is(cause, errUpgraded) {
		log.Info("ends", "because", cause)
	} else if cause != ctx.Err() {
		return cause
	}
	return nil
}

// maps are those whose worlds are run.
func (v *workerConfig) maps(d *defs.World) (maps []*defs.Map, err error) {
	for _, m := range fixedMaps(d) {
		if len(v.Map) == 0 || slices.Contains(v.Map, m.ID) {
			maps = append(maps, m)
		}
	}
	if len(v.Map) == 0 {
		for _, m := range maps {
			v.Map = append(v.Map, m.ID)
		}
	}
	if len(maps) < len(v.Map) {
		return nil, fmt.Errorf("--map names a map that the world has not: %v", v.Map)
	}
	return maps, nil
}

// newAdmin makes what answers operators over HTTP.
func (v *workerConfig) newAdmin(set *worldSet, bus *natsbus.Bus) (*admin.Server, error) {
	token, err := v.token()
	if err != nil {
		return nil, err
	}
	return admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Alive: set.alive,
		Checks: []admin.Check{
			{Name: "bus", Test: func(context.Context) error { return bus.Connected() }},
			{Name: "worlds", Test: func(context.Context) error { return set.givenUp() }},
		},
		Realm: v.RealmName, Role: "worker", TickStats: set.tickStats, Pacer: set.pacer, Plan: set.plan, Flight: set.bundle,
		Compat: v.CompatTC9Metrics, Metric: set.metric, Log: set.log,
	})
}
