// Package realm is what serve and gateway run: worlds, or links to those of other processes, a gateway, logins, and answers for operators.
package realm

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/realmlist"
	"muster/cmd/internal/seats"
	"muster/cmd/internal/storesnapshot"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldreload"
	"muster/cmd/internal/worldset"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/store"
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

// A Realm is all that serve runs: a world per map, a gateway, a login server and a page for operators.
type Realm struct {
	*worldset.Set
	config     *Config
	reloader   *worldreload.Reloader // of an imported world; nil without one
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
	shown     shownInstances
	kept      keptInstances
	running   context.Context // of worlds that are made later; nil before run
	ephemeral bool            // worlds keep nothing

	instanceHeader recording.Header // of instances, but for what is each one's own
	instanceRate   atomic.Uint32    // bits of the XPRate of instances that are made from now on

	Console    *console.Console
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

// New makes the worlds and the gateway. Nothing runs and nothing listens yet. The store is the caller's,
// to be closed when serve has returned.
func New(config *Config, kept store.Store, log *slog.Logger) (*Realm, error) {
	set, err := worldset.New(&config.Settings, config.defs, cmp.Or(config.counters, new(metric.Table)), log)
	if err != nil {
		return nil, err
	}
	set.Tracer = config.tracer
	r := &Realm{Set: set, config: config, store: kept, successors: make(chan *successor), begun: make(chan struct{})}
	r.Metric.Declare("console.panic")
	r.happenings = control.NewHappenings(r.Clock.Now, func(guid uint64) string { return r.gate.NameOf(guid) })
	r.Observe = func(id uint32, exchange *frame.Exchange) {
		keep := r.happenings.World(id)
		log := exchange.Happened
		exchange.Happened = func(f *frame.Frame) { log(f); r.gate.NoteLevels(f); keep(f) }
	}
	r.Console = console.New()
	r.Console.Metric, r.Console.Log, r.Console.Shutdown, r.Console.Reload = r.Metric, log, r.shutdown, r.reload
	if config.imported != nil {
		r.reloader = &worldreload.Reloader{At: config.WorldDB, Files: config.DBC, Seed: config.Seed, Loaded: config.imported}
		r.Console.ReloadWorld = func(ctx context.Context, part string) ([]string, error) {
			return r.reloader.Reload(ctx, r.gate, worldreload.Parts[part])
		}
	}
	r.Console.Accounts = &account.Accounts{Store: kept}
	if m := config.member; m != nil {
		r.Console.Cluster = &clusterview.View{Registry: m.Registry, Realm: config.RealmName}
		r.realms = realmlist.New(m.Registry, log, r.listing)
	}
	saver, _ := kept.(gateway.Saver) // a journal is one
	r.ephemeral = saver == nil
	r.instanceHeader = r.Flags.Header(new(defs.Map), r.ephemeral)
	r.instanceRate.Store(math.Float32bits(r.instanceHeader.XPRate))
	if config.Bus == "" {
		r.Flight = r.Recorder(&config.FlightSettings, config.Data)
		if err = r.keepWorlds(saver); err == nil {
			err = r.MakeWorlds(r.AllMaps(), r.ephemeral, worldset.KeptTime)
		}
		if err == nil && r.Logs != nil {
			err = r.continueInstances()
		}
		if err == nil {
			err = r.Continue()
		}
	} else {
		err = r.link()
		r.claims, r.relay = r.newClaims(), r.newRelay()
		if err == nil {
			r.upgrader = r.newUpgrader()
			r.Console.Upgrader = r.upgrader
		}
	}
	if err != nil {
		return nil, err
	}
	r.instances = r.newInstances()
	r.Console.Instances = r.instances
	r.Console.Executed = r.noteRate
	r.Console.TickStats = r.TickStats
	seats := seats.Share(seats.Descriptors(), config.MaxPlayers)
	var held time.Duration // the default
	if r.links.bus != nil {
		held = 1 // in all steps
	}
	r.gate, err = gateway.New(gateway.Config{
		HeldStep: held,
		Listen:   config.World.AddrPort, Exchanges: r.Exchanges, Store: r.own(), Realm: r.realmID(), Tracer: config.tracer, Lets: r.lets, Saver: saver, Claims: r.gateClaims(), Others: r.gateOthers(), Instances: r.instances, Slots: r.slots(), Start: r.start, StartOf: r.startOf, Templates: r.Defs,
		Quantum: r.Pacer.Rungs.Quantum, Pace: r.Pacer.Rung, Budget: config.ObserverBudget, MaxConnections: seats.Players, MaxPlayers: config.MaxPlayers, Workers: config.workers(),
		MaxPerAddress: config.MaxPerAddress, LimitLoopback: config.LimitLoopback, Handshake: Handshake,
		Policies: config.FloodPolicy.policies, Still: config.Clock == "virtual", Settings: config.gateSettings(),
		Metric: r.Metric, Log: log, Console: r.Console, Reasons: systems.Reasons(),
	})
	r.Console.Realm = r.wide()
	r.Page.Names = func(guid uint64) string { return r.gate.NameOf(guid) }
	if err == nil {
		r.gate.Observe(r.happenings.Connection)
	}
	return r, err
}

// start is where the n-th character begins that is made here. Gateways of one realm take turns, so that together they fill one place after
// another, as one alone does.
func (r *Realm) start(n int) gateway.Place {
	if r.realms != nil {
		turn, gateways := r.realms.Turn(r.config.member.Realm(), r.config.member.Number())
		n = n*gateways + turn
	}
	return r.place(synth.Hub(r.Defs, n))
}

// startOf is where characters of a race and class begin, if an imported world says so.
func (r *Realm) startOf(race, class uint8) (at gateway.Place, ok bool) {
	hub, ok := r.Defs.StartOf(race, class)
	if ok {
		at = r.place(hub)
	}
	return at, ok
}

func (r *Realm) place(hub defs.Hub) gateway.Place {
	return gateway.Place{Map: hub.Map, Zone: r.Defs.Map(hub.Map).Zone(hub.X, hub.Y), X: hub.X, Y: hub.Y, Z: hub.Z, O: hub.O}
}
