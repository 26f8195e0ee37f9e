package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/loaders/synth"
	"muster/net/gateway"
	"muster/net/login"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/console"
	"muster/net/ops/control"
	"muster/net/ops/flight"
	"muster/net/ops/page"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/net/replication/recording"
	"muster/sched"
	"muster/sched/ladder"
	"muster/sched/tickstats"
	"muster/systems"
)

// A realm is all that serve runs: a world per map, a gateway, a login server and a page for operators.
type realm struct {
	config      *serveVerb
	log         *slog.Logger
	metric      *metric.Table
	defs        *defs.World
	store       store.Store
	worlds      []*sched.Loop
	exchanges   map[uint32]*frame.Exchange     // of the worlds, by map
	recorders   map[uint32]*recording.Recorder // of the worlds that are recorded, by map
	plan        string                         // of every tick
	flight      *flight.Recorder               // nil if it is off
	gate        *gateway.Gate
	logins      *login.Server      // nil until it runs
	pacer       *ladder.Pacer      // how long a step is
	clock       sched.Clock        // of all worlds
	clockDriver *sched.ClockDriver // turns the clock, if it is virtual
	happenings  *control.Happenings
	page        page.Config

	console    *console.Console
	socket     string          // where it listens; "" nowhere
	snapshots  *worldSnapshots // nil if there can be none
	successors chan *successor // takes one that takes the place of this realm

	answering sync.RWMutex
	answers   *admin.Server      // to operators, nil until it runs
	ended     context.Context    // of answers that are still given
	end       context.CancelFunc // of the server, as an operator wants it
	code      atomic.Int32       // what the process ends with then
}

// drainTime is how long players have to leave, and to be saved, when the realm ends. What is left then is cut
// off.
const drainTime = 30 * time.Second

// newRealm makes the worlds and the gateway. Nothing runs and nothing listens yet. The store is the caller's,
// to be closed when serve has returned.
func newRealm(config *serveVerb, kept store.Store, log *slog.Logger) (*realm, error) {
	r := &realm{config: config, log: log, metric: cmp.Or(config.counters, new(metric.Table)), store: kept, pacer: ladder.NewPacer(config.rungs()), successors: make(chan *successor)}
	r.metric.Declare(metric.Overflow, "tick.overrun", "tick.dropped", "map.panic", "record.ended", "console.panic")
	var err error
	r.console = console.New()
	r.console.Metric, r.console.Log, r.console.Shutdown, r.console.Reload = r.metric, log, r.shutdown, r.reload
	r.console.Accounts = &account.Accounts{Store: kept}
	if r.defs = config.defs; r.defs == nil {
		if r.defs, err = newDefs(config.Seed, config.Creatures, config.Start); err != nil {
			return nil, err
		}
	}
	saver, _ := kept.(gateway.Saver) // a journal is one
	r.flight = r.recorder()
	if r.exchanges, err = r.makeWorlds(saver == nil); err != nil {
		return nil, err
	}
	seats := share(descriptors(), config.MaxPlayers)
	r.gate, err = gateway.New(gateway.Config{
		Listen: config.World.AddrPort, Exchanges: r.exchanges, Store: r.store, Saver: saver, Start: r.start, Templates: r.defs,
		Unit: r.pacer.Rungs.Unit, Pace: r.pacer.Rung, Budget: config.ObserverBudget, MaxConnections: seats.players, MaxPlayers: config.MaxPlayers, Workers: config.workers(),
		MaxPerAddress: config.MaxPerAddress, LimitLoopback: config.LimitLoopback, Handshake: handshake,
		Policies: config.FloodPolicy.policies, Still: config.Clock == "virtual", Settings: config.gateSettings(),
		Metric: r.metric, Log: log, Console: r.console, Reasons: systems.Reasons(),
	})
	r.console.Realm = r.gate
	r.page.Names = func(guid uint64) string { return r.gate.NameOf(guid) }
	if err == nil {
		r.gate.Observe(r.happenings.Connection)
	}
	return r, err
}

