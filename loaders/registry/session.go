package registry

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

const nextLogin = `SELECT nextval('logins')`

// Login is the number of a login, greater than those of all logins before, through any gateway.
func (m *Member) Login(ctx context.Context) (number uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.registry.config.Timeout)
	defer cancel()
	err = m.registry.pool.QueryRow(ctx, nextLogin).Scan(&number)
	return number, wrap(err)
}

// A version of a character has the number of its claims in the upper half, and the saves since the last one in the lower.
const (
	// The row is locked first, so that the claim sees what was there when the last one that had the lock was through.
	lockSession = `SELECT FROM sessions WHERE account = $1 FOR UPDATE`

	// What another gateway has is free if its lease is over, and if it has not renewed it for the time of a lease in which this one
	// always has: the database was not away then.
	claim = `WITH taken AS (
		INSERT INTO sessions AS s (account, login, gateway, guid, fence, since)
		SELECT $1::bigint, $2::bigint, number, $4::bigint, 1, now() FROM gateways WHERE number = $3 AND life = $5
		ON CONFLICT (account) DO UPDATE SET login = excluded.login, gateway = excluded.gateway, guid = excluded.guid,
		fence = s.fence + 1, since = now()
		WHERE s.login <= excluded.login AND (s.gateway IS NULL OR s.gateway = excluded.gateway
		OR NOT EXISTS (SELECT FROM gateways g WHERE g.number = s.gateway AND g.until > now())
		AND EXISTS (SELECT FROM gateways me WHERE me.number = excluded.gateway AND me.until > now() AND me.steady + $6 <= now()))
		RETURNING s.fence
	), raised AS (
		UPDATE characters.characters SET version = ((version >> 32) + 1) << 32 FROM taken WHERE guid = $4 AND account = $1
	) SELECT fence FROM taken`

	whose = `SELECT login, coalesce(gateway, 0), coalesce(guid, 0), fence FROM sessions WHERE account = $1`
)

// Claim makes an account the gateway's, for a character of it and a login. Fence is greater than those of all claims of the
// account before, and what they have not saved yet is refused from now on. The error is ErrSuperseded if a newer login has
// claimed the account, a HeldError if another gateway has it, and ErrReplaced if this one is no member any more.
func (m *Member) Claim(ctx context.Context, account uint32, guid, login uint64) (fence uint64, err error) {
	err = m.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockSession, account); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, claim, account, login, m.number, guid, m.life, m.registry.config.Lease).Scan(&fence)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		var newest uint64
		var held HeldError
		err = tx.QueryRow(ctx, whose, account).Scan(&newest, &held.Gateway, &held.GUID, &held.Fence)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrReplaced
		case err != nil:
			return err
		case newest > login:
			return ErrSuperseded
		case held.Gateway == 0 || held.Gateway == m.number:
			return ErrReplaced
		}
		return &held
	})
	return fence, err
}

// A Session is what a gateway has claimed.
type Session struct {
	Account uint32
	Gateway uint32
	GUID    uint64 // of the character
	Fence   uint64
}

const giveBack = `UPDATE sessions s SET gateway = NULL, guid = NULL
	FROM unnest($1::bigint[], $2::bigint[]) AS c (account, fence)
	WHERE s.account = c.account AND s.fence = c.fence AND s.gateway = $3`

// GiveBack frees accounts, each if it is still this gateway's with that fence. Of a session Account and Fence count.
func (m *Member) GiveBack(ctx context.Context, sessions []Session) error {
	accounts, fences := make([]int64, len(sessions)), make([]int64, len(sessions))
	for i, s := range sessions {
		accounts[i], fences[i] = int64(s.Account), int64(s.Fence)
	}
	return m.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, giveBack, accounts, fences, m.number)
		return err
	})
}

const listSessions = `SELECT account, gateway, guid, fence FROM sessions
	WHERE gateway IN (SELECT number FROM gateways WHERE until > now()) ORDER BY account`

// Sessions lists what gateways have claimed whose lease is not over, by account.
func (r *Registry) Sessions(ctx context.Context) (list []Session, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, listSessions)
		if err == nil {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
		}
		return err
	})
	return list, err
}
