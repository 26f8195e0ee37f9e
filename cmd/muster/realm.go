package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/listener"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/realmlist"
	"muster/cmd/internal/seats"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/storesnapshot"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldset"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/loaders/synth"
	"muster/net/gateway"
	"muster/net/gateway/claims"
	"muster/net/gateway/relay"
	"muster/net/login"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/console"
	"muster/net/ops/control"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/systems"
)

// A realm is all that serve runs: a world per map, a gateway, a login server and a page for operators.
type realm struct {
	*worldset.Set
	config     *serveVerb
	store      store.Store
	gate       *gateway.Gate
	logins     *login.Server   // nil until it runs
	links      links           // to worlds in other processes
	claims     *claims.Claims  // of accounts; nil if no other gateway has them
	realms     *realmlist.List // of the database; nil if no other gateway has it
	relay      *relay.Relay    // to players of other gateways; nil if there are none
	draining   atomic.Bool
	abandons   atomic.Bool       // at the end: players stay in their worlds, and log in again through other gateways
	upgrader   *upgrade.Upgrader // nil if the worlds are in this process
	happenings *control.Happenings

	instances instancing
	running   context.Context // of worlds that are made later; nil before run
	ephemeral bool            // worlds keep nothing

	instanceHeader recording.Header // of instances, but for what is each one's own
	instanceRate   atomic.Uint32    // bits of the XPRate of instances that are made from now on

	console    *console.Console
	socket     string                   // where it listens; "" nowhere
	snapshots  *storesnapshot.Snapshots // nil if there can be none
	successors chan *successor          // takes one that takes the place of this realm
	begun      chan struct{}            // closed when successors are taken

	answering sync.RWMutex
	answers   *admin.Server      // to operators, nil until it runs
	ended     context.Context    // of answers that are still given
	end       context.CancelFunc // of the server, as an operator wants it
	code      atomic.Int32       // what the process ends with then
}

// sharedDrainTime is the same for a gateway that has others, so that with leaveTime and the journal's it ends within process.DrainTime: longer than
// a world may be silent before its players are given up.
const sharedDrainTime = 17 * time.Second

// newRealm makes the worlds and the gateway. Nothing runs and nothing listens yet. The store is the caller's,
// to be closed when serve has returned.
func newRealm(config *serveVerb, kept store.Store, log *slog.Logger) (*realm, error) {
	set, err := worldset.New(&config.Settings, config.defs, cmp.Or(config.counters, new(metric.Table)), log)
	if err != nil {
		return nil, err
	}
	set.Tracer = config.tracer
	r := &realm{Set: set, config: config, store: kept, successors: make(chan *successor), begun: make(chan struct{})}
	r.Metric.Declare("console.panic")
	r.happenings = control.NewHappenings(r.Clock.Now, func(guid uint64) string { return r.gate.NameOf(guid) })
	r.Observe = func(id uint32, port *frame.Exchange) {
		keep := r.happenings.World(id)
		log := port.Happened
		port.Happened = func(f *frame.Frame) { log(f); r.gate.NoteLevels(f); keep(f) }
	}
	r.console = console.New()
	r.console.Metric, r.console.Log, r.console.Shutdown, r.console.Reload = r.Metric, log, r.shutdown, r.reload
	r.console.Accounts = &account.Accounts{Store: kept}
	if m := config.member; m != nil {
		r.console.Cluster = &clusterview.View{Registry: m.registry, Realm: config.RealmName}
		r.realms = realmlist.New(m.registry, log, r.listing)
	}
	saver, _ := kept.(gateway.Saver) // a journal is one
	if config.Bus == "" {
		r.Flight = r.Recorder(&config.FlightSettings, config.Data)
		if err = r.keepWorlds(saver); err == nil {
			err = r.MakeWorlds(r.AllMaps(), saver == nil, worldset.KeptTime)
		}
	} else {
		err = r.link()
		r.claims, r.relay = r.newClaims(), r.newRelay()
		if err == nil {
			r.upgrader = r.newUpgrader()
			r.console.Upgrader = r.upgrader
		}
	}
	if err != nil {
		return nil, err
	}
	r.ephemeral = saver == nil
	r.instances = r.newInstances()
	r.console.Instances = r.instances
	r.console.Executed = r.noteRate
	r.console.TickStats = r.TickStats
	seats := seats.Share(seats.Descriptors(), config.MaxPlayers)
	r.gate, err = gateway.New(gateway.Config{
		Listen: config.World.AddrPort, Exchanges: r.Exchanges, Store: r.own(), Realm: r.realmID(), Tracer: config.tracer, Lets: r.lets, Saver: saver, Claims: r.gateClaims(), Others: r.gateOthers(), Instances: r.instances, Slots: r.slots(), Start: r.start, StartOf: r.startOf, Templates: r.Defs,
		Unit: r.Pacer.Rungs.Unit, Pace: r.Pacer.Rung, Budget: config.ObserverBudget, MaxConnections: seats.Players, MaxPlayers: config.MaxPlayers, Workers: config.workers(),
		MaxPerAddress: config.MaxPerAddress, LimitLoopback: config.LimitLoopback, Handshake: handshake,
		Policies: config.FloodPolicy.policies, Still: config.Clock == "virtual", Settings: config.gateSettings(),
		Metric: r.Metric, Log: log, Console: r.console, Reasons: systems.Reasons(),
	})
	r.console.Realm = r.wide()
	r.Page.Names = func(guid uint64) string { return r.gate.NameOf(guid) }
	if err == nil {
		r.gate.Observe(r.happenings.Connection)
	}
	return r, err
}