// makeWorlds makes a world and its loop for each map, and returns their exchanges by map. All have one
// clock.
func (r *realm) makeWorlds(ephemeral bool) (map[uint32]*frame.Exchange, error) {
	r.recorders = make(map[uint32]*recording.Recorder)
	clock := r.newClock()
	r.clock, r.happenings = clock, control.NewHappenings(clock.Now, func(guid uint64) string { return r.gate.NameOf(guid) })
	r.page = page.Config{Release: release(), Defs: r.defs, Step: r.longestStep(), Pacer: r.pacer, ClockDriver: r.clockDriver, Metric: r.metric}
	ports := make(map[uint32]*frame.Exchange)
	for i := range r.defs.Maps {
		m := &r.defs.Maps[i]
		port := frame.NewExchange()
		port.Keep, port.Longest = uint64(max(keptTime/r.pacer.Rungs.Unit, frame.RingFrames)), r.pacer.Rungs.Longest()
		port.NowMs = func() uint32 { return uint32(clock.Now() / time.Millisecond) }
		ports[m.ID] = port
		keep := r.happenings.World(m.ID)
		port.Happened = func(f *frame.Frame) { r.gate.NoteLevels(f); keep(f) }
		header := r.config.header(m, ephemeral)
		world := newWorld(&header, r.defs, r.metric)
		live := &systems.Live{World: world, Exchange: port}
		if err := r.record(live, header); err != nil {
			return nil, err
		}
		r.plan = world.Plan().String()
		live.Inspector = inspect.NewInspector()
		live.Inspector.Unpaced = r.clockDriver != nil
		p := r.pulse(m, world)
		r.fly(live, p, header)
		r.page.Worlds = append(r.page.Worlds, page.World{Map: m, Inspector: live.Inspector, Stats: p})
		r.worlds = append(r.worlds, &sched.Loop{
			Map: live, Clock: clock, Unit: r.pacer.Rungs.Unit, Stride: r.pacer.Stride, Longest: r.pacer.Rungs.Longest(), Overrun: r.overrun(p),
			Behind: &p.Behind, Panicked: r.panicked(p, port, world.Plan().Running),
		})
	}
	return ports, nil
}

// newClock is the clock of all worlds. A virtual one has a ClockDriver.
func (r *realm) newClock() sched.Clock {
	if r.config.Clock != "virtual" {
		return sched.NewRealClock()
	}
	c := sched.NewVirtualClock()
	r.clockDriver = sched.NewClockDriver(c, r.longestStep())
	return c
}

// fly has the ticks of a world observed, by the flight recorder too if there is one.
func (r *realm) fly(live *systems.Live, p *tickstats.Stats, header recording.Header) {
	live.Stats = p
	if r.flight != nil {
		w := r.flight.Watch(p, header)
		live.Heard, live.Ended = w.Heard, w.Ended
	}
}

// pulse makes the tick statistics of a map.
func (r *realm) pulse(m *defs.Map, world *systems.World) *tickstats.Stats {
	p := tickstats.New(m.ID, m.Name, r.pacer.Rungs.Unit, r.longestStep(), world.Plan())
	r.console.TickStats = append(r.console.TickStats, p)
	return p
}

// start is where the n-th character begins.
func (r *realm) start(n int) gateway.Place {
	hub := synth.Hub(r.defs, n)
	return gateway.Place{Map: hub.Map, Zone: r.defs.Map(hub.Map).Zone(hub.X, hub.Y), X: hub.X, Y: hub.Y, Z: hub.Z, O: hub.O}
}

// overrun reports the late ticks of a map: each in the counters, and of those that took longer than the longest step, or
// after which others were skipped, one a second in the log. A tick that did not take long is late when the machine stood still.
func (r *realm) overrun(p *tickstats.Stats) func(n uint64, step, took time.Duration, dropped uint64) {
	var logged time.Time
	return func(n uint64, step, took time.Duration, dropped uint64) {
		r.metric.Count("tick.overrun")
		r.metric.Add("tick.dropped", dropped)
		p.Late.Add(1)
		p.Skipped.Add(dropped)
		if dropped == 0 && took <= r.longestStep() { // late for a short step is a figure, and no news
			return
		}
		if now := time.Now(); now.Sub(logged) >= time.Second {
			logged = now
			message := "tick took too long"
			if took <= step {
				message = "ticks skipped: nothing ran for a while"
			}
			r.log.Warn(message, "map", p.Map, "tick", n, "step", step, "took", took, "dropped", dropped)
		}
	}
}

