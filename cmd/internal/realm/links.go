package realm

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// links are the ends of a gateway for worlds in other processes.
type links struct {
	bus *natsbus.Bus

	mu   sync.Mutex
	ends map[uint32]*remote.Gateway // by map, as they are now
}

// lost is the error of a map that has no world at the moment.
func (l *links) lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, end := range l.ends {
		select {
		case <-end.Ended():
			return fmt.Errorf("map %d is lost", id)
		case <-end.Ready():
		default:
			return fmt.Errorf("map %d has no worker", id)
		}
	}
	return nil
}

// all are the ends, by map.
func (l *links) all() map[uint32]*remote.Gateway {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.ends)
}

// wait waits until each world has been there. It fails if one ends before. One that was there and is lost is followed once the gateway listens.
func (l *links) wait(ctx context.Context, log *slog.Logger) error {
	for id, end := range l.all() {
		waiting := time.AfterFunc(time.Second, func() { log.Info("waiting for muster worker to answer", "map", id) })
		select {
		case <-end.Ready():
		case <-end.Ended():
		case <-ctx.Done():
		}
		waiting.Stop()
		select {
		case <-end.Ready():
		default:
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("map %d was lost before it could be entered", id)
		}
	}
	return nil
}
