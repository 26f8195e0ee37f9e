package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store/database"
)

// How often transactions that have met are tried again, and how long they wait before: up to firstPause, and
// then up to twice as long each time. Chance keeps two from meeting again.
const (
	tries      = 8
	firstPause = 5 * time.Millisecond
)

// retry does work until it meets no other, and returns its error as a database.DB does.
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

// met says whether a transaction has had to give way to another.
func met(err error) bool {
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) {
		return e.Code == "40001" || e.Code == "40P01" // serialization failure, deadlock
	}
	return errors.Is(err, database.ErrAgain)
}
