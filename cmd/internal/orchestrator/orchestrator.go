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
	"slices"
	"sync"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway/instances"
	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// An Config is which realm an orchestrator is of, and how. Its tags say how that is spelled on a command line.
type Config struct {
	Database  string        `required:"" placeholder:"URL" help:"Where the registry is: PostgreSQL, as of serve."`
	RealmName string        `default:"muster" placeholder:"NAME" help:"Name of the realm, as workers and gateways have it (${default})."`
	Admin     flags.Address `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; port 0 takes a free one (${default})."`
	Wait      int           `default:"1" placeholder:"N" help:"Give no maps before so many workers are there, or the first has been there for 5s (${default})."`
	Standbys  int           `default:"0" placeholder:"N" help:"Have so many other workers follow each world, where workers have --durable world, and go on with it when its own ends (${default})."`
	Spawn     int           `default:"0" placeholder:"N" help:"Start so many workers on this machine, and start each again that ends, after a pause (${default})."`

	scaleFlags

	Bus string `placeholder:"URL" help:"NATS, over which gateways ask which instances of dungeons their players enter: nats://HOST:PORT. Default: this one answers none."`
	link.Access
	flags.InstanceBounds

	flags.TokenSource
	flags.Logging
}

// Check refuses what cannot be run with such flags of workers.
func (v *Config) Check(workers []string) error {
	switch {
	case !flags.IsDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	case v.Spawn < 0 || v.Spawn > maxSpawn:
		return fmt.Errorf("--spawn is from 0 to %d, not %d", maxSpawn, v.Spawn)
	case v.Standbys < 0 || v.Standbys > MaxStandbys:
		return fmt.Errorf("--standbys is from 0 to %d, not %d", MaxStandbys, v.Standbys)
	case v.Spawn == 0 && len(workers) > 0:
		return errors.New("flags of workers need --spawn")
	}
	flags := flags.AdminAccess{TokenSource: v.TokenSource}
	errs := []error{flags.Check(v.Admin.Addr().IsLoopback()), v.Access.Check(), v.InstanceBounds.Check(), v.scaleFlags.check(v.Spawn)}
	if v.Bus != "" {
		errs = append(errs, link.CheckURL(v.Bus))
	}
	return errors.Join(errs...)
}

// MaxStandbys is how many workers may follow a world: what takes more ends at once takes its log, too.
const MaxStandbys = 3

// waitTime is for how long an orchestrator waits for more workers, from the first that it sees.
const waitTime = 5 * time.Second

