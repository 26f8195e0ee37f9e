package registry

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A Seeker is a login that wants to be let into the realm of its gateway.
type Seeker struct {
	Account uint32
	Login   uint64
	Exempt  bool // it does not wait
}

// An Ended is a login that needs no place any more.
type Ended struct {
	Account uint32
	Login   uint64
}

// What was lost in a crash of the database is written again by those that wait, so that nothing here waits for the disk.
const looseCommit = `SET LOCAL synchronous_commit = off`

const (
	// One gateway of the realm at a time changes places.
	lockPlaces = `SELECT FROM realms WHERE number = $1 FOR UPDATE`

	// A place in another realm, or at a gateway that has ended, is none.
	dropStale = `DELETE FROM places p WHERE account = ANY($1::bigint[]) AND NOT EXISTS (
		SELECT FROM gateways g WHERE g.number = p.gateway AND g.life = p.life AND g.until > now() AND g.realm = $2)`

	// A newer login of an account has the place of the older one, or its ticket.
	seek = `INSERT INTO places AS p (account, login, ticket, gateway, life, placed)
		SELECT DISTINCT ON (s.account) s.account, s.login, s.login, $4::smallint, $5::bigint, s.exempt
		FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS s (account, login, exempt)
		WHERE NOT EXISTS (SELECT FROM places q WHERE q.account = s.account AND q.login >= s.login)
		ORDER BY s.account, s.login DESC
		ON CONFLICT (account) DO UPDATE SET login = excluded.login, gateway = excluded.gateway, life = excluded.life, placed = p.placed OR excluded.placed
		WHERE p.login < excluded.login`

	freePlaces = `DELETE FROM places p USING unnest($1::bigint[], $2::bigint[]) AS e (account, login)
		WHERE p.account = e.account AND p.login <= e.login`

	// Those that wait at a gateway that ended by itself are out long before its lease is over, as it is out of the realm list.
	waiting = `WITH waiting AS (
		SELECT p.account, p.login, p.ticket, p.gateway FROM places p JOIN gateways g ON g.number = p.gateway AND g.life = p.life
		WHERE NOT p.placed AND g.realm = $1 AND (g.number = $2 OR g.heard > now() - interval '4 seconds'))`

	// The first of those whose gateways have seats are let in, as many as the realm has room for. Nothing is counted while none waits.
	letIn = waiting + `, room AS (
		SELECT CASE WHEN r.players > 0 THEN greatest(0, r.players - (
			SELECT count(*) FROM places p JOIN gateways g ON g.number = p.gateway AND g.life = p.life
			WHERE p.placed AND g.realm = $1 AND g.until > now())) END AS free
		FROM realms r WHERE r.number = $1
	), seats AS (
		SELECT g.number, CASE WHEN g.seats > 0 THEN g.seats - (
			SELECT count(*) FROM places p WHERE p.gateway = g.number AND p.life = g.life AND p.placed) END AS free
		FROM gateways g WHERE g.number IN (SELECT gateway FROM waiting)
	), numbered AS (
		SELECT w.account, w.ticket, s.free, row_number() OVER (PARTITION BY w.gateway ORDER BY w.ticket) AS nth
		FROM waiting w JOIN seats s ON s.number = w.gateway
	) UPDATE places SET placed = true WHERE account IN (
		SELECT account FROM numbered WHERE free IS NULL OR nth <= free ORDER BY ticket LIMIT (SELECT free FROM room))`

	listPlaces = waiting + `
		SELECT login, 0 AS at FROM places WHERE placed AND gateway = $2 AND life = $3 AND account = ANY($4::bigint[]) AND login = ANY($5::bigint[])
		UNION ALL SELECT login, at FROM (SELECT login, gateway, row_number() OVER (ORDER BY ticket) AS at FROM waiting) w
		WHERE gateway = $2 AND login = ANY($5::bigint[])`
)

// Places has logins of this gateway wait for a place in its realm, or asks again for those that wait, and frees the places of others. It says where each
// login is that seeks one: 0 it is let in, or its position among all that wait in the realm, from 1. A login that it does not name has been replaced by
// a newer one of its account, through whichever gateway, which has its place. A login that ends lets the first in that waits, at whichever gateway:
// that hears of it when it asks again. It is one batch in a transaction.
func (m *Member) Places(ctx context.Context, ended []Ended, seekers []Seeker) (at map[uint64]int, err error) {
	accounts, logins, exempt := make([]int64, len(seekers)), make([]int64, len(seekers)), make([]bool, len(seekers))
	for i, s := range seekers {
		accounts[i], logins[i], exempt[i] = int64(s.Account), int64(s.Login), s.Exempt
	}
	gone, last := make([]int64, len(ended)), make([]int64, len(ended))
	for i, e := range ended {
		gone[i], last[i] = int64(e.Account), int64(e.Login)
	}
	at = make(map[uint64]int, len(seekers))
	err = m.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(looseCommit)
		b.Queue(lockPlaces, m.realm)
		if len(seekers) > 0 {
			b.Queue(dropStale, accounts, m.realm)
			b.Queue(seek, accounts, logins, exempt, m.number, m.life)
		}
		if len(ended) > 0 {
			b.Queue(freePlaces, gone, last)
		}
		b.Queue(letIn, m.realm, m.number)
		if len(seekers) > 0 {
			b.Queue(listPlaces, m.realm, m.number, m.life, accounts, logins).Query(func(rows pgx.Rows) error {
				var login uint64
				var place int
				_, err := pgx.ForEachRow(rows, []any{&login, &place}, func() error {
					at[login] = place
					return nil
				})
				return err
			})
		}
		return tx.SendBatch(ctx, &b).Close()
	})
	if err != nil {
		return nil, err
	}
	return at, nil
}

const limitRealm = `UPDATE realms SET players = $2 WHERE name = $1`

// LimitRealm says how many players a realm lets in at a time, through all of its gateways; 0 as many as those have seats for. The error is ErrNoRealm if
// there is none of that name.
func (r *Registry) LimitRealm(ctx context.Context, name string, players int) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, limitRealm, name, players)
		if err == nil && done.RowsAffected() == 0 {
			err = ErrNoRealm
		}
		return err
	})
}