// start is where the n-th character begins that is made here. Gateways of one realm take turns, so that together they fill one place after
// another, as one alone does.
func (r *realm) start(n int) gateway.Place {
	if r.realms != nil {
		turn, gateways := r.realms.Turn(r.config.member.Realm(), r.config.member.Number())
		n = n*gateways + turn
	}
	return r.place(synth.Hub(r.Defs, n))
}

// startOf is where characters of a race and class begin, if an imported world says so.
func (r *realm) startOf(race, class uint8) (at gateway.Place, ok bool) {
	hub, ok := r.Defs.StartOf(race, class)
	if ok {
		at = r.place(hub)
	}
	return at, ok
}

func (r *realm) place(hub defs.Hub) gateway.Place {
	return gateway.Place{Map: hub.Map, Zone: r.Defs.Map(hub.Map).Zone(hub.X, hub.Y), X: hub.X, Y: hub.Y, Z: hub.Z, O: hub.O}
}

// run runs the realm behind the sockets of a server until ctx ends, then takes the players out and returns nil. It calls begun once
// all of them are served. If the realm is reset it ends without saving its players, and returns what takes its place.
func (r *realm) run(ctx context.Context, s *server, begun func() error) (next *successor, err error) {
	var worlds, edges sync.WaitGroup
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.running = running
	worlds.Go(func() { r.instances.Run(running) })
	for _, w := range r.Worlds {
		worlds.Go(func() { w.Run(running) })
	}
	r.runLinks(running, &worlds)
	if r.ClockDriver != nil {
		worlds.Go(func() { r.runClock(running) })
	} else {
		worlds.Go(func() { r.Pace(running, r.gate.Spent) })
	}
	defer r.EndRecordings()
	defer worlds.Wait()
	defer stop()
	defer r.instances.Close()
	if r.Flight != nil {
		worlds.Go(func() { r.Flight.Run(running) })
	}

	if err := r.links.wait(ctx, r.Log); err != nil {
		return nil, err
	}
	r.gate.Accept(listener.NewPausable(s.players))
	if err := r.gate.Listen(); err != nil {
		return nil, err
	}
	r.share(running, &worlds, membership.AddrPort(s.operators))
	if r.upgrader != nil {
		worlds.Go(func() {
			if err := r.upgrader.Run(running); err != nil {
				r.Log.Error("this gateway cannot be drained by an upgrade", "err", err)
			}
		})
	}
	defer func() {
		if next == nil {
			err = errors.Join(err, r.drain(ctx))
			return
		}
		r.instances.Close()
		stop()
		worlds.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resetTime)
		defer cancel()
		if err := r.gate.ShutdownUnsaved(ctx); err != nil { // nothing is lost by it
			r.Log.Warn("the worlds before the reset did not end in order", "err", err)
		}
	}()
	if r.logins, err = r.newLogon(); err != nil {
		return nil, err
	}
	answers, err := r.newAdmin()
	if err != nil {
		return nil, err
	}

	ctx, fail := context.WithCancelCause(ctx)
	defer edges.Wait()
	defer fail(nil)
	if s.console != nil {
		edges.Go(func() { process.FailOn(fail, r.console.Serve(ctx, listener.NewPausable(s.console), r.Log)) })
	}
	if s.logins != nil {
		edges.Go(func() { process.FailOn(fail, r.logins.Serve(ctx, listener.NewPausable(s.logins))) })
	}
	r.answering.Lock()
	r.answers, r.ended = answers, ctx
	r.answering.Unlock()
	s.present.Store(r)
	process.FailOn(fail, begun())
	close(r.begun)
	select {
	case <-ctx.Done():
	case next = <-r.successors:
		return next, nil
	}
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return nil, cause
	}
	if code := r.code.Load(); code != 0 {
		return nil, exitStatus(code)
	}
	return nil, nil
}

