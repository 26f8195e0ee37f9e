package database_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
)

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func create(t *testing.T, s store.Store, account uint32, name string, want uint64) {
	t.Helper()
	c, err := s.CreateCharacter(t.Context(), store.Character{Account: account, Name: name, Race: 1, Class: 1})
	if err != nil || c.GUID != want {
		t.Errorf("%s has GUID %d, %v, want %d", name, c.GUID, err, want)
	}
}

func TestLease(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	create(t, s, a.ID, "First", 1)
	for range 3000 {
		c := store.Character{Account: a.ID, Name: "FIRST", Race: 1, Class: 1}
		if _, err := s.CreateCharacter(t.Context(), c); !errors.Is(err, store.ErrNameTaken) {
			t.Fatal(err)
		}
	}
	create(t, s, a.ID, "Refusals", 2) // cost no GUID

	other := open(t, dir)
	create(t, other, a.ID, "Other", 1001)
	create(t, s, a.ID, "Third", 3)
	create(t, other, a.ID, "Another", 1002)

	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	create(t, s, a.ID, "Later", 1003) // the end costs none
}

func TestLastGUID(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", filepath.Join(dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec("UPDATE guids SET next = $1", store.MaxGUID-1); err != nil {
		t.Fatal(err)
	}
	create(t, s, a.ID, "Last", store.MaxGUID-1)
	create(t, s, a.ID, "Verylast", store.MaxGUID)
	for range 2 {
		c := store.Character{Account: a.ID, Name: "Toolate", Race: 1, Class: 1}
		if _, err := s.CreateCharacter(t.Context(), c); !errors.Is(err, store.ErrFull) {
			t.Errorf("a character beyond the last GUID: %v, want %v", err, store.ErrFull)
		}
	}
}

// TestSchemasAgree compares the names of tables and columns, and their order.
func TestSchemasAgree(t *testing.T) {
	names := func(dialect string) (all []string) {
		files, err := filepath.Glob(filepath.Join("migrations", dialect, "*.sql"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d migrations, %v", dialect, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, filepath.Base(file))
			for _, m := range regexp.MustCompile(`(?m)^CREATE TABLE (?:\w+\.)?(\w+)|^ALTER TABLE (?:\w+\.)?(\w+ ADD COLUMN \w+)|^\t(\w+)`).FindAllStringSubmatch(string(text), -1) {
				all = append(all, strings.Join(m[1:], " "))
			}
		}
		return all
	}
	if a, b := names("sqlite"), names("postgres"); len(a) < 50 || strings.Join(a, "\n") != strings.Join(b, "\n") {
		t.Errorf("SQLite has %q\nPostgreSQL has %q", a, b)
	}
}
