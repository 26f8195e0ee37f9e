// Package worldfork runs copies of worlds that are kept on a clock that stands still, for the page to look at and to step.
package worldfork

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/ops/admin"
	"muster/net/ops/page"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/sched"
	"muster/sched/ladder"
	"muster/sched/tickstats"
	"muster/systems"
)

// A Config is which worlds are copied, and where operators reach the copies. Its tags say how that is spelled on a command line.
type Config struct {
	keptworld.Place
	Admin flags.Address `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; exchange 0 takes a free one (${default})."`
	flags.AdminAccess
	flags.Logging
}

// Check refuses an address without a token that others could reach.
func (v *Config) Check() error { return v.AdminAccess.Check(v.Admin.Addr().IsLoopback()) }

// A fork is copies of worlds that are not connected to anything, on a virtual clock.
type fork struct {
	clock  *sched.VirtualClock
	step   time.Duration // of all worlds; 0 before the first
	driver *sched.ClockDriver
	loops  []*sched.Loop
	lives  []*systems.Live
	stats  []*tickstats.Stats
	page   page.Config
	saves  frame.Saves
	console
}

// firstCopy is the number of the instance of the first copy, and each has another one: instances of realms have lesser numbers, which count from 1.
const firstCopy = 1 << 31

// Run runs the copies until ctx ends.
func Run(ctx context.Context, v *Config, env *flags.Environment) error {
	log := v.Logger(env.Stderr)
	f := &fork{clock: sched.NewVirtualClock()}
	f.page = page.Config{Release: release.Name(), Metric: new(metric.Table), Copies: true}
	var newest time.Duration
	err := v.Each(ctx, func(w *keptworld.World) error {
		number, err := f.add(w)
		if err != nil {
			return err
		}
		newest = max(newest, w.Age())
		hash := fmt.Sprintf("%016x", w.World.Hash())
		log.Info("a copy of the world is made", "map", w.Header.Map, "of", w.Instance, "instance", number, "tick", w.Tick, "players", w.World.Players(), "hash", hash)
		_, err = fmt.Fprintf(env.Stdout, "%v is a copy of %v after tick %d, hash %s\n", keptworld.Shard{Map: w.Header.Map, Instance: number}, w.Shard(), w.Tick, hash)
		return err
	})
	if err != nil {
		return err
	}
	f.clock.Advance(newest)
	f.driver = sched.NewClockDriver(f.clock, f.step)
	f.driver.Settled = func(context.Context) { f.discard() }
	f.page.Step, f.page.ClockDriver = f.step, f.driver
	token, err := v.Token()
	if err != nil {
		return err
	}
	answers, err := admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Alive: func() error { return nil }, Parts: append(page.New(f.page).Parts(), f.part()), Realm: v.RealmName,
		TickStats: f.stats, Pacer: ladder.NewPacer(ladder.New(f.step, 2)), Compat: v.CompatTC9Metrics, Metric: f.page.Metric, Log: log,
	})
	if err != nil {
		return err
	}
	operators, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Admin.AddrPort))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var running sync.WaitGroup
	defer running.Wait()
	for _, l := range f.loops {
		l.Panicked = func(n uint64, value any, stack []byte) {
			fail(fmt.Errorf("tick %d panics: %v\n%s", n, value, stack))
		}
		running.Go(func() { l.Run(ctx) })
	}
	running.Go(func() { f.driver.Run(ctx) })
	running.Go(func() { process.FailOn(fail, admin.Serve(ctx, operators, answers, log)) })
	fmt.Fprintf(env.Stdout, "a copy of %d worlds stands still at %v: http://%v/\n", len(f.loops), newest, membership.AddrPort(operators))
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}

// add adds a world, and returns the number of the instance that it is of.
func (f *fork) add(w *keptworld.World) (number uint32, err error) {
	unit := time.Duration(w.Header.StepMs) * time.Millisecond
	stride := uint64(max(worldspec.DefaultStep/unit, 1))
	step := time.Duration(stride) * unit // the default one, or somewhat less where that is no multiple
	if f.step != 0 && f.step != step {
		return 0, fmt.Errorf("its steps are of %v, and those of the worlds before it of %v", step, f.step)
	}
	f.step = step
	m := w.Defs.Map(w.Header.Map)
	exchange := frame.NewExchange()
	exchange.Keep, exchange.Longest = uint64(max(worldset.KeptTime/unit, frame.RingFrames)), stride
	exchange.Now = f.clock.Now
	exchange.Join(w.Tick)
	live := &systems.Live{World: w.World, Exchange: exchange, Inspector: inspect.NewInspector()}
	live.Inspector.Unpaced = true
	live.Stats = tickstats.New(m.ID, m.Name, unit, step, w.World.Plan())
	number = firstCopy + uint32(len(f.lives))
	live.Stats.Instance = number
	f.console.know(w.World, len(f.lives))
	f.page.Defs = w.Defs
	f.page.Worlds = append(f.page.Worlds, page.World{Map: m, Inspector: live.Inspector, Stats: live.Stats})
	f.lives, f.stats = append(f.lives, live), append(f.stats, live.Stats)
	f.loops = append(f.loops, &sched.Loop{Map: live, Clock: f.clock, Quantum: unit, Stride: func() uint64 { return stride }, Longest: stride})
	return number, nil
}

// discard takes what the worlds have for a gateway, and drops all but answers to commands: there is none.
func (f *fork) discard() {
	for _, live := range f.lives {
		live.Exchange.Departed()
		live.Exchange.Wanted()
		live.Exchange.Saves(&f.saves)
		f.console.take(live.Exchange.Answers())
	}
}
