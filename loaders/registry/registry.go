// Package registry keeps, in PostgreSQL, which gateways there are and which account plays through which of them, and which
// worker has which world. It is in the schema cluster of the database that has the accounts and the characters.
//
// A gateway is a member for as long as it renews its lease, which ends by the clock of the database. What it has claimed is
// its own until it gives it back or the lease is over. A claim raises the version of the stored character to one that no
// former claim has reached, so that what an older gateway still saves is refused as stale.
//
// All processes are enlisted, each with a lease that it renews. A shard, which is a world, is given to one worker at a time, with an epoch that
// is greater than all before: what a worker writes of a shard is refused if its epoch is older. One process leads: the one whose session has the
// advisory lock of the realm, and only through that session does it give shards, and place standbys of them. A standby that has gone on with a shard, as
// the log of its world decides, takes it, if no worker has been given it meanwhile.
package registry

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Errors of a registry, besides those of the database.
var (
	ErrFull       = errors.New("registry: all numbers of gateways are taken")
	ErrReplaced   = errors.New("registry: another process is this gateway")
	ErrSuperseded = errors.New("registry: a newer login of the account has claimed it")
	ErrLed        = errors.New("registry: another process leads")
	ErrOlder      = errors.New("registry: the epoch is not that of the shard any more")
	ErrNoRealm    = errors.New("registry: there is no realm of that name")
	ErrNewer      = errors.New("registry: the schema is of a newer muster")
)

// A HeldError is returned for an account that another gateway has.
type HeldError struct {
	Gateway uint32
	GUID    uint64 // of the character
	Fence   uint64
}

// Error implements error.
func (e *HeldError) Error() string {
	return fmt.Sprintf("registry: gateway %d has the account", e.Gateway)
}

// Config says where the registry is. Zero means the default.
type Config struct {
	URL     string        // of the database, as that of the store
	Lease   time.Duration // of a gateway that is not heard of; default Lease, to the millisecond
	Timeout time.Duration // of one call, connecting included; default 5s
	// ProcessLease is of a process that is not heard of; default ProcessLease, to the millisecond.
	ProcessLease time.Duration
	// Silence is how long a leader may do nothing: its session ends by then, and with it the lock. Default 2s, to the millisecond.
	Silence time.Duration
}

// A Registry is a connection to the registry. Its methods may be called from any goroutine.
type Registry struct {
	pool   *pgxpool.Pool
	config Config
}

// connections are enough: calls are short, and others wait.
const connections = 4

// holdTime is how long a transaction may do nothing: a process that is stopped in one loses its locks.
const holdTime = 3 * time.Second

// Open connects and brings the schema up to date. The schemas of the store are there already. The error wraps ErrNewer if a newer
// muster has changed the schema.
func Open(ctx context.Context, c Config) (*Registry, error) {
	c.ProcessLease, c.Silence = cmp.Or(c.ProcessLease, ProcessLease), cmp.Or(c.Silence, Silence)
	c.Lease, c.Timeout = cmp.Or(c.Lease, Lease), cmp.Or(c.Timeout, 5*time.Second)
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	config.MaxConns = connections
	conn := config.ConnConfig
	conn.ConnectTimeout = c.Timeout
	conn.RuntimeParams["search_path"] = "cluster"
	conn.RuntimeParams["application_name"] = cmp.Or(conn.RuntimeParams["application_name"], "muster registry")
	if err := migrate(ctx, conn); err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	conn.RuntimeParams["statement_timeout"] = strconv.FormatInt(c.Timeout.Milliseconds(), 10)
	conn.RuntimeParams["idle_in_transaction_session_timeout"] = strconv.FormatInt(holdTime.Milliseconds(), 10)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	return &Registry{pool, c}, nil
}

// Close ends the connection.
func (r *Registry) Close() { r.pool.Close() }

// migrationTime bounds how long Open waits for another process that changes the schema, and for the change.
const migrationTime = time.Minute

// migrationLock is the key of the advisory lock: "regist" in ASCII.
const migrationLock = 0x726567697374

//go:embed migrations
var migrations embed.FS

// migrate lets one process at a time check and change the schema.
func migrate(ctx context.Context, config *pgx.ConnConfig) error {
	ctx, cancel := context.WithTimeout(ctx, migrationTime)
	defer cancel()
	db := stdlib.OpenDB(*config)
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil) // until the migration ends
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
		return err
	}
	var there bool // CREATE SCHEMA IF NOT EXISTS needs the right to create, also where it has nothing to do
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'cluster')").Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := db.ExecContext(ctx, "CREATE SCHEMA cluster"); err != nil {
			return err
		}
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, folder, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	switch stored, known, err := p.GetVersions(ctx); {
	case err != nil:
		return err
	case stored > known:
		return fmt.Errorf("%w: its version is %d, and this one knows %d", ErrNewer, stored, known)
	case stored == known:
		return nil
	}
	_, err = p.Up(ctx)
	return err
}

// transact runs f as a transaction.
func (r *Registry) transact(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	return wrap(pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error { return f(ctx, tx) }))
}

// call runs f, which executes one statement: that is a transaction by itself, and takes one round trip instead of three.
func (r *Registry) call(ctx context.Context, f func(context.Context, querier) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	return wrap(f(ctx, r.pool))
}

// A querier is a connection, a transaction or a pool.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// wrap names the origin of an error of the database.
func wrap(err error) error {
	var held *HeldError
	switch {
	case err == nil, errors.As(err, &held), errors.Is(err, ErrFull), errors.Is(err, ErrReplaced), errors.Is(err, ErrSuperseded), errors.Is(err, ErrOlder):
		return err
	}
	return fmt.Errorf("registry: %w", err)
}
