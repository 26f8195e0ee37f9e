package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store/database"
)

// How often transactions that conflicted are repeated, and how long they pause before: up to firstPause, and then up
// to twice as long each time. Pauses are random, so that two do not conflict again.
const (
	tries      = 8
	firstPause = 5 * time.Millisecond
)

// retry runs work until it does not conflict, and returns its error as a database.DB does.
func retry(ctx context.Context, work func() error) error {
	pause := firstPause
	for try := 1; ; try++ {
		err := work()
		if !met(err) || try == tries {
			return fault(err)
		}
		timer := time.NewTimer(rand.N(pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fault(err)
		}
		pause *= 2
	}
}

// met reports whether a transaction was aborted because of another.
func met(err error) bool {
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) {
		return e.Code == "40001" || e.Code == "40P01" // serialization failure, deadlock
	}
	return errors.Is(err, database.ErrAgain)
}
