// Package worldset has the worlds that one process steps, all on one clock: their loops, exchanges, recordings, logs on a disk and tick statistics.
package worldset

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/ops/flight"
	"muster/net/ops/page"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/net/replication/recording"
	"muster/net/replication/span"
	"muster/net/replication/worldlog"
	"muster/sched"
	"muster/sched/ladder"
	"muster/sched/tickstats"
	"muster/systems"
)

// A Set is the worlds that a process steps: one for each of its maps, each behind an exchange, all on one clock.
type Set struct {
	scripts     scriptLog
	Flags       *worldspec.Settings
	Log         *slog.Logger
	Metric      *metric.Table
	Defs        *defs.World
	Worlds      []*sched.Loop
	TickStats   []*tickstats.Stats
	Exchanges   map[uint32]*frame.Exchange     // by map
	recorders   map[uint32]*recording.Recorder // of the worlds that are recorded, by map
	Plan        string                         // of every tick
	Flight      *flight.Recorder               // nil if it is off
	forget      []func()                       // have it observe the worlds no more
	Pacer       *ladder.Pacer                  // how long a step is
	Clock       sched.Clock
	ClockDriver *sched.ClockDriver // turns the clock, if it is virtual
	Page        page.Config
	Logs        *Logs                                     // that worlds are kept in; nil if they are not
	Made        func() uint64                             // worldFlags.made of them
	Tracer      *span.Tracer                              // of movements; nil if none are traced
	traced      map[uint32]*span.World                    // those of the worlds, by map
	Instance    uint32                                    // that the worlds are of, where it is one
	StreamLog   func(id, instance uint32) flight.Excerpt  // of the log that a world has in a stream; nil if worlds have none there
	Observe     func(id uint32, exchange *frame.Exchange) // is called with the exchange of each map; nil does nothing
}

// New makes what worlds of these flags have in common, and none of them yet. With known definitions it makes none.
func New(flags *worldspec.Settings, known *defs.World, counters *metric.Table, log *slog.Logger) (*Set, error) {
	r := &Set{
		Flags: flags, Log: log, Metric: counters, Defs: known, Pacer: ladder.NewPacer(flags.Rungs()),
		Exchanges: make(map[uint32]*frame.Exchange), recorders: make(map[uint32]*recording.Recorder), traced: make(map[uint32]*span.World),
	}
	r.Metric.Declare(metric.Overflow, "tick.overrun", "tick.dropped", "map.panic", "record.ended")
	r.Clock = r.newClock()
	var err error
	if r.Defs == nil {
		r.Defs, err = worldspec.NewDefs(flags.Seed, flags.Creatures, flags.Start)
	}
	r.Made = sync.OnceValue(func() uint64 { return r.Flags.Made(r.Defs) })
	r.Page = page.Config{Release: release.Name(), Defs: r.Defs, Step: r.LongestStep(), Quantum: r.Pacer.Rungs.Quantum, Pacer: r.Pacer, ClockDriver: r.ClockDriver, Metric: r.Metric}
	return r, err
}

// NewExchange makes the exchange of the world of a map.
func (r *Set) NewExchange(m *defs.Map, kept time.Duration) *frame.Exchange {
	exchange := r.EmptyExchange(kept)
	r.Exchanges[m.ID] = exchange
	exchange.Happened = func(f *frame.Frame) { r.LogEvents(m.ID, f) }
	if r.Observe != nil {
		r.Observe(m.ID, exchange)
	}
	return exchange
}

// EmptyExchange makes an exchange that keeps frames for so long.
func (r *Set) EmptyExchange(kept time.Duration) *frame.Exchange {
	exchange := frame.NewExchange()
	exchange.Keep, exchange.Longest = uint64(max(kept/r.Pacer.Rungs.Quantum, frame.RingFrames)), r.Pacer.Rungs.Longest()
	exchange.Now = func() time.Duration { return r.Clock.Now() }
	return exchange
}

// MakeWorlds makes a world and its loop for some maps. Frames are kept so long for those that lag.
func (r *Set) MakeWorlds(maps []*defs.Map, ephemeral bool, kept time.Duration) error {
	for _, m := range maps {
		exchange := r.NewExchange(m, kept)
		header := r.Header(m, ephemeral)
		fresh := func() *systems.World { return worldspec.NewWorld(&header, r.Defs, r.Metric) }
		live := &systems.Live{Exchange: exchange, Date: r.Date()}
		if r.Logs == nil {
			live.World = fresh()
		} else {
			var kept *worldlog.Log
			var err error
			if live.World, kept, err = r.Logs.newWorld(0, &header, fresh); err != nil {
				return err
			}
			live.Log = kept
		}
		world := live.World
		if err := r.record(live, header); err != nil {
			return err
		}
		r.Plan = world.Plan().String()
		live.Inspector = inspect.NewInspector()
		live.Inspector.Unpaced = r.ClockDriver != nil
		r.follow(live, m.ID)
		p := r.newTickStats(m, world)
		r.watch(live, p, header)
		r.Page.Worlds = append(r.Page.Worlds, page.World{Map: m, Inspector: live.Inspector, Stats: p})
		r.Worlds = append(r.Worlds, &sched.Loop{
			Map: live, Clock: r.Clock, Quantum: r.Pacer.Rungs.Quantum, Stride: r.Pacer.Stride, Longest: r.Pacer.Rungs.Longest(), Overrun: r.overrun(p),
			Behind: &p.Behind, Panicked: r.panicked(p, live, world.Plan().Running),
		})
	}
	return nil
}

