package worlddb

import (
	"context"
	"database/sql/driver"
	"errors"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A scratch is the SQLite file of a world that is being made. It is lost if the process ends: nothing waits for the disk.
type scratch struct {
	conn     driver.Conn
	prepared map[string]driver.Stmt
	rows     int // since the last commit
}

// location is a file as the driver takes it.
func location(path string, query url.Values) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	return u.String(), nil
}

func openScratch(ctx context.Context, path string) (*scratch, error) {
	at, err := location(path, url.Values{"_pragma": {"page_size(16384)", "journal_mode(truncate)", "synchronous(off)", "locking_mode(exclusive)",
		"cache_size(-65536)", "temp_store(file)"}})
	if err != nil {
		return nil, err
	}
	connector, err := sqlite.NewConnector(at)
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &scratch{conn: conn, prepared: make(map[string]driver.Stmt)}
	if _, err := s.exec("BEGIN"); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// exec executes a statement once, and returns how many rows it changed.
func (s *scratch) exec(statement string, args ...any) (int64, error) {
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	result, err := s.conn.(driver.ExecerContext).ExecContext(context.Background(), statement, named)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// maxUncommitted is how many rows a transaction has: its journal has the pages that they change.
const maxUncommitted = 250_000

// add executes a statement that is prepared once. It returns how many rows it added.
func (s *scratch) add(statement string, args []driver.NamedValue) (int64, error) {
	p := s.prepared[statement]
	if p == nil {
		var err error
		if p, err = s.conn.Prepare(statement); err != nil {
			return 0, err
		}
		s.prepared[statement] = p
	}
	result, err := p.(driver.StmtExecContext).ExecContext(context.Background(), args)
	if err != nil {
		return 0, err
	}
	if s.rows++; s.rows >= maxUncommitted {
		if err := s.commit(); err != nil {
			return 0, err
		}
	}
	return result.RowsAffected()
}

func (s *scratch) commit() error {
	s.rows = 0
	if _, err := s.exec("COMMIT"); err != nil {
		return err
	}
	_, err := s.exec("BEGIN")
	return err
}

// forget closes prepared statements, as is needed before a table changes.
func (s *scratch) forget() (err error) {
	for _, p := range s.prepared {
		err = errors.Join(err, p.Close())
	}
	clear(s.prepared)
	return err
}

// finish commits and closes.
func (s *scratch) finish() error {
	_, err := s.exec("COMMIT")
	return errors.Join(err, s.close())
}

func (s *scratch) close() error { return errors.Join(s.forget(), s.conn.Close()) }

// codeOf is what SQLite calls an error, with the extension; 0 if it is none of SQLite's.
func codeOf(err error) int {
	if err == nil {
		return 0
	}
	if e := new(sqlite.Error); errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// isDuplicate reports whether a row with that key is there.
func isDuplicate(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_ROWID
}

// isFull reports errors of the disk, which no other statement would escape.
func isFull(err error) bool {
	switch codeOf(err) & 0xFF {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}
