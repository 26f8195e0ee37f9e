// Package worker steps worlds for gateways in other processes: those of some maps, or those that the registry gives to it.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/replica"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/ops/admin"
	"muster/net/ops/page"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/sched/ladder"
)

// A Config is which worlds a worker steps, and how. Its tags say how that is spelled on a command line.
type Config struct {
	Bus       string        `required:"" placeholder:"URL" help:"NATS, over which gateways reach the worlds: nats://HOST:PORT, or one for each server of it with commas between them."`
	RealmName string        `default:"muster" placeholder:"NAME" help:"Name of the realm, as gateways have it (${default})."`
	Map       []uint32      `placeholder:"ID" help:"Run the worlds of these maps; default: of all."`
	Database  string        `placeholder:"URL" help:"Run the worlds that muster orchestrate gives to this worker, over the registry in PostgreSQL, instead."`
	Capacity  int           `default:"64" placeholder:"N" help:"With --database: take so many worlds at most (${default})."`
	Admin     flags.Address `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; port 0 takes a free one (${default})."`

	link.Access
	replica.Durability
	worldspec.Settings
	flags.AdminAccess
	worldset.FlightSettings
	worldset.TraceSettings
	flags.Logging
}

// Check refuses what cannot be run.
func (v *Config) Check() error {
	if v.Clock == "virtual" {
		return errors.New("--clock virtual is for a server of one process")
	}
	switch {
	case v.Database != "" && !flags.IsDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	case v.Database != "" && len(v.Map) > 0:
		return errors.New("--database and --map exclude each other: the registry gives maps")
	case v.Database != "" && (v.Standby || v.Successor || v.Anew):
		return errors.New("--database excludes --standby, --successor and --anew: the registry says which process follows a world, and which goes on with it")
	case v.Capacity < 1:
		return fmt.Errorf("--capacity is at least 1, not %d", v.Capacity)
	}
	return errors.Join(link.CheckURL(v.Bus), v.Access.Check(), v.Settings.Check(), v.Durability.Check(&v.Settings), v.CheckStep(), v.FlightSettings.Check(), v.TraceSettings.Check(), v.AdminAccess.Check(v.Admin.Addr().IsLoopback()))
}

// Run steps worlds until ctx ends.
func Run(ctx context.Context, v *Config, log *slog.Logger) (err error) {
	began := time.Now()
	defer process.LogEnd(log, began, &err)
	v.Divide()
	known, err := v.LoadWorld(ctx, log)
	if err != nil {
		return err
	}
	set, err := worldset.New(&v.Settings, known, new(metric.Table), log)
	if err != nil {
		return err
	}
	if set.Tracer, err = v.TraceSettings.Tracer(ctx, v.RealmName, "worker", process.OwnName(), set.Metric, log); err != nil {
		return err
	}
	defer set.Tracer.Close()
	set.Flight = set.Recorder(&v.FlightSettings, "")
	if v.Database != "" {
		return runShards(ctx, v, set, log)
	}
	maps, err := v.maps(set.Defs)
	if err != nil {
		return err
	}
	bus, err := v.Access.Connect(v.Bus, "muster worker", natsbus.Worker, log)
	if err != nil {
		return err
	}
	defer bus.Close()
	if v.Durable == "world" {
		set.StreamLog = replica.ExcerptsOf(bus, v.RealmName)
	}
	if err := set.MakeWorlds(maps, false, link.Kept); err != nil {
		return err
	}
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
	defer set.EndRecordings()
	defer running.Wait()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	mine := link.NewLife()
	worlds := set.Worlds
	if v.Durable == "world" {
		if err := replica.RunAll(ctx, fail, &running, &v.Durability, v.RealmName, set, maps, bus); errors.Is(err, replica.ErrUpgraded) {
			log.Info("ends", "because", err)
			return nil
		} else if err != nil {
			return err
		}
		maps, worlds = nil, nil // those are the replicas'
	}
	for _, m := range maps {
		end := remote.NewWorld(remote.WorldConfig{
			Bus: bus, Address: remote.Address{Realm: link.Subject(v.RealmName), Map: m.ID}, Exchange: set.Exchanges[m.ID], Life: mine, Clocked: true, Made: set.Made(),
			Metric: set.Metric, Log: log,
		})
		running.Go(func() { process.FailOn(fail, end.Run(ctx)) })
	}
	for _, w := range worlds {
		running.Go(func() {
			if w.Run(ctx); ctx.Err() == nil { // another start brings the map back, and gateways with it
				fail(errors.New("a map has been given up"))
			}
		})
	}
	running.Go(func() { set.Pace(ctx, func(*ladder.Sample) {}) })
	if set.Flight != nil {
		running.Go(func() { set.Flight.Run(ctx) })
	}
	running.Go(func() { process.FailOn(fail, admin.Serve(ctx, operators, answers, log)) })
	log.Info("ready", "maps", v.Map, "admin", membership.AddrPort(operators), "took", time.Since(began).Round(time.Millisecond))
	<-ctx.Done()
	if cause := context.Cause(ctx); errors.Is(cause, replica.ErrUpgraded) {
		log.Info("ends", "because", cause)
	} else if cause != ctx.Err() {
		return cause
	}
	return nil
}

// maps are those whose worlds are run.
func (v *Config) maps(d *defs.World) (maps []*defs.Map, err error) {
	for _, m := range worldspec.FixedMaps(d) {
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
func (v *Config) newAdmin(set *worldset.Set, bus *natsbus.Bus) (*admin.Server, error) {
	token, err := v.Token()
	if err != nil {
		return nil, err
	}
	return admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Alive: set.Alive, Parts: page.New(set.Page).Parts(),
		Checks: []admin.Check{
			{Name: "bus", Test: func(context.Context) error { return link.CheckAway(bus) }},
			{Name: "worlds", Test: func(context.Context) error { return set.GivenUp() }},
		},
		Realm: v.RealmName, Role: "worker", TickStats: set.TickStats, Pacer: set.Pacer, Plan: set.Plan, Flight: set.Bundle, BusLost: bus.Dropped,
		Compat: v.CompatTC9Metrics, Metric: set.Metric, Log: set.Log,
	})
}
