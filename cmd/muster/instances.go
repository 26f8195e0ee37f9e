package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"muster/components/defs"
	"muster/net/gateway"
	"muster/net/gateway/instances"
	"muster/net/protocol/command"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/net/replication/recording"
	"muster/sched"
	"muster/sched/tickstats"
	"muster/systems"
)

// maxInstances is how many instances a process can have at a time.
const maxInstances = 1000

// slots is how many instances this process can have: none where worlds are in other processes.
func (r *realm) slots() int {
	if r.config.Bus != "" {
		return 0
	}
	return r.config.Instances
}

// newInstances makes the instances of the realm, of which there are none yet.
func (r *realm) newInstances() *instances.Instances {
	exits := make(map[uint32]gateway.Place)
	for i := range r.defs.Maps {
		if m := &r.defs.Maps[i]; m.Instanced {
			exits[m.ID] = r.place(m.Exit)
		}
	}
	r.instanceHeader = r.flags.header(new(defs.Map), r.ephemeral)
	r.instanceRate.Store(math.Float32bits(r.instanceHeader.XPRate))
	slots := r.slots()
	if slots == 0 {
		slots = -1
	}
	return instances.New(instances.Config{
		Exits: exits, Slots: slots, PerHour: r.config.InstancesPerHour, Empty: r.config.InstanceEmpty, Make: r.makeInstance, Metric: r.metric,
	})
}

// noteRate has instances that are made from now on give as much experience as an operator has told the worlds that there are to.
func (r *realm) noteRate(verb *command.Verb, args string) {
	if verb.Path != "server set rate xp" {
		return
	}
	a := command.Split(args)
	if rate := a.Float(0, math.MaxFloat32); a.End() == nil { // and the worlds have taken it
		r.instanceRate.Store(math.Float32bits(rate))
	}
}

// makeInstance makes the world of an instance and runs it. It is neither recorded nor kept, and the page does not show it.
func (r *realm) makeInstance(ctx context.Context, slot int, number, id uint32) (w instances.World, err error) {
	m := r.defs.Map(id)
	port := r.emptyExchange(keptTime)
	port.Happened = func(f *frame.Frame) { r.logEvents(id, f); r.gate.NoteLevels(f) }
	header := r.headerOf(m, number)
	world := newWorld(&header, r.defs, r.metric)
	live := &systems.Live{World: world, Exchange: port, Date: r.date(), Inspector: inspect.NewInspector()}
	live.Stats = tickstats.New(id, m.Name, r.pacer.Rungs.Unit, r.longestStep(), world.Plan())
	ready := make(chan struct{})
	if !r.gate.Instance(ctx, slot, id, port, ready) {
		return w, errors.New("the gateway takes no instance")
	}
	running, stop := context.WithCancel(r.running)
	ended, done := make(chan struct{}), make(chan struct{})
	loop := r.instanceLoop(m, number, live, ended)
	go func() {
		defer close(done)
		loop.Run(running)
		port.Stop()
	}()
	close(ready)
	r.log.Info("instance", "number", number, "map", id, "name", m.Name, "slot", slot)
	return instances.World{Ended: ended, Stop: func() {
		stop()
		<-done
		r.log.Info("instance has ended", "number", number, "map", id)
	}}, nil
}

// headerOf is what the world of an instance is made of. It does not read the flags, which reload may change meanwhile.
func (r *realm) headerOf(m *defs.Map, number uint32) recording.Header {
	header := r.instanceHeader
	header.Map, header.XPRate = m.ID, math.Float32frombits(r.instanceRate.Load())
	header.Seed += uint64(number) // each has chances of its own
	return header
}

// instanceLoop is the loop of an instance. A panic ends that alone.
func (r *realm) instanceLoop(m *defs.Map, number uint32, live *systems.Live, ended chan<- struct{}) *sched.Loop {
	return &sched.Loop{
		Map: live, Clock: r.clock, Unit: r.pacer.Rungs.Unit, Stride: r.pacer.Stride, Longest: r.pacer.Rungs.Longest(),
		Overrun: func(_ uint64, _, _ time.Duration, dropped uint64) {
			r.metric.Count("tick.overrun")
			r.metric.Add("tick.dropped", dropped)
		},
		Panicked: func(n uint64, value any, stack []byte) {
			r.metric.Count("map.panic")
			r.log.Error("panic: the instance is given up", "map", m.ID, "number", number, "tick", n, "panic", fmt.Sprint(value), "stack", string(stack))
			live.Exchange.Stop()
			close(ended)
		},
	}
}
