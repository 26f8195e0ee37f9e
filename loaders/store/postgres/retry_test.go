package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store"
	"muster/loaders/store/database"
)

// TestRetry has transactions conflict, some times and for ever.
func TestRetry(t *testing.T) {
	deadlock, other := &pgconn.PgError{Code: "40P01"}, &pgconn.PgError{Code: "23505"}
	for what, c := range map[string]struct {
		fails  int
		err    error
		calls  int
		wanted error
	}{
		"no deadlock":      {0, deadlock, 1, nil},
		"a deadlock":       {1, deadlock, 2, nil},
		"a serialization":  {3, fmt.Errorf("commit: %w", &pgconn.PgError{Code: "40001"}), 4, nil},
		"the same item":    {tries - 1, database.ErrAgain, tries, nil},
		"nothing but":      {tries, deadlock, tries, store.ErrBusy},
		"a duplicate key":  {1, other, 1, other},
		"an answer":        {1, store.ErrStale, 1, store.ErrStale},
		"a server is away": {1, &pgconn.PgError{Code: "57P01"}, 1, store.ErrBusy},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			began := time.Now()
			err := retry(t.Context(), func() error {
				if calls++; calls <= c.fails {
					return c.err
				}
				return nil
			})
			if calls != c.calls || !errors.Is(err, c.wanted) {
				t.Errorf("%s: %v after %d calls, want %v after %d", what, err, calls, c.wanted, c.calls)
			}
			if most := firstPause << c.calls; time.Since(began) > most {
				t.Errorf("%s: it took %v, want at most %v", what, time.Since(began), most)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		calls := 0
		err := retry(ctx, func() error { calls++; return deadlock })
		if calls != 1 || !errors.Is(err, deadlock) {
			t.Errorf("%v after %d calls", err, calls)
		}
	})
}
