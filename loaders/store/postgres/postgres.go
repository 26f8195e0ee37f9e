// Package postgres keeps a store in a PostgreSQL database, in the schemas auth and characters.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"muster/loaders/store/database"
)

// Config says where the database is. Zero means the default.
type Config struct {
	URL         string        // postgres://…, or words like host=…; what it does not say the PG* variables do
	Connections int           // at most; default is pool_max_conns of the URL, or else 4 or a CPU each
	Timeout     time.Duration // of one call, connecting included; then it is store.ErrBusy; default 5s
	Log         *slog.Logger  // of Open; default slog.Default
}

// Open connects and migrates the schemas. The error wraps store.ErrBusy if the server is unavailable or another process
// migrates for longer than database.WaitTime, and database.ErrNewer if a newer muster has changed them.
func Open(ctx context.Context, c Config) (*database.Store, error) {
	c.Timeout = cmp.Or(c.Timeout, 5*time.Second)
	db, err := open(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("postgres: open: %w", err)
	}
	return database.New(db), nil
}

func open(ctx context.Context, c Config) (*db, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = cmp.Or(int32(c.Connections), config.MaxConns)
	conn := config.ConnConfig
	conn.ConnectTimeout = c.Timeout
	conn.RuntimeParams["search_path"] = "auth,characters"
	for name, value := range map[string]string{
		"application_name": "muster",
		"jit":              "off", // a statement of a store takes less time than its compilation
	} {
		conn.RuntimeParams[name] = cmp.Or(conn.RuntimeParams[name], value)
	}
	if err := migrate(ctx, conn, c.Log); err != nil {
		return nil, fault(err)
	}
	// The server ends statements as well: it may not notice that a client is gone.
	conn.RuntimeParams["statement_timeout"] = strconv.FormatInt(c.Timeout.Milliseconds(), 10)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &db{pool: pool, timeout: c.Timeout}, nil
}

// migrationLock is the key of the advisory lock: "muster" in ASCII.
const migrationLock = 0x6D7573746572

// migrate lets one process at a time check and change the schema. The lock is that of a transaction, so that it ends
// with the connection and works through any pooler.
func migrate(ctx context.Context, config *pgx.ConnConfig, log *slog.Logger) (err error) {
	db := stdlib.OpenDB(*config)
	defer db.Close()
	wait, cancel := context.WithTimeout(ctx, database.WaitTime)
	defer cancel()
	if err := db.PingContext(wait); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil) // until the migration ends
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(wait, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
		return err
	}
	for _, schema := range []string{"auth", "characters"} {
		if err := makeSchema(wait, db, schema); err != nil {
			return err
		}
	}
	return database.Migrate(ctx, db, database.Postgres, log)
}

// makeSchema checks first: CREATE SCHEMA IF NOT EXISTS needs the right to create, also where it has nothing to do.
func makeSchema(ctx context.Context, db *sql.DB, name string) error {
	var there bool
	err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)", name).Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = db.ExecContext(ctx, "CREATE SCHEMA "+name)
	return err
}

// db is a database.DB.
type db struct {
	pool    *pgxpool.Pool
	timeout time.Duration
}

var _ database.DB = (*db)(nil)

// Read implements database.DB.
func (d *db) Read(ctx context.Context, f func(database.Session) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	return fault(f(session{ctx, d.pool}))
}

// Write implements database.DB.
func (d *db) Write(ctx context.Context, f func(database.Session) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	return retry(ctx, func() error { return f(session{ctx, d.pool}) })
}

// Transact implements database.DB.
func (d *db) Transact(ctx context.Context, f func(database.Session) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	return retry(ctx, func() error {
		return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error { return f(session{ctx, tx}) })
	})
}

// Bulk implements database.DB. It is not repeated: its input may be consumed. The planner learns at once how large the
// tables are: without that it does not use the indexes until autovacuum comes.
func (d *db) Bulk(ctx context.Context, f func(database.Session) error) error {
	return d.long(ctx, pgx.TxOptions{}, func(s database.Session) error {
		if err := f(s); err != nil {
			return err
		}
		_, err := s.Exec("ANALYZE characters, item_instance, character_spell, character_action")
		return err
	})
}

// Snapshot implements database.DB.
func (d *db) Snapshot(ctx context.Context, f func(database.Session) error) error {
	return d.long(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

// long runs a transaction without a time limit of its own.
func (d *db) long(ctx context.Context, options pgx.TxOptions, f func(database.Session) error) error {
	return fault(pgx.BeginTxFunc(ctx, d.pool, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		return f(session{ctx, tx})
	}))
}

// ForUpdate implements database.DB. Rows that refer to the locked ones may be inserted meanwhile.
func (d *db) ForUpdate() string { return " FOR NO KEY UPDATE" }

// ForDelete implements database.DB.
func (d *db) ForDelete() string { return " FOR UPDATE" }

// Among implements database.DB.
func (d *db) Among() string { return " = ANY (string_to_array($1, ',')::bigint[])" }

// Close implements database.DB.
func (d *db) Close() error {
	d.pool.Close()
	return nil
}
