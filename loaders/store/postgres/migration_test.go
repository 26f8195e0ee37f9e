package postgres_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/database"
	"muster/loaders/store/portable"
	"muster/loaders/store/postgres"
)

// older makes a database as the second version of the schema had it. The text is from pg_dump of a database that the
// last program of that version has written; version2.dump is what that program's dump had.
func older(t *testing.T) (url string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "database", "testdata", "version2.postgres.sql"))
	if err != nil {
		t.Fatal(err)
	}
	url = fresh(t)
	exec(t, raw(t, url), string(text))
	return url
}

// expectDump compares everything in a store with the dump of the program that wrote it.
func expectDump(t *testing.T, s store.Store) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "database", "testdata", "version2.dump"))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := portable.Dump(t.Context(), &got, s, nil); err != nil {
		t.Error(err)
	}
	lines, want := strings.Split(got.String(), "\n"), strings.Split(string(text), "\n")
	if len(lines) != len(want) {
		t.Fatalf("it has %d records, want %d", len(lines), len(want))
	}
	for i := range lines {
		if lines[i] != want[i] {
			t.Errorf("it has\n%s\nwant\n%s", lines[i], want[i])
		}
	}
	if err := s.Check(t.Context(), func(p store.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}

func openAt(t *testing.T, url string, log *slog.Logger) *database.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func number(t *testing.T, url, statement string) (n int) {
	t.Helper()
	if err := raw(t, url).QueryRow(t.Context(), statement).Scan(&n); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return n
}

func TestMigration(t *testing.T) {
	url := older(t)
	expectDump(t, openAt(t, url, nil))
	if n := number(t, url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'characters' AND tablename = 'items'"); n != 0 {
		t.Error("the table of owners is still there")
	}
	expectDump(t, openAt(t, url, nil)) // again
}

// The server ends the connection when all items or all lists have been moved, and before that is committed.
func TestMigrationIsKilled(t *testing.T) {
	for version, want := range map[int]map[string]int{
		4: {"SELECT count(*) FROM characters.item_instance": 0, "SELECT count(*) FROM characters.items": 8},
		7: {
			"SELECT count(*) FROM characters.item_instance": 8, "SELECT count(*) FROM characters.character_spell": 0,
			"SELECT count(*) FROM characters.character_action":                                              0,
			`SELECT count(*) FROM characters.characters WHERE auras = '[]' AND substr(life, 1, 1) = '\x01'`: 4,
		},
	} {
		killed(t, version, want)
	}
}

// killed has a migration killed, and looks at what is there then, and at all after the next start.
func killed(t *testing.T, version int, want map[string]int) {
	t.Helper()
	url := older(t)
	exec(t, raw(t, url), fmt.Sprintf(`CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END';
		CREATE TRIGGER killer BEFORE INSERT ON auth.goose_db_version FOR EACH ROW WHEN (new.version_id = %d)
		EXECUTE FUNCTION public.die()`, version))
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: url}); err == nil {
		t.Fatal("it was not killed")
	}
	for statement, want := range want {
		if n := number(t, url, statement); n != want {
			t.Errorf("after the kill of migration %d: %s: %d, want %d", version, statement, n, want)
		}
	}
	exec(t, raw(t, url), "DROP TRIGGER killer ON auth.goose_db_version")
	expectDump(t, openAt(t, url, nil))
}

// Items that cannot be read stay as they are.
func TestMigrationOfDamage(t *testing.T) {
	url := older(t)
	exec(t, raw(t, url), `UPDATE characters.characters SET items = '\x0102' WHERE name = 'Mirella'`)
	var logged bytes.Buffer
	s := openAt(t, url, slog.New(slog.NewTextHandler(&logged, nil)))
	for _, want := range []string{"character=1 bytes=2", "characters=1 twice=0 unread=4"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, logged.String())
		}
	}
	if _, err := s.Character(t.Context(), 1); err == nil {
		t.Error("a character whose items were cut can be read")
	}
	if c, err := s.Character(t.Context(), 2); err != nil || len(c.Items) != 2 {
		t.Errorf("Brann has %+v, %v, want two items", c.Items, err)
	}
	if n := number(t, url, `SELECT count(*) FROM characters.characters WHERE (items = '\x0102') = (name = 'Mirella')`); n != 4 {
		t.Errorf("%d characters of 4 have what they should: the items that were cut as they were, and no others", n)
	}
	if n := number(t, url, "SELECT count(*) FROM characters.items WHERE owner = 1"); n != 4 {
		t.Errorf("%d owners of items that were cut are left, want 4", n)
	}
}
