package sqlite_test

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"os"
	osexec "os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	modernc "modernc.org/sqlite"

	"muster/components/life"
	"muster/loaders/store"
	"muster/loaders/store/portable"
	"muster/loaders/store/sqlite"
)

// older makes the file of a store as the second version of the schema had it. The text is what the sqlite3 tool prints of
// a file that the last program of that version has written; version2.dump is what that program's dump had.
func older(t *testing.T) (dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "database", "testdata", "version2.sqlite.sql"))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	exec(t, raw(t, dir), string(text))
	return dir
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

func TestMigration(t *testing.T) {
	dir := older(t)
	expectDump(t, open(t, sqlite.Config{Dir: dir}))
	if n := number(t, dir, "SELECT count(*) FROM sqlite_schema WHERE name = 'items'"); n != 0 {
		t.Error("the table of owners is still there")
	}
	expectDump(t, open(t, sqlite.Config{Dir: dir})) // again
}

func number(t *testing.T, dir, statement string) (n int) {
	t.Helper()
	if err := raw(t, dir).QueryRow(statement).Scan(&n); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return n
}

// The process is killed when all items or all lists have been moved, and before that is committed. The one that is killed is this
// test again, which is told the folder.
func TestMigrationIsKilled(t *testing.T) {
	const variable = "MUSTER_TEST_MIGRATE"
	if dir := os.Getenv(variable); dir != "" {
		modernc.MustRegisterScalarFunction("die", 0, func(*modernc.FunctionContext, []driver.Value) (driver.Value, error) {
			return nil, syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		_, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
		t.Fatalf("it was not killed: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int]map[string]int{
		4: {"SELECT count(*) FROM item_instance": 0, "SELECT count(*) FROM items": 8},
		7: {
			"SELECT count(*) FROM item_instance": 8, "SELECT count(*) FROM character_spell": 0, "SELECT count(*) FROM character_action": 0,
			"SELECT count(*) FROM characters WHERE auras = '[]' AND substr(life, 1, 1) = x'01'": 4,
		},
	} {
		killed(t, self, variable, version, want)
	}
}

// killed has a migration killed, and looks at what is there then, and at all after the next start.
func killed(t *testing.T, self, variable string, version int, want map[string]int) {
	t.Helper()
	dir := older(t)
	exec(t, raw(t, dir), fmt.Sprintf("CREATE TRIGGER killer BEFORE INSERT ON goose_db_version WHEN new.version_id = %d BEGIN SELECT die(); END", version))
	child := osexec.Command(self, "-test.run", "^TestMigrationIsKilled$")
	child.Env = append(os.Environ(), variable+"="+dir)
	said, err := child.CombinedOutput()
	if child.ProcessState == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended with %v:\n%s", err, said)
	}
	for statement, want := range want {
		if n := number(t, dir, statement); n != want {
			t.Errorf("after the kill of migration %d: %s: %d, want %d", version, statement, n, want)
		}
	}
	exec(t, raw(t, dir), "DROP TRIGGER killer")
	expectDump(t, open(t, sqlite.Config{Dir: dir}))
}

// Items that cannot be read stay as they are: those of Mirella are cut. Brann has those of Dorin, which stay Dorin's.
func TestMigrationOfDamage(t *testing.T) {
	dir := older(t)
	db := raw(t, dir)
	exec(t, db, `UPDATE characters SET items = x'0102' WHERE name = 'Mirella'`)
	exec(t, db, `UPDATE characters SET items = (SELECT items FROM characters WHERE name = 'Dorin') WHERE name = 'Brann'`)
	var logged bytes.Buffer
	s := open(t, sqlite.Config{Dir: dir, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	for _, want := range []string{"character=1 bytes=2", "characters=1 twice=2 unread=6"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, logged.String())
		}
	}
	if _, err := s.Character(t.Context(), 1); err == nil {
		t.Error("a character whose items were cut can be read")
	}
	if n := number(t, dir, `SELECT count(*) FROM characters WHERE (items = x'0102') = (name = 'Mirella')`); n != 4 {
		t.Errorf("%d characters of 4 have what they should: the items that were cut as they were, and no others", n)
	}
	if n := number(t, dir, "SELECT count(*) FROM items WHERE owner = 1"); n != 4 {
		t.Errorf("%d owners of items that were cut are left, want 4", n)
	}
	want := []life.Item{
		{GUID: 0x4000_0000_0080_0008, Entry: 25, Count: 1, Durability: 1, Bag: life.InBody, Slot: 15},
		{GUID: 0x4000_0000_0080_0006, Entry: 159, Count: 5, Bag: life.InBody, Slot: 23},
	}
	if c, err := s.Character(t.Context(), 4); err != nil || !reflect.DeepEqual(c.Items, want) {
		t.Errorf("Dorin has %+v, %v, want %+v", c.Items, err, want)
	}
	if c, err := s.Character(t.Context(), 2); err != nil || len(c.Items) != 0 {
		t.Errorf("Brann has %+v, %v, want nothing", c.Items, err)
	}
	var what []string
	if err := s.Check(t.Context(), func(p store.Problem) { what = append(what, p.String()) }); err != nil || len(what) != 1 || !strings.Contains(what[0], "character 1: ") {
		t.Errorf("the check finds %q, %v", what, err)
	}
}

// A life that cannot be read stays as it is, and the lists of the others are moved.
func TestMigrationOfDamagedLife(t *testing.T) {
	dir := older(t)
	exec(t, raw(t, dir), `UPDATE characters SET life = x'0102' WHERE name = 'Mirella'`)
	var logged bytes.Buffer
	s := open(t, sqlite.Config{Dir: dir, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	for _, want := range []string{`"a life that cannot be read stays as it is" character=1`, `"some lists could not be moved to their tables" characters=1`} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, logged.String())
		}
	}
	if _, err := s.Character(t.Context(), 1); err == nil {
		t.Error("a character whose life was cut can be read")
	}
	if n := number(t, dir, `SELECT count(*) FROM characters WHERE (life = x'0102') = (name = 'Mirella')`); n != 4 {
		t.Errorf("%d characters of 4 have what they should: the life that was cut as it was, and no others", n)
	}
	if c, err := s.Character(t.Context(), 2); err != nil || !slices.Equal(c.Spells, []uint32{5, 78, 74000}) || len(c.Actions) != 2 {
		t.Errorf("Brann has %+v, %v", c, err)
	}
}
