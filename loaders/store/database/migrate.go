package database

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
)

// ErrNewer is the error of a schema that a newer muster has changed. Nothing was changed.
var ErrNewer = errors.New("database: the schema is of a newer muster")

// WaitTime bounds how long the opening of a database waits for its answers, and for another process that migrates it.
const WaitTime = time.Minute

// A Dialect is a kind of database that has migrations.
type Dialect string

// The dialects.
const (
	SQLite   = Dialect(goose.DialectSQLite3)
	Postgres = Dialect(goose.DialectPostgres)
)

// folders of migrations. The tables and columns of all dialects have the same names.
var folders = map[Dialect]string{SQLite: "migrations/sqlite", Postgres: "migrations/postgres"}

//go:embed migrations
var migrations embed.FS

// Migrate brings a database to the schema of this package, each migration in a transaction of its own. The caller
// excludes concurrent migrations. It returns ErrNewer, and changes nothing, if the schema is newer. A migration takes as
// long as it takes, and logs how far it is, and damaged data that stays as it was; without a log to slog.Default.
func Migrate(ctx context.Context, db *sql.DB, d Dialect, log *slog.Logger) error {
	if log == nil {
		log = slog.Default()
	}
	folder, err := fs.Sub(migrations, folders[d])
	if err != nil {
		return err
	}
	items := goose.NewGoMigration(4, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		return fillItems(ctx, tx, d, log)
	}}, nil)
	lists := goose.NewGoMigration(7, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		return fillLists(ctx, tx, d, log)
	}}, nil)
	p, err := goose.NewProvider(goose.Dialect(d), db, folder, goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(items, lists))
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	looking, cancel := context.WithTimeout(ctx, WaitTime)
	stored, known, err := p.GetVersions(looking)
	cancel()
	if err != nil {
		return fmt.Errorf("database: read the version of the schema: %w", err)
	}
	if stored > known {
		return fmt.Errorf("%w: its version is %d, and this one knows %d", ErrNewer, stored, known)
	}
	if stored == known {
		return nil
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("database: migrate: %w", err)
	}
	return nil
}
