// Package sqlite keeps a store in one file of a folder. It needs no server and no C library, and several
// processes may use the folder at once.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"muster/loaders/store"
	"muster/loaders/store/database"
)

// Config says where the file is. Zero means the default.
type Config struct {
	Dir     string        // made if it does not exist, for the user alone
	Timeout time.Duration // wait so long for another process that writes, then it is store.ErrBusy; default 5s
	Readers int           // that read at once, beside the one that writes; default 4
	Log     *slog.Logger  // of Open; default slog.Default
}

// File is the name of the database in Config.Dir. Beside it are File-wal and File-shm, which belong to it,
// and lockFile, which is empty.
const File = "muster.db"

// A batch of a thousand saves changes some 800 pages of 4 kB, and would be written to the log twice if the cache could
// not keep them: the default of 2 MB is less. The log is copied to the file when it has 16 MB, which is some batches.
const (
	writeCache = "cache_size(-65536)" // kB, as they are needed
	writeLog   = "wal_autocheckpoint(4000)"
)

// lockFile is locked while the schema is checked and changed.
const lockFile = "muster.lock"

// Open creates the file if there is none, and migrates its schema. The error wraps database.ErrNewer if a newer
// muster has written it.
func Open(ctx context.Context, c Config) (*database.Store, error) {
	c.Timeout = cmp.Or(c.Timeout, 5*time.Second)
	c.Readers = cmp.Or(c.Readers, 4)
	db, err := open(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", filepath.Join(c.Dir, File), err)
	}
	return database.New(db), nil
}

func open(ctx context.Context, c Config) (*db, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	if err := private(dir); err != nil {
		return nil, err
	}
	release, err := lock(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer release()

	writing, err := connect(dir, File, c.Timeout, "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)",
		writeCache, writeLog)
	if err != nil {
		return nil, err
	}
	writing.SetMaxOpenConns(1)
	if err := database.Migrate(ctx, writing, database.SQLite, c.Log); err != nil {
		return nil, errors.Join(fault(err), writing.Close())
	}
	reading, err := connect(dir, File, c.Timeout, "query_only(1)")
	if err != nil {
		return nil, errors.Join(err, writing.Close())
	}
	reading.SetMaxOpenConns(c.Readers + maxSnapshots)
	reading.SetMaxIdleConns(c.Readers)
	r, err := newReaders(ctx, reading, c.Readers)
	if err != nil {
		return nil, errors.Join(fault(err), reading.Close(), writing.Close())
	}
	w, err := newWriter(ctx, writing)
	if err != nil {
		return nil, errors.Join(fault(err), r.close(), reading.Close(), writing.Close())
	}
	return &db{reading: reading, readers: r, writer: w}, nil
}

// private creates a folder and a database that only this user may read: verifiers are in it. SQLite gives the files
// beside the database the same mode.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, File), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// lock waits until no other process is in Open, for database.WaitTime at most. The lock is that of a database of its
// own, so it works wherever SQLite does and ends with the process.
func lock(ctx context.Context, dir string) (release func(), err error) {
	l, err := connect(dir, lockFile, database.WaitTime)
	if err != nil {
		return nil, err
	}
	l.SetMaxOpenConns(1)
	if _, err := l.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return nil, errors.Join(fault(err), l.Close())
	}
	return func() { l.Close() }, nil
}

// connect opens connections to a file as they are needed, each with these pragmas.
func connect(dir, file string, timeout time.Duration, pragmas ...string) (*sql.DB, error) {
	query := url.Values{
		"_busy_timeout": {strconv.FormatInt(timeout.Milliseconds(), 10)},
		"_pragma":       pragmas,
	}
	path := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, file)), RawQuery: query.Encode()}
	connector, err := sqlite.NewConnector(path.String())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// fault returns an error of SQLite as a database.DB does.
func fault(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xFF { // without the extension
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL:
			return fmt.Errorf("%w: %w", store.ErrBusy, err)
		}
	}
	return err
}

// db is a database.DB of connections that read and one that writes.
type db struct {
	reading *sql.DB
	readers *readers
	writer  *writer
}

var _ database.DB = (*db)(nil)

// Read implements database.DB. It does not wait for writers.
func (d *db) Read(ctx context.Context, f func(database.Session) error) error {
	return d.readers.do(ctx, f)
}

// Write implements database.DB.
func (d *db) Write(ctx context.Context, f func(database.Session) error) error {
	return d.writer.do(ctx, f)
}

// Transact implements database.DB.
func (d *db) Transact(ctx context.Context, f func(database.Session) error) error {
	return d.writer.do(ctx, f)
}

// Bulk implements database.DB. All other writers wait for it.
func (d *db) Bulk(ctx context.Context, f func(database.Session) error) error {
	return d.writer.do(ctx, f)
}

// maxSnapshots bounds the concurrent readers of the whole store.
const maxSnapshots = 4

// Snapshot implements database.DB. The write-ahead log grows until it ends.
func (d *db) Snapshot(ctx context.Context, f func(database.Session) error) error {
	tx, err := d.reading.BeginTx(ctx, nil)
	if err != nil {
		return fault(err)
	}
	defer tx.Rollback()
	all := newStatements(tx)
	defer all.close()
	return fault(f(session{ctx, all}))
}

// ForUpdate implements database.DB: only one transaction writes.
func (d *db) ForUpdate() string { return "" }

// ForDelete implements database.DB.
func (d *db) ForDelete() string { return "" }

// Among implements database.DB.
func (d *db) Among() string { return " IN (SELECT value FROM json_each('[' || $1 || ']'))" }

// Close implements database.DB. The last connection to close empties the write-ahead log.
func (d *db) Close() error {
	return errors.Join(d.readers.close(), d.reading.Close(), d.writer.close())
}