// stats is the statistics for operators.
func (r *realm) stats() any {
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

// drain takes the players out of their worlds, which must still be running.
func (r *realm) drain(ctx context.Context) error {
	began := time.Now()
	r.draining.Store(true)
	most := process.DrainTime
	if r.config.member != nil {
		most = sharedDrainTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	if r.ClockDriver != nil {
		r.ClockDriver.SetSpeed(1) // no player leaves a world that stands still
	}
	shutdown := r.gate.Shutdown
	if r.abandons.Load() {
		shutdown = r.gate.ShutdownUnsaved
		r.Log.Info("this gateway is drained: its players stay in their worlds, and log in again through others", "players", r.connected())
	}
	if err := shutdown(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	if m := r.config.member; m != nil {
		m.drained = true
	}
	counted := []any{"took", time.Since(began).Round(time.Millisecond)}
	r.Metric.Each(func(name string, n uint64) {
		if n > 0 {
			counted = append(counted, name, n)
		}
	})
	r.Log.Info("stopped", counted...)
	return nil
}

// newLogon makes the login server. The gateway must listen: its address is in the realm list.
func (r *realm) newLogon() (*login.Server, error) {
	password, err := r.config.openPassword()
	if err != nil {
		return nil, err
	}
	address, local := r.address()
	if local {
		r.Log.Warn("the realm list sends clients to this host: others need --realm-address", "address", address)
	}
	secret, err := storage.Secret(r.config.Data)
	if m := r.config.member; m != nil && err == nil { // that of all processes for logins: salts are to be alike
		if secret == nil {
			secret = make([]byte, storage.SecretSize)
			rand.Read(secret) // never fails
		}
		secret, err = m.registry.Secret(context.Background(), secret)
	}
	if err != nil {
		return nil, err
	}
	seats := seats.Share(seats.Descriptors(), r.config.MaxPlayers)
	return login.New(login.Config{
		Realms:       []login.Realm{{Name: r.config.RealmName, Address: address}},
		List:         r.list(),
		OpenPassword: password, OpenLevel: r.config.OpenLevel,
		MaxConns: seats.Logins, PerAddress: r.config.MaxPerAddress, LimitLoopback: r.config.LimitLoopback,
		Guard:  r.config.WrongPass.guard(r.config.LimitLoopback, secret, r.Metric, r.Log, r.store),
		Secret: secret, Metric: r.Metric, Log: r.Log,
	}, r.store)
}
