package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"muster/components/defs"
	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// busFlags are of what connects gateways and workers.
type busFlags struct {
	Bus     string `placeholder:"URL" help:"Have the worlds run by muster worker, over NATS: nats://HOST:PORT; the step is then 50ms unless --tick says otherwise, there and here. Default: they run in this process."`
	Gateway uint8  `default:"1" placeholder:"N" help:"With --bus: the number of this gateway, which no other of the realm has; with --database the one that it gets if no other is known that has it (${default})."`
}

// check refuses what no gateway can be made with.
func (f *busFlags) check(worlds *worldFlags) error {
	switch {
	case f.Gateway == 0:
		return errors.New("--gateway is from 1 to 255")
	case worlds.Clock == "virtual":
		return errors.New("--bus and --clock virtual exclude each other: the worlds have their own clock")
	case worlds.Record != "":
		return errors.New("--bus and --record exclude each other: the inboxes of worlds are recorded by muster worker --record")
	}
	return errors.Join(checkBus(f.Bus), worlds.checkStep())
}

// checkStep refuses a step in which the ring of a world does not reach over a restart of the bus.
func (f *worldFlags) checkStep() error {
	if least := remoteKept / frame.MaxRing; f.Tick != 0 && f.Tick < least {
		return fmt.Errorf("--tick is at least %v where worlds and gateways are processes of their own, not %v", least.Round(time.Millisecond), f.Tick)
	}
	return nil
}

// made is a number for what worlds of definitions are made of, as gateways and workers must have it alike.
func (f *worldFlags) made(d *defs.World) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %d %s %v %s", release(), f.Seed, f.Creatures, f.Start, f.Tick, d.Digest)
	return h.Sum64()
}

// checkBus refuses what is not the address of NATS.
func checkBus(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
		return errors.New("--bus is a URL, nats://HOST:PORT")
	}
	return nil
}

// remoteKept is for how long worlds keep frames for gateways in other processes: longer than a restart of the bus takes.
const remoteKept = 15 * time.Second

// newLife is another number for each process, ascending.
func newLife() uint64 { return uint64(time.Now().UnixNano()) }

// subject is a realm's name as a part of a subject: other signs than letters and digits are spelled in hex.
func subject(realm string) string {
	var b strings.Builder
	for _, c := range []byte(realm) {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

// links are the ends of a gateway for worlds in other processes.
type links struct {
	bus  *natsbus.Bus
	ends map[uint32]*remote.Gateway // by map
}

// link makes an exchange for each map, and connects it with the world of that map in another process.
func (r *realm) link() (err error) {
	if r.links.bus, err = natsbus.Connect(r.config.Bus, fmt.Sprintf("muster gateway %d", r.config.Gateway), r.log); err != nil {
		return fmt.Errorf("--bus: %w", err)
	}
	r.links.ends = make(map[uint32]*remote.Gateway)
	mine := newLife()
	for _, m := range r.allMaps() {
		r.links.ends[m.ID] = remote.NewGateway(remote.GatewayConfig{
			Bus: r.links.bus, Address: remote.Address{Realm: subject(r.config.RealmName), Map: m.ID}, Exchange: r.newExchange(m, remoteKept),
			Number: uint32(r.config.Gateway), Life: mine, Made: r.flags.made(r.defs), Metric: r.metric, Log: r.log,
		})
	}
	return nil
}

// run has the ends run until ctx ends, and then closes the bus. It calls lost if all of them have ended before.
func (l *links) run(ctx context.Context, running *sync.WaitGroup, log *slog.Logger, lost func()) {
	if l.bus == nil {
		return
	}
	var ends sync.WaitGroup
	for id, end := range l.ends {
		ends.Go(func() {
			if err := end.Run(ctx); err != nil {
				log.Error("a world is lost: its players are closed, and it can be entered after another start", "map", id, "err", err)
			}
		})
	}
	running.Go(func() {
		ends.Wait()
		if ctx.Err() == nil {
			log.Error("all worlds are lost")
			lost()
		}
		l.bus.Close()
	})
}

// wait waits for all worlds. It fails if one ends.
func (l *links) wait(ctx context.Context, log *slog.Logger) error {
	for id, end := range l.ends {
		waiting := time.AfterFunc(time.Second, func() { log.Info("waiting for muster worker to answer", "map", id) })
		select {
		case <-end.Ready():
			waiting.Stop()
		case <-end.Ended():
			waiting.Stop()
			return fmt.Errorf("map %d was lost before it could be entered", id)
		case <-ctx.Done():
			waiting.Stop()
			return nil
		}
	}
	return nil
}
