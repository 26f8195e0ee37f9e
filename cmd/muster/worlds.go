package main

import (
	"log/slog"
	"sync"
	"time"

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

// A worldSet is the worlds that a process steps: one for each of its maps, each behind an exchange, all on one clock.
type worldSet struct {
	scripts     scriptLog
	flags       *worldFlags
	log         *slog.Logger
	metric      *metric.Table
	defs        *defs.World
	worlds      []*sched.Loop
	tickStats   []*tickstats.Stats
	exchanges   map[uint32]*frame.Exchange     // by map
	recorders   map[uint32]*recording.Recorder // of the worlds that are recorded, by map
	plan        string                         // of every tick
	flight      *flight.Recorder               // nil if it is off
	pacer       *ladder.Pacer                  // how long a step is
	clock       sched.Clock
	clockDriver *sched.ClockDriver // turns the clock, if it is virtual
	page        page.Config
	logs        *worldLogs                            // that worlds are kept in; nil if they are not
	made        func() uint64                         // worldFlags.made of them
	tracer      *span.Tracer                          // of movements; nil if none are traced
	instance    uint32                                // that the worlds are of, where it is one
	observe     func(id uint32, port *frame.Exchange) // is called with the exchange of each map; nil does nothing
}

// newWorldSet makes what worlds of these flags have in common, and none of them yet. With known definitions it makes none.
func newWorldSet(flags *worldFlags, known *defs.World, counters *metric.Table, log *slog.Logger) (*worldSet, error) {
	r := &worldSet{
		flags: flags, log: log, metric: counters, defs: known, pacer: ladder.NewPacer(flags.rungs()),
		exchanges: make(map[uint32]*frame.Exchange), recorders: make(map[uint32]*recording.Recorder),
	}
	r.metric.Declare(metric.Overflow, "tick.overrun", "tick.dropped", "map.panic", "record.ended")
	r.clock = r.newClock()
	var err error
	if r.defs == nil {
		r.defs, err = newDefs(flags.Seed, flags.Creatures, flags.Start)
	}
	r.made = sync.OnceValue(func() uint64 { return r.flags.made(r.defs) })
	r.page = page.Config{Release: release(), Defs: r.defs, Step: r.longestStep(), Pacer: r.pacer, ClockDriver: r.clockDriver, Metric: r.metric}
	return r, err
}

// newExchange makes the exchange of the world of a map.
func (r *worldSet) newExchange(m *defs.Map, kept time.Duration) *frame.Exchange {
	port := r.emptyExchange(kept)
	r.exchanges[m.ID] = port
	port.Happened = func(f *frame.Frame) { r.logEvents(m.ID, f) }
	if r.observe != nil {
		r.observe(m.ID, port)
	}
	return port
}

// emptyExchange makes an exchange that keeps frames for so long.
func (r *worldSet) emptyExchange(kept time.Duration) *frame.Exchange {
	port := frame.NewExchange()
	port.Keep, port.Longest = uint64(max(kept/r.pacer.Rungs.Unit, frame.RingFrames)), r.pacer.Rungs.Longest()
	port.NowMs = func() uint32 { return uint32(r.clock.Now() / time.Millisecond) }
	return port
}

// makeWorlds makes a world and its loop for some maps. Frames are kept so long for those that lag.
func (r *worldSet) makeWorlds(maps []*defs.Map, ephemeral bool, kept time.Duration) error {
	for _, m := range maps {
		port := r.newExchange(m, kept)
		header := r.flags.header(m, ephemeral)
		header.World = r.defs.Digest
		fresh := func() *systems.World { return newWorld(&header, r.defs, r.metric) }
		live := &systems.Live{Exchange: port, Date: r.date()}
		if r.logs == nil {
			live.World = fresh()
		} else {
			var kept *worldlog.Log
			var err error
			if live.World, kept, err = r.logs.newWorld(&header, fresh); err != nil {
				return err
			}
			live.Log = kept
		}
		world := live.World
		if err := r.record(live, header); err != nil {
			return err
		}
		r.plan = world.Plan().String()
		live.Inspector = inspect.NewInspector()
		live.Inspector.Unpaced = r.clockDriver != nil
		r.follow(live, m.ID)
		p := r.pulse(m, world)
		r.fly(live, p, header)
		r.page.Worlds = append(r.page.Worlds, page.World{Map: m, Inspector: live.Inspector, Stats: p})
		r.worlds = append(r.worlds, &sched.Loop{
			Map: live, Clock: r.clock, Unit: r.pacer.Rungs.Unit, Stride: r.pacer.Stride, Longest: r.pacer.Rungs.Longest(), Overrun: r.overrun(p),
			Behind: &p.Behind, Panicked: r.panicked(p, live, world.Plan().Running),
		})
	}
	if r.logs != nil {
		r.logs.advance(r.clock)
		return r.logs.continues()
	}
	return nil
}

// allMaps are the maps of the definitions that have one world each.
func (r *worldSet) allMaps() []*defs.Map { return fixedMaps(r.defs) }

// newClock is the clock of all worlds. A virtual one has a ClockDriver.
func (r *worldSet) newClock() sched.Clock {
	if r.flags.Clock != "virtual" {
		return sched.NewRealClock()
	}
	c := sched.NewVirtualClock()
	r.clockDriver = sched.NewClockDriver(c, r.longestStep())
	return c
}

// fly has the ticks of a world observed, by the flight recorder too if there is one.
func (r *worldSet) fly(live *systems.Live, p *tickstats.Stats, header recording.Header) {
	live.Stats = p
	if r.flight != nil {
		w, traced := r.flight.Watch(p, header), live.Heard
		live.Heard, live.Ended = w.Heard, w.Ended
		if traced != nil {
			live.Heard = func(n uint64, in *frame.Inbox) { w.Heard(n, in); traced(n, in) }
		}
	}
}

// pulse makes the tick statistics of a map.
func (r *worldSet) pulse(m *defs.Map, world *systems.World) *tickstats.Stats {
	p := tickstats.New(m.ID, m.Name, r.pacer.Rungs.Unit, r.longestStep(), world.Plan())
	r.tickStats = append(r.tickStats, p)
	return p
}

// overrun reports the late ticks of a map: each in the counters, and of those that took longer than the longest step, or
// after which others were skipped, one a second in the log. A tick that did not take long is late when the machine stood still.
func (r *worldSet) overrun(p *tickstats.Stats) func(n uint64, step, took time.Duration, dropped uint64) {
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
func (r *worldSet) panicked(p *tickstats.Stats, live *systems.Live, system func() string) func(n uint64, value any, stack []byte) {
	return func(n uint64, value any, stack []byte) {
		r.metric.Count("map.panic")
		r.log.Error("panic: the map is given up", "map", p.Map, "name", p.Name, "tick", n, "system", system(), "panic", value, "stack", string(stack))
		p.Abandon()
		live.Exchange.Stop()
		if l, ok := live.Log.(*worldlog.Log); ok { // it would panic again
			if err := l.Discard(); err != nil {
				r.log.Error("what is kept of the map is not removed", "map", p.Map, "err", err)
			}
		}
		if t := r.recorders[p.Map]; t != nil {
			t.Close() // with the tick that panicked
		}
	}
}
