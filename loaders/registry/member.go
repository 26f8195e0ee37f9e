package registry

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Gateway is a gateway that was heard of lately and accepts players.
type Gateway struct {
	Number  uint32
	Address string // host:port, as clients dial it
	Load    int    // connections that are let in
	Realm   uint8  // the number of its realm
	Seats   int    // how many connections it lets in at most; 0 if that is not known
}

// A Member is a gateway of the registry: this process. Its methods may be called from any goroutine.
type Member struct {
	registry *Registry
	number   uint32
	life     int64
	realm    uint8
}

// Realm is the number of the gateway's realm, and of the characters in it.
func (m *Member) Realm() uint8 { return m.realm }

// Number is that of the gateway, from 1 to 255, which no other has while its lease is not over.
func (m *Member) Number() uint32 { return m.number }

const (
	// Nothing renews or joins meanwhile.
	lockGateways = `LOCK TABLE gateways IN SHARE ROW EXCLUSIVE MODE`
	findHome     = `SELECT number FROM gateways WHERE home = $1`
	findNumber   = `SELECT n FROM generate_series(1, 255) AS n
		LEFT JOIN gateways ON number = n WHERE number IS NULL OR until <= now() ORDER BY number IS NOT NULL, n <> $1, n LIMIT 1`
	dropPlaces   = `DELETE FROM places WHERE gateway = $1`
	freeSessions = `UPDATE sessions SET gateway = NULL, guid = NULL WHERE gateway = $1`
	takeNumber   = `INSERT INTO gateways (number, home, life, address, load, since, heard, until, steady, realm, seats)
		VALUES ($1, $2, nextval('lives'), '', 0, now(), now(), now() + $3, now(), $4, $5)
		ON CONFLICT (number) DO UPDATE SET home = excluded.home, life = excluded.life, address = '', load = 0, realm = excluded.realm, seats = excluded.seats,
		since = now(), heard = now(), until = excluded.until, steady = now() RETURNING life`
)

// Lease is the default of Config.Lease: players of a gateway that is gone are to be let in by another one within seconds. It is ten times as long as what is between two renewals,
// and lasts while two of them hang.
const Lease = 10 * time.Second

// Join makes this process a gateway, until its lease is over or it leaves. Home is what no other process has at the same time:
// what had it before has ended, so that its number and its claims are this one's. Another home has the wished number, if
// no gateway has it that has not left, or else the lowest such; only if there is none, one whose lease is over. The gateway is of the realm
// of a name, which is made if it is the first, and lets in as many connections as it has seats, 0 if that is not known. The error is ErrFull if there is no number.
func (r *Registry) Join(ctx context.Context, home string, wish uint32, realmName string, seats int) (*Member, error) {
	m := &Member{registry: r}
	err := r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockGateways); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, findHome, home).Scan(&m.number)
		if errors.Is(err, pgx.ErrNoRows) {
			err = tx.QueryRow(ctx, findNumber, wish).Scan(&m.number)
			if errors.Is(err, pgx.ErrNoRows) {
				return ErrFull
			}
			if err == nil { // the lease of what had the number is over
				_, err = tx.Exec(ctx, freeSessions, m.number)
			}
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, dropPlaces, m.number); err != nil { // of the process before
			return err
		}
		if m.realm, err = realm(ctx, tx, realmName); err != nil {
			return err
		}
		return tx.QueryRow(ctx, takeNumber, m.number, home, r.config.Lease, m.realm, seats).Scan(&m.life)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

const (
	// No lease is longer than it is when it begins, unless the clock of the database has gone back: what has ended meanwhile would keep its own for as much longer.
	// (A lease that has begun after now() of this transaction has begun before clock_timestamp().)
	renewLease = `WITH shortened AS (UPDATE gateways SET until = clock_timestamp() + $5, heard = clock_timestamp()
			WHERE number IN (SELECT number FROM gateways WHERE number <> $1 AND until > clock_timestamp() + $5 FOR UPDATE SKIP LOCKED))
		UPDATE gateways SET address = $3, load = $4, heard = now(), until = now() + $5,
		steady = CASE WHEN until > now() AND steady <= now() THEN steady ELSE now() END WHERE number = $1 AND life = $2 RETURNING steady = now()`
	// A gateway renews every second, and one that ended by itself accepts nothing long before its lease is over.
	listLive = `SELECT number, address, load, realm, seats FROM gateways
		WHERE until > now() AND heard > now() - interval '4 seconds' AND address <> '' ORDER BY number`
)

// Renew begins the lease anew, or fails within a third of it. An address says that this one accepts players. The error is
// ErrReplaced if another process has the number: this one has lost its claims then. Lapsed is reported of a lease that was over: another gateway
// may have claimed what was this one's. It is reported, too, if the clock of the database has gone back to before the lease began.
func (m *Member) Renew(ctx context.Context, address string, load int) (lapsed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.registry.config.Lease/3) // one that hangs leaves time for another
	defer cancel()
	err = m.registry.call(ctx, func(ctx context.Context, q querier) error {
		err := q.QueryRow(ctx, renewLease, m.number, m.life, address, load, m.registry.config.Lease).Scan(&lapsed)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrReplaced
		}
		return err
	})
	return lapsed, err
}

// Gateways lists the gateways that accept players and were heard of in the last 4 s, by number.
func (r *Registry) Gateways(ctx context.Context) (live []Gateway, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		live, err = gateways(ctx, tx)
		return err
	})
	return live, err
}

func gateways(ctx context.Context, tx pgx.Tx) ([]Gateway, error) {
	rows, err := tx.Query(ctx, listLive)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Gateway])
}

const leave = `WITH gone AS (DELETE FROM gateways WHERE number = $1 AND life = $2 RETURNING number)
	UPDATE sessions SET gateway = NULL, guid = NULL FROM gone WHERE gateway = gone.number`

// Leave ends the lease, and gives back all that is claimed.
func (m *Member) Leave(ctx context.Context) error {
	return m.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, leave, m.number, m.life)
		return err
	})
}

// Lease is how long the registry keeps a gateway that is not heard of.
func (m *Member) Lease() time.Duration { return m.registry.config.Lease }
