package registry

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// A Realm is one of those that share the accounts of the database. Each has characters, gateways, workers and worlds of its own.
type Realm struct {
	Number  uint8 // that of its characters: 0 is the first that there was
	Name    string
	Level   uint8 // accounts of lower security levels are locked out
	Offline bool  // an operator has said so: it lets no clients in
	Players int   // how many it lets in at a time; 0 as many as its gateways have seats for
}

// MaxRealms is how many there can be, our own choice: as many as a list of realms has room for.
const MaxRealms = 100

const (
	// The gateways are locked: no other process makes a realm meanwhile.
	makeRealm = `INSERT INTO realms (number, name) SELECT n, $1 FROM generate_series(0, $2 - 1) AS n
		WHERE NOT EXISTS (SELECT FROM realms WHERE number = n) AND NOT EXISTS (SELECT FROM realms WHERE name = $1) ORDER BY n LIMIT 1`
	findRealm  = `SELECT number FROM realms WHERE name = $1`
	listRealms = `SELECT number, name, level, offline, players FROM realms ORDER BY number`
)

// realm is the number of a realm, which is made if it is new. The error is ErrFull if there are too many.
func realm(ctx context.Context, tx pgx.Tx, name string) (number uint8, err error) {
	if _, err := tx.Exec(ctx, makeRealm, name, MaxRealms); err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, findRealm, name).Scan(&number)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrFull
	}
	return number, err
}

// Realms lists the realms that there are or have been, by number.
func (r *Registry) Realms(ctx context.Context) (list []Realm, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, listRealms)
		if err == nil {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Realm])
		}
		return err
	})
	return list, err
}

const setRealm = `UPDATE realms SET level = $2, offline = $3 WHERE name = $1`

// SetRealm says which accounts a realm is open to, and whether to any. The error is ErrNoRealm if there is none of that name.
func (r *Registry) SetRealm(ctx context.Context, name string, level uint8, offline bool) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, setRealm, name, level, offline)
		if err == nil && done.RowsAffected() == 0 {
			err = ErrNoRealm
		}
		return err
	})
}

const countByRealm = `SELECT realm, count(*) FROM characters.characters WHERE account = $1 GROUP BY realm`

// CountCharacters is how many characters an account has in each realm in which it has any, by number.
func (r *Registry) CountCharacters(ctx context.Context, account uint32) (by map[uint8]int, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	rows, err := r.pool.Query(ctx, countByRealm, account)
	if err != nil {
		return nil, wrap(err)
	}
	by = make(map[uint8]int)
	var number uint8
	var n int
	_, err = pgx.ForEachRow(rows, []any{&number, &n}, func() error {
		by[number] = n
		return nil
	})
	return by, wrap(err)
}
