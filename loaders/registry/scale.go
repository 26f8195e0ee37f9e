package registry

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
)

const (
	setScale   = `INSERT INTO scales (realm, workers) VALUES ($1, $2) ON CONFLICT (realm) DO UPDATE SET workers = $2`
	readScale  = `SELECT workers FROM scales WHERE realm = $1`
	endProcess = `UPDATE processes SET ending = true, draining = draining OR role = 'worker' WHERE realm = $1 AND id = $2 AND until > now()`
)

// SetScale says how many workers a realm is to have.
func (r *Registry) SetScale(ctx context.Context, realm string, workers int) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, setScale, realm, workers)
		return err
	})
}

// Scale is how many workers a realm is to have. It is not ok if nothing has been said.
func (r *Registry) Scale(ctx context.Context, realm string) (workers int, ok bool, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := tx.QueryRow(ctx, readScale, realm).Scan(&workers)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return workers, ok, err
}

// End has a process end, as Enlisted.Ending tells it when it renews its lease: a worker once its worlds are given to others. The error is
// ErrReplaced if there is no such process.
func (r *Registry) End(ctx context.Context, realm string, process uint64) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, endProcess, realm, process)
		if err == nil && done.RowsAffected() == 0 {
			err = ErrReplaced
		}
		return err
	})
}

// Ending reports whether an operator wants the process to end, as of the last renewal of its lease.
func (e *Enlisted) Ending() bool { return e.ending.Load() }

const endOthers = `UPDATE processes SET ending = true, draining = true WHERE realm = $1 AND role = 'worker' AND until > now() AND NOT ending
	AND (release <> $2 OR settings <> $3) RETURNING id`

// EndOthers has all workers end that are of another release, or have other settings, once their worlds are given to others. It is done to all at once, so that none is given
// those of another one, and returns their IDs, without those that were to end already.
func (r *Registry) EndOthers(ctx context.Context, realm, release, settings string) (ended []uint64, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, endOthers, realm, release, settings)
		if err == nil {
			ended, err = pgx.CollectRows(rows, pgx.RowTo[uint64])
		}
		slices.Sort(ended)
		return err
	})
	return ended, err
}
