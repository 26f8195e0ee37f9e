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
	endProcess = `UPDATE processes SET ending = true, draining = draining OR role = 'worker' WHERE realm = $1 AND id = $2 AND until > now() RETURNING role`
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

// End has a process end, as Enlisted.Ending tells it when it renews its lease: a worker once its worlds are given to others. It returns its role. The error is
// ErrReplaced if there is no such process.
func (r *Registry) End(ctx context.Context, realm string, process uint64) (role string, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := tx.QueryRow(ctx, endProcess, realm, process).Scan(&role)
		if errors.Is(err, pgx.ErrNoRows) {
			err = ErrReplaced
		}
		return err
	})
	return role, err
}

// Ending reports whether an operator wants the process to end, as of the last renewal of its lease.
func (e *Enlisted) Ending() bool { return e.ending.Load() }

const supersede = `UPDATE processes SET superseded = NOT superseded WHERE realm = $1 AND role = 'worker' AND until > now()
	AND superseded <> (release <> $2 OR settings <> $3) RETURNING id, superseded`

// Supersede has the workers of a release with some settings take the place of all others, which keep their worlds until they drain, and are given others only as Assign
// says. It returns the IDs of those others, without those that were superseded already.
func (r *Registry) Supersede(ctx context.Context, realm, release, settings string) (others []uint64, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, supersede, realm, release, settings)
		if err != nil {
			return err
		}
		var id uint64
		var superseded bool
		_, err = pgx.ForEachRow(rows, []any{&id, &superseded}, func() error {
			if superseded {
				others = append(others, id)
			}
			return nil
		})
		slices.Sort(others)
		return err
	})
	return others, err
}