// Continue sets the clock to that of the newest world that goes on from a log, and notes that all have begun.
func (r *Set) Continue() error {
	if r.Logs == nil {
		return nil
	}
	r.Logs.advance(r.Clock)
	return r.Logs.continues()
}

// Header is what the world of a map is made of here.
func (r *Set) Header(m *defs.Map, ephemeral bool) recording.Header {
	header := worldspec.InstanceHeader(r.Flags.Header(m, ephemeral), r.Instance)
	header.World = r.Defs.Digest
	return header
}

// AllMaps are the maps of the definitions that have one world each.
func (r *Set) AllMaps() []*defs.Map { return worldspec.FixedMaps(r.Defs) }

// newClock is the clock of all worlds. A virtual one has a ClockDriver.
func (r *Set) newClock() sched.Clock {
	if r.Flags.Clock != "virtual" {
		return sched.NewFineClock()
	}
	c := sched.NewVirtualClock()
	r.ClockDriver = sched.NewClockDriver(c, r.LongestStep())
	return c
}

// excerpt is of the log of a world, nil if it has none.
func (r *Set) excerpt(id, instance uint32) flight.Excerpt {
	var log flight.Excerpt
	switch {
	case r.StreamLog != nil:
		log = r.StreamLog(id, instance)
	case r.Logs != nil:
		log = func(ctx context.Context, folder string, tick uint64, most int64) error {
			return worldlog.Excerpt(ctx, worldlog.InstanceFolder(r.Logs.folder, instance), folder, id, tick, most)
		}
	default:
		return nil
	}
	return func(ctx context.Context, folder string, tick uint64, most int64) error {
		return log(ctx, worldlog.InstanceFolder(folder, instance), tick, most)
	}
}

// newTickStats makes the tick statistics of a map.
func (r *Set) newTickStats(m *defs.Map, world *systems.World) *tickstats.Stats {
	p := tickstats.New(m.ID, m.Name, r.Pacer.Rungs.Quantum, r.LongestStep(), world.Plan())
	p.Instance = r.Instance
	r.TickStats = append(r.TickStats, p)
	return p
}

// overrun reports the late ticks of a map: each in the counters, and of those that took longer than the longest step, or
// after which others were skipped, one a second in the log. A tick that did not take long is late when the machine stood still.
func (r *Set) overrun(p *tickstats.Stats) func(n uint64, step, took time.Duration, dropped uint64) {
	var logged time.Time
	return func(n uint64, step, took time.Duration, dropped uint64) {
		r.Metric.Count("tick.overrun")
		r.Metric.Add("tick.dropped", dropped)
		p.Late.Add(1)
		p.Skipped.Add(dropped)
		if dropped == 0 && took <= r.LongestStep() { // late for a short step is a figure, and no news
			return
		}
		if now := time.Now(); now.Sub(logged) >= time.Second {
			logged = now
			message := "tick took too long"
			if took <= step {
				message = "ticks skipped: nothing ran for a while"
			}
			r.Log.Warn(message, "map", p.Map, "tick", n, "step", step, "took", took, "dropped", dropped)
		}
	}
}

// panicked gives up a map whose tick has panicked, and closes the sessions of its players. The others go on. The log
// has the system.
func (r *Set) panicked(p *tickstats.Stats, live *systems.Live, system func() string) func(n uint64, value any, stack []byte) {
	return func(n uint64, value any, stack []byte) {
		r.Metric.Count("map.panic")
		r.Log.Error("panic: the map is given up", "map", p.Map, "name", p.Name, "tick", n, "system", system(), "panic", value, "stack", string(stack))
		p.Abandon()
		live.Exchange.Stop()
		if l, ok := live.Log.(*worldlog.Log); ok { // it would panic again
			if err := l.Discard(); err != nil {
				r.Log.Error("what is kept of the map is not removed", "map", p.Map, "err", err)
			}
		}
		if t := r.recorders[p.Map]; t != nil {
			t.Close() // with the tick that panicked
		}
	}
}
