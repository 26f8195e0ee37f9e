package realm

import (
	"context"
	"errors"
	"sync"

	"muster/cmd/internal/link"
	"muster/net/gateway/instances"
	"muster/net/replication/frame"
	"muster/net/replication/remote"
)

// A linkedInstance is an instance in another process, in a slot of the gateway: an instances.Linked.
type linkedInstance struct {
	realm            *Realm
	slot             int
	number, instance uint32 // of the map, of the instance
	stop             context.CancelFunc
	done             chan struct{} // closed when it runs no more

	mu  sync.Mutex
	end *remote.Gateway // as it is now
}

// linkInstance connects a slot of the gateway with the world of an instance, which may not run yet.
func (r *Realm) linkInstance(ctx context.Context, slot int, number, id uint32) (instances.Linked, error) {
	l := &linkedInstance{realm: r, slot: slot, number: id, instance: number, done: make(chan struct{})}
	exchange := r.instanceExchange(id, link.Kept)
	l.end = r.newEnd(remote.Address{Map: id, Instance: number}, exchange, 0)
	if !r.gate.Instance(ctx, slot, id, exchange, l.end.Ready()) {
		return nil, errors.New("the gateway takes no instance")
	}
	ctx, l.stop = context.WithCancel(r.running)
	go l.run(ctx)
	return l, nil
}

// run has the next world of the instance take the place of one that is lost, until ctx ends.
func (l *linkedInstance) run(ctx context.Context) {
	defer close(l.done)
	log := l.realm.Log.With("map", l.number, "instance", l.instance)
	for end := l.end; ; {
		switch err := end.Run(ctx); {
		case err == nil:
			return
		case !errors.Is(err, remote.ErrLost):
			log.Error("an instance cannot be reached", "err", err)
			return
		case errors.Is(err, remote.ErrMoved):
			log.Info("the world of an instance has ended in order: its players go on when a worker has it, but those that it has not handed over, which are closed")
		default:
			log.Warn("the world of an instance is lost: its players are closed, and it can be entered again when a worker has it", "err", err)
		}
		var exchange *frame.Exchange
		exchange, end = l.next(end.Least())
		if !l.realm.gate.Instance(ctx, l.slot, l.number, exchange, end.Ready()) {
			return
		}
		l.mu.Lock()
		l.end = end
		l.mu.Unlock()
	}
}

// next is the end for the next world of the instance, whose life is so much or more.
func (l *linkedInstance) next(least uint64) (*frame.Exchange, *remote.Gateway) {
	exchange := l.realm.instanceExchange(l.number, link.Kept)
	return exchange, l.realm.newEnd(remote.Address{Map: l.number, Instance: l.instance}, exchange, least)
}

// State implements instances.Linked.
func (l *linkedInstance) State() (ready, ended <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.Ready(), l.end.Ended()
}

// Stop implements instances.Linked.
func (l *linkedInstance) Stop() {
	l.stop()
	<-l.done
}