// Run assigns worlds until ctx ends. What the workers that it starts, with these flags, log goes to stderr.
func Run(ctx context.Context, v *Config, workers []string, stderr io.Writer, log *slog.Logger) (err error) {
	began := time.Now()
	r, err := registry.Open(ctx, registry.Config{URL: v.Database})
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
	answers, err := admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Realm: v.RealmName, Role: "orchestrate", Metric: counters, Log: log,
		Checks: []admin.Check{{Name: "registry", Test: func(ctx context.Context) error {
			_, err := r.Shards(ctx, v.RealmName)
			return err
		}}},
	})
	if err != nil {
		return err
	}
	o.place, err = r.Enlist(ctx, v.RealmName, registry.Process{
		Role: registry.RoleOrchestrate, Host: membership.Hostname(), PID: os.Getpid(), Admin: membership.Reachable(membership.AddrPort(operators)).String(),
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer func() { err = errors.Join(err, membership.Leave(o.place)) }()
	defer o.resign()
	ctx, fail := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	o.scaling = &scaling{
		registry: r, realm: v.RealmName, spares: v.Spares, log: log,
		run: func(ctx context.Context, n int, started func(*process.Child)) error {
			return process.Supervise(ctx, fmt.Sprintf("worker %d", n), v.worker(workers), log, stderr, started, func(pid int, _ error) {
				SayWorkerEnded(ctx, r, bus, v.RealmName, pid, log)
			})
		},
	}
	if o.scaling.by, err = v.scaleFlags.scaler(); err != nil {
		fail(nil)
		return err
	}
	defer func() { err = errors.Join(o.scaling.wait(), err) }()
	defer running.Wait()
	defer fail(nil)
	running.Go(func() { process.FailOn(fail, admin.Serve(ctx, operators, answers, log)) })
	if o.instances != nil {
		running.Go(func() { process.FailOn(fail, o.instances.Run(ctx)) })
	}
	o.scaling.spawn(ctx, v.Spawn)
	log.Info("ready", "admin", membership.AddrPort(operators), "took", time.Since(began).Round(time.Millisecond))
	if err := o.run(ctx); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// scales reports whether this process can start workers, or have them started.
func (v *Config) scales() bool {
	return v.Spawn > 0 || v.ScaleExec != "" || v.ScaleKubernetes != ""
}

// worker is the command line of a worker with such flags.
func (v *Config) worker(flags []string) []string {
	if len(flags) > 0 && flags[0] == "--" {
		flags = flags[1:]
	}
	return append([]string{"worker", "--database", v.Database, "--realm-name", v.RealmName}, flags...)
}

// An orchestrator gives worlds to workers while it leads.
type orchestrator struct {
	config *Config
	log    *slog.Logger
	place  *registry.Enlisted
	leader *registry.Leader // nil while it does not lead
	wake   chan struct{}    // holds a token when there may be something to give

	scaling   *scaling          // what starts workers
	instances *instances.Server // nil without a bus
	removed   time.Time         // when it looked last for instances that are empty
	seen      time.Time         // when it saw a worker first
	away      membership.Outage
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
		if err == nil {
			err = o.lead(ctx)
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

// removeEvery is how often a leader looks for instances that are empty.
const removeEvery = time.Second

// lead gives what is to be given, if this process leads or can.
func (o *orchestrator) lead(ctx context.Context) (err error) {
	if o.leader == nil {
		if o.leader, err = o.place.Lead(ctx); err != nil {
			if errors.Is(err, registry.ErrLed) {
				err = nil
			}
			return err
		}
		o.log.Info("this orchestrator leads")
	}
	if err = o.assign(ctx); err != nil {
		o.log.Info("this orchestrator leads no more", "err", storage.OneLine(err))
		o.resign()
		return err
	}
	if o.config.scales() {
		o.scaling.follow(ctx)
	}
	return o.removeEmpty(ctx)
}

// removeEmpty removes the instances that are empty, now and then. The session of the leader is not silent for longer meanwhile than it may be.
func (o *orchestrator) removeEmpty(ctx context.Context) error {
	now := time.Now()
	if o.instances == nil || now.Sub(o.removed) < removeEvery {
		return nil
	}
	o.removed = now
	ctx, cancel := context.WithTimeout(ctx, removeEvery)
	defer cancel()
	return o.instances.RemoveEmpty(ctx)
}

// resign ends leading.
func (o *orchestrator) resign() {
	if o.leader != nil {
		o.leader.Close()
		o.leader = nil
	}
}

// assign gives shards without a worker to those that there are.
func (o *orchestrator) assign(ctx context.Context) error {
	workers, shards, err := o.leader.State(ctx)
	if err != nil {
		return err
	}
	if o.seen.IsZero() && len(workers) > 0 {
		o.seen = time.Now()
	}
	if waitsFor(o.config.Wait, workers, shards) && time.Since(o.seen) < waitTime {
		return nil
	}
	standbys, err := o.leader.Standbys(ctx)
	if err != nil {
		return err
	}
	for _, g := range registry.Assign(workers, shards, standbys...) {
		switch epoch, err := o.leader.Give(ctx, g.Shard, g.Worker); {
		case errors.Is(err, registry.ErrOlder): // it is another's meanwhile, or may still be the one's that had it
		case err != nil:
			return err
		default:
			o.log.Info("a world is given to a worker", "map", g.Shard.Map, "instance", g.Shard.Instance, "worker", g.Worker, "before", g.Shard.Worker, "epoch", epoch)
		}
	}
	return o.assignStandbys(ctx, workers, shards, standbys)
}

// assignStandbys has workers follow the shards of others.
func (o *orchestrator) assignStandbys(ctx context.Context, workers []registry.Process, shards []registry.Shard, standbys []registry.Standby) error {
	placed, withdrawn := registry.AssignStandbys(workers, shards, standbys, o.config.Standbys)
	for _, s := range withdrawn {
		if err := o.leader.Withdraw(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range placed {
		switch err := o.leader.Place(ctx, s); {
		case errors.Is(err, registry.ErrOlder): // it has ended, or has the world by now
		case err != nil:
			return err
		default:
			o.log.Info("a worker is to follow a world", "map", s.Map, "instance", s.Instance, "worker", s.Worker)
		}
	}
	return nil
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

// waitsFor reports whether more workers are to come before the first is given a shard: there are fewer than so many, and none of them has one.
func waitsFor(n int, workers []registry.Process, shards []registry.Shard) bool {
	return len(workers) < n && !slices.ContainsFunc(shards, func(s registry.Shard) bool {
		return slices.ContainsFunc(workers, func(w registry.Process) bool { return w.ID == s.Worker })
	})
}
