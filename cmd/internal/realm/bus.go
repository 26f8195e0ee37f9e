package realm

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// busFlags are of what connects gateways and workers.
type busFlags struct {
	Bus     string `placeholder:"URL" help:"Have the worlds run by muster worker, over NATS: nats://HOST:PORT, or one for each server of it with commas between them; --tick is the same there and here. Default: they run in this process."`
	Gateway uint8  `default:"1" placeholder:"N" help:"With --bus: the number of this gateway, which no other of the realm has; with --database the one that it gets if no other is known that has it (${default})."`

	link.Access
}

// check refuses what no gateway can be made with.
func (f *busFlags) check(worlds *worldspec.Settings) error {
	switch {
	case f.Gateway == 0:
		return errors.New("--gateway is from 1 to 255")
	case worlds.Clock == "virtual":
		return errors.New("--bus and --clock virtual exclude each other: the worlds have their own clock")
	case worlds.Record != "":
		return errors.New("--bus and --record exclude each other: the inboxes of worlds are recorded by muster worker --record")
	}
	return errors.Join(link.CheckURL(f.Bus), f.Access.Check(), worlds.CheckStep())
}

// link makes an exchange for each map, and connects it with the world of that map in another process.
func (r *Realm) link() (err error) {
	if r.links.bus, err = r.config.Access.Connect(r.config.Bus, fmt.Sprintf("muster gateway %d", r.config.Gateway), natsbus.Gateway, r.Log); err != nil {
		return err
	}
	r.links.ends = make(map[uint32]*remote.Gateway)
	for _, m := range r.AllMaps() {
		r.links.ends[m.ID] = r.newEnd(remote.Address{Map: m.ID}, r.NewExchange(m, link.Kept), 0)
	}
	return nil
}

// newEnd makes the end for the world of a map or an instance of this realm, whose life is so much or more.
func (r *Realm) newEnd(of remote.Address, exchange *frame.Exchange, least uint64) *remote.Gateway {
	of.Realm = link.Subject(r.config.RealmName)
	return remote.NewGateway(remote.GatewayConfig{
		Bus: r.links.bus, Address: of, Exchange: exchange,
		Number: uint32(r.config.Gateway), Life: link.NewLife(), Made: r.Made(), Step: r.Pacer.Rungs.Quantum, Least: least, Metric: r.Metric, Log: r.Log,
	})
}

// runLinks has the ends run until ctx ends, and then closes the bus. Where a world is lost, the next one of its map takes its place.
func (r *Realm) runLinks(ctx context.Context, running *sync.WaitGroup) {
	if r.links.bus == nil {
		return
	}
	var ends sync.WaitGroup
	for id, end := range r.links.all() {
		ends.Go(func() { r.followWorlds(ctx, id, end) })
	}
	running.Go(func() {
		ends.Wait()
		r.links.bus.Close()
	})
}

// followWorlds runs the ends for the worlds of a map, one after another. The realm ends with one that cannot be reached at all.
func (r *Realm) followWorlds(ctx context.Context, id uint32, end *remote.Gateway) {
	happened := r.Exchanges[id].Happened
	for {
		err := end.Run(ctx)
		switch {
		case err == nil:
			return
		case !errors.Is(err, remote.ErrLost):
			r.Log.Error("a world cannot be reached", "map", id, "err", err)
			r.code.Store(process.ExitFailure)
			r.end()
			return
		}
		if errors.Is(err, remote.ErrMoved) {
			r.Log.Info("a world has ended in order: its players go on when a worker has it, but those that it has not handed over, which are closed", "map", id)
		} else {
			r.Log.Error("a world is lost: its players are closed, and it can be entered again when a worker has it", "map", id, "err", err)
		}
		exchange := r.EmptyExchange(link.Kept)
		exchange.Happened = happened
		end = r.newEnd(remote.Address{Map: id}, exchange, end.Least())
		if !r.gate.Follow(ctx, id, exchange, end.Ready()) {
			return
		}
		r.links.mu.Lock()
		r.links.ends[id] = end
		r.links.mu.Unlock()
		go func() {
			select {
			case <-end.Ready():
				r.Log.Info("a world is there again", "map", id)
			case <-end.Ended():
			}
		}()
	}
}