// panicked gives up a map whose tick has panicked, and closes the sessions of its players. The others go on. The log
// has the system.
func (r *realm) panicked(p *tickstats.Stats, port *frame.Exchange, system func() string) func(n uint64, value any, stack []byte) {
	return func(n uint64, value any, stack []byte) {
		r.metric.Count("map.panic")
		r.log.Error("panic: the map is given up", "map", p.Map, "name", p.Name, "tick", n, "system", system(), "panic", value, "stack", string(stack))
		p.Abandon()
		port.Stop()
		if t := r.recorders[p.Map]; t != nil {
			t.Close() // with the tick that panicked
		}
	}
}

// run runs the realm behind the sockets of a server until ctx ends, then takes the players out and returns nil. It calls begun once
// all of them are served. If the realm is reset it ends without saving its players, and returns what takes its place.
func (r *realm) run(ctx context.Context, s *server, begun func() error) (next *successor, err error) {
	var worlds, edges sync.WaitGroup
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	for _, w := range r.worlds {
		worlds.Go(func() { w.Run(running) })
	}
	if r.clockDriver != nil {
		worlds.Go(func() { r.runClock(running) })
	} else {
		worlds.Go(func() { r.pace(running) })
	}
	defer r.endRecordings()
	defer worlds.Wait()
	defer stop()
	if r.flight != nil {
		worlds.Go(func() { r.flight.Run(running) })
	}

	r.gate.Accept(newPausable(s.players))
	if err := r.gate.Listen(); err != nil {
		return nil, err
	}
	defer func() {
		if next == nil {
			err = errors.Join(err, r.drain(ctx))
			return
		}
		stop()
		worlds.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resetTime)
		defer cancel()
		if err := r.gate.ShutdownUnsaved(ctx); err != nil { // nothing is lost by it
			r.log.Warn("the worlds before the reset did not end in order", "err", err)
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
		edges.Go(func() { failed(fail, r.console.Serve(ctx, newPausable(s.console), r.log)) })
	}
	edges.Go(func() { failed(fail, r.logins.Serve(ctx, newPausable(s.logins))) })
	r.answering.Lock()
	r.answers, r.ended = answers, ctx
	r.answering.Unlock()
	s.present.Store(r)
	failed(fail, begun())
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
	r.metric.Each(func(name string, n uint64) { counters[name] = n })
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

// failed ends the realm if one of its parts ended by itself.
func failed(fail context.CancelCauseFunc, err error) {
	if err != nil {
		fail(err)
	}
}

// drain takes the players out of their worlds, which must still be running.
func (r *realm) drain(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if r.clockDriver != nil {
		r.clockDriver.SetSpeed(1) // no player leaves a world that stands still
	}
	if err := r.gate.Shutdown(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	counted := []any{"took", time.Since(began).Round(time.Millisecond)}
	r.metric.Each(func(name string, n uint64) {
		if n > 0 {
			counted = append(counted, name, n)
		}
	})
	r.log.Info("stopped", counted...)
	return nil
}

// newLogon makes the login server. The gateway must listen: its address is in the realm list.
func (r *realm) newLogon() (*login.Server, error) {
	password, err := r.config.openPassword()
	if err != nil {
		return nil, err
	}
	address := r.config.RealmAddress
	if address == "" {
		world := r.gate.Addr()
		if world.Addr().IsUnspecified() {
			world = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), world.Port())
			r.log.Warn("the realm list sends clients to this host: others need --realm-address", "address", world)
		}
		address = world.String()
	}
	secret, err := secret(r.config.Data)
	if err != nil {
		return nil, err
	}
	seats := share(descriptors(), r.config.MaxPlayers)
	return login.New(login.Config{
		Realms:       []login.Realm{{Name: r.config.RealmName, Address: address}},
		OpenPassword: password, OpenLevel: r.config.OpenLevel,
		MaxConns: seats.logins, PerAddress: r.config.MaxPerAddress, LimitLoopback: r.config.LimitLoopback,
		Guard:  r.config.WrongPass.guard(r.config.LimitLoopback, secret, r.metric, r.log, r.store),
		Secret: secret, Metric: r.metric, Log: r.log,
	}, r.store)
}

func addrPort(l net.Listener) netip.AddrPort { return l.Addr().(*net.TCPAddr).AddrPort() }
