package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/components/life"
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

// An item that is gone is known for store.GoneTime, and forgotten when counters are leased after that.
func TestGoneIsForgotten(t *testing.T) {
	dir := t.TempDir()
	s, ctx := open(t, dir), t.Context()
	account, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CreateCharacter(ctx, store.Character{Account: account.ID, Name: "Mirella", Race: 1, Class: 1,
		Life: life.Life{Items: []life.Item{{GUID: 7, Entry: 1, Count: 1, Moves: 5}, {GUID: 8, Entry: 1, Count: 1, Slot: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	c.Version, c.Items = 2, nil
	if err := s.SaveCharacter(ctx, c); err != nil {
		t.Fatal(err)
	}
	db := raw(t, dir)
	gone := func() (all []uint64) {
		rows, err := db.Query("SELECT guid FROM item_gone ORDER BY guid")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var guid uint64
			if err := rows.Scan(&guid); err != nil {
				t.Fatal(err)
			}
			all = append(all, guid)
		}
		return all
	}
	lease := func() {
		if _, err := s.LeaseItems(ctx, 1); err != nil {
			t.Fatal(err)
		}
	}
	if lease(); !slices.Equal(gone(), []uint64{7}) { // the other one has had one owner
		t.Errorf("%d are known, want 7", gone())
	}
	exec(t, db, fmt.Sprint("UPDATE item_gone SET unix = unix - ", int(store.GoneTime/time.Second)+1))
	if lease(); len(gone()) != 0 {
		t.Errorf("%d are known for longer", gone())
	}
}

// A save that is refused an item that is gone does not note again that it is: it is known for as long as it would be without the save. One that is
// lost again is noted, also by the transaction that brings it back.
func TestGoneIsNotedOnce(t *testing.T) {
	dir := t.TempDir()
	s, ctx := open(t, dir), t.Context()
	account, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	item := func(moves uint8) []life.Item { return []life.Item{{GUID: 7, Entry: 1, Count: 1, Moves: moves}} }
	c, err := s.CreateCharacter(ctx, store.Character{Account: account.ID, Name: "Mirella", Race: 1, Class: 1, Life: life.Life{Items: item(5)}})
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, dir)
	for _, step := range []struct {
		name  string
		saves [][]life.Item // in one transaction
		moves uint8         // that are noted
		again bool          // they are noted anew
	}{
		{"lost", [][]life.Item{nil}, 5, true},
		{"refused", [][]life.Item{item(4)}, 5, false},
		{"refused twice", [][]life.Item{item(4), item(3)}, 5, false},
		{"brought back and lost", [][]life.Item{item(6), nil}, 6, true},
		{"brought back", [][]life.Item{item(6)}, 6, false},
		{"lost again", [][]life.Item{nil}, 6, true},
	} {
		exec(t, db, "UPDATE item_gone SET unix = 1")
		var list []store.Character
		for _, items := range step.saves {
			c.Version++
			c.Items = items
			list = append(list, c)
		}
		each, err := s.SaveCharacters(ctx, list)
		if err = errors.Join(append(each, err)...); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		var moves uint8
		var unix int64
		if err := db.QueryRow("SELECT moves, unix FROM item_gone WHERE guid = 7").Scan(&moves, &unix); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if moves != step.moves || (unix != 1) != step.again {
			t.Errorf("%s: gone with %d moves at %d, want %d moves, noted anew: %t", step.name, moves, unix, step.moves, step.again)
		}
	}
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
