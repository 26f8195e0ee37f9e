package realm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"muster/cmd/internal/link"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/net/gateway"
	"muster/net/gateway/instances"
	"muster/net/ops/console"
	"muster/net/ops/page"
	"muster/net/protocol/command"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
	"muster/sched"
	"muster/sched/tickstats"
	"muster/systems"
)

// slots is how many instances this process can have players in: none where worlds are in other processes without a registry.
func (r *Realm) slots() int {
	if r.config.Bus != "" && r.config.member == nil {
		return 0
	}
	return r.config.Instances
}

// An instancing is the instances that a realm has.
type instancing interface {
	gateway.Instances
	console.Instances
	Run(ctx context.Context)
	Close()
}

// newInstances makes the instances of the realm. Those that were kept do not run yet, and there are no others.
func (r *Realm) newInstances() instancing {
	exits := make(map[uint32]gateway.Place)
	for i := range r.Defs.Maps {
		if m := &r.Defs.Maps[i]; m.Instanced {
			exits[m.ID] = r.place(m.Exit)
		}
	}
	if m := r.config.member; m != nil {
		return instances.NewClient(instances.ClientConfig{
			Exits: exits, Slots: r.slots(), Registry: m.Registry, Bus: r.links.bus, Realm: r.config.RealmName, Subject: link.Subject(r.config.RealmName),
			Gateway: uint8(m.Number()), Life: link.NewLife(), Link: r.linkInstance, Metric: r.Metric, Log: r.Log,
		})
	}
	rules := r.config.InstanceBounds.Rules()
	if r.slots() == 0 {
		rules.Slots = -1
	}
	c := instances.Config{Exits: exits, Rules: rules, Make: r.makeInstance, Metric: r.Metric, Kept: r.kept.kept}
	if r.kept.journal != nil {
		c.Journal = r.kept.journal
	}
	return instances.New(c)
}

// shownInstances are the instances that run, as the live page shows them. Its methods may be called from any goroutine.
type shownInstances struct {
	mu  sync.Mutex
	all []page.World // by number
}

func (s *shownInstances) add(w page.World) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, w)
	slices.SortFunc(s.all, func(a, b page.World) int { return cmp.Compare(a.Stats.Instance, b.Stats.Instance) })
}

func (s *shownInstances) remove(number uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(w page.World) bool { return w.Stats.Instance == number })
}

// after are worlds with the instances after them.
func (s *shownInstances) after(worlds []page.World) []page.World {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(worlds, s.all)
}

// noteRate has instances that are made from now on give as much experience as an operator has told the worlds that there are to.
func (r *Realm) noteRate(verb *command.Verb, args string) {
	if verb.Path != "server set rate xp" {
		return
	}
	a := command.Split(args)
	if rate := a.Float(0, math.MaxFloat32); a.End() == nil { // and the worlds have taken it
		r.instanceRate.Store(math.Float32bits(rate))
	}
}

// instanceExchange is the exchange of an instance of a map, which keeps frames for so long.
func (r *Realm) instanceExchange(id uint32, kept time.Duration) *frame.Exchange {
	exchange := r.EmptyExchange(kept)
	exchange.Happened = func(f *frame.Frame) { r.LogEvents(id, f); r.gate.NoteLevels(f) }
	return exchange
}

// makeInstance makes the world of an instance, or has the one that was kept go on, and runs it. It is not recorded.
func (r *Realm) makeInstance(ctx context.Context, slot int, number, id uint32) (w instances.World, err error) {
	m := r.Defs.Map(id)
	exchange := r.instanceExchange(id, worldset.KeptTime)
	world, err := r.takeInstance(m, number)
	if err != nil {
		return w, err
	}
	defer func() {
		if err != nil && !world.goesOn {
			r.discardInstance(number, world.log)
		}
	}()
	live := &systems.Live{World: world.World, Exchange: exchange, Date: r.Date(), Inspector: inspect.NewInspector()}
	if world.log != nil {
		live.Log = world.log
	}
	live.Stats = tickstats.New(id, m.Name, r.Pacer.Rungs.Quantum, r.LongestStep(), world.Plan())
	live.Stats.Instance = number
	if r.reloader != nil && !world.goesOn {
		parts, err := r.reloader.Current(id, exchange.NowMs())
		if err == nil {
			err = exchange.Post(parts)
		}
		if err != nil {
			return w, err
		}
	}
	ready := make(chan struct{})
	if !r.gate.Instance(ctx, slot, id, exchange, ready) {
		return w, errors.New("the gateway takes no instance")
	}
	running, stop := context.WithCancel(r.running)
	ended, done := make(chan struct{}), make(chan struct{})
	loop := r.instanceLoop(m, number, live, ended)
	r.shown.add(page.World{Map: m, Inspector: live.Inspector, Stats: live.Stats})
	forget := r.Watch(live, r.headerOf(m, number))
	go func() {
		defer close(done)
		loop.Run(running)
		forget()
		r.shown.remove(number)
		exchange.Stop()
	}()
	close(ready)
	r.Log.Info("instance", "number", number, "map", id, "name", m.Name, "slot", slot, "goes_on", world.goesOn)
	return instances.World{Ended: ended, Stop: func() {
		stop()
		<-done
		r.Log.Info("instance has ended", "number", number, "map", id)
	}, Discard: func() { r.discardInstance(number, world.log) }}, nil
}

// headerOf is what the world of an instance is made of. It does not read the flags, which reload may change meanwhile.
func (r *Realm) headerOf(m *defs.Map, number uint32) recording.Header {
	header := worldspec.InstanceHeader(r.instanceHeader, number)
	header.Map, header.World, header.XPRate = m.ID, r.Defs.Digest, math.Float32frombits(r.instanceRate.Load())
	return header
}

// instanceLoop is the loop of an instance. A panic ends that alone.
func (r *Realm) instanceLoop(m *defs.Map, number uint32, live *systems.Live, ended chan<- struct{}) *sched.Loop {
	return &sched.Loop{
		Map: live, Clock: r.Clock, Quantum: r.Pacer.Rungs.Quantum, Stride: r.Pacer.Stride, Longest: r.Pacer.Rungs.Longest(),
		Overrun: func(_ uint64, _, _ time.Duration, dropped uint64) {
			r.Metric.Count("tick.overrun")
			r.Metric.Add("tick.dropped", dropped)
		},
		Panicked: func(n uint64, value any, stack []byte) {
			r.Metric.Count("map.panic")
			r.Log.Error("panic: the instance is given up", "map", m.ID, "number", number, "tick", n, "panic", fmt.Sprint(value), "stack", string(stack))
			live.Stats.Abandon()
			live.Exchange.Stop()
			if l, ok := live.Log.(*worldlog.Log); ok { // it would panic again
				if err := l.Discard(); err != nil {
					r.Log.Error("what is kept of the instance is not removed", "number", number, "err", err)
				}
			}
			close(ended)
		},
	}
}
