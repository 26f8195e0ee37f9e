package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/loaders/store/database"
	"muster/loaders/store/sqlite"
	"muster/loaders/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		c := sqlite.Config{Dir: t.TempDir(), Timeout: time.Second}
		return storetest.Place{
			Open:    func() (store.Store, error) { return sqlite.Open(t.Context(), c) },
			Durable: true,
			Break:   func() (mend func()) { return block(t, c.Dir) },
			SQL:     func(statement string) []string { return ask(t, c.Dir, statement) },
		}
	})
}

// raw opens the file of a store as any other program does.
func raw(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// ask returns the rows that a statement returns, as text.
func ask(t *testing.T, dir, statement string) (list []string) {
	t.Helper()
	rows, err := raw(t, dir).Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, textOf(values))
	}
	return list
}

func textOf(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, "|")
}

// block keeps other connections from writing.
func block(t *testing.T, dir string) (release func()) {
	t.Helper()
	db := raw(t, dir)
	db.SetMaxOpenConns(1)
	exec(t, db, "BEGIN IMMEDIATE")
	return func() { exec(t, db, "ROLLBACK") }
}

func open(t *testing.T, c sqlite.Config) *database.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestReadersDoNotWait(t *testing.T) {
	dir := t.TempDir()
	s := open(t, sqlite.Config{Dir: dir, Timeout: time.Minute})
	a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	release := block(t, dir)
	defer release()
	if _, err := s.Account(t.Context(), "ADA"); err != nil {
		t.Errorf("read beside a writer: %v", err)
	}

	cause := errors.New("the time is up")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, cause)
	defer cancel()
	began := time.Now()
	if err := s.SetSessionKey(ctx, a.ID, [40]byte{1}); !errors.Is(err, cause) {
		t.Errorf("write beside a writer: %v, want %v", err, cause)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to see that the context had ended", took)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `a b`, `ü?#%41&'`)
	s := open(t, sqlite.Config{Dir: dir})
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		"": 0o700 | fs.ModeDir, sqlite.File: 0o600, sqlite.File + "-wal": 0o600, sqlite.File + "-shm": 0o600,
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%q: %v, %v, want %v", name, info, err, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != sqlite.File && e.Name() != "muster.lock" {
			t.Errorf("%s is left", e.Name())
		}
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), sqlite.Config{Dir: file}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	text := []byte("This is a letter, and no database; it must not be overwritten.")
	if err := os.WriteFile(filepath.Join(dir, sqlite.File), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir}); err == nil {
		t.Error("a letter is taken for a database")
	}
	if got, err := os.ReadFile(filepath.Join(dir, sqlite.File)); err != nil || string(got) != string(text) {
		t.Errorf("the letter is %q, %v", got, err)
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	c := sqlite.Config{Dir: t.TempDir()}
	s := open(t, c)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	exec(t, raw(t, c.Dir), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)")
	if _, err := sqlite.Open(t.Context(), c); !errors.Is(err, database.ErrNewer) {
		t.Errorf("%v, want %v", err, database.ErrNewer)
	}
}

// TestMigrationIsWhole has the last table of the first migration fail.
func TestMigrationIsWhole(t *testing.T) {
	c := sqlite.Config{Dir: t.TempDir()}
	db := raw(t, c.Dir)
	exec(t, db, "CREATE TABLE guids (other TEXT)")
	if _, err := sqlite.Open(t.Context(), c); err == nil {
		t.Error("a table of another is taken for ours")
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'accounts'").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d tables of the migration that failed are there, %v", n, err)
	}
	exec(t, db, "DROP TABLE guids")
	s := open(t, c)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"}); err != nil {
		t.Error(err)
	}
}
