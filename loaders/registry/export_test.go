package registry

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// StopInJoin is a process that joins, and stands still until end is closed when it has the lock. It closes stopped then. The error is that of going on.
func (r *Registry) StopInJoin(stopped chan<- struct{}, end <-chan struct{}) error {
	return r.transact(context.Background(), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, lockGateways)
		close(stopped)
		if err != nil {
			return err
		}
		<-end
		_, err = tx.Exec(ctx, `SELECT 1`)
		return err
	})
}

// Heard has State of a leader have been answered for so long.
func (l *Leader) Heard(d time.Duration) { l.since = l.answered.Add(-d) }

// FindPlayersQuery is the statement of FindPlayers.
const FindPlayersQuery = findPlayers

// Reachable is where others reach what listens on an address.
func Reachable(address string, local net.Addr) string { return reachable(address, local) }
