package worlddb

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mixedRow has fields of all types, for columns of all types.
type mixedRow struct {
	ID    int64   `column:"guid" key:""`
	Real  float64 `column:"position_x" or:"0.5"`
	Text  string  `column:"comment" or:"none"`
	Whole int64   `column:"orientation" or:"-7"` // of a REAL column
	Digit string  `column:"position_y" or:"?"`   // likewise
	Long  string  `column:"scriptname" or:""`
	Not   int64   `column:"there_is_none" or:"3"`
}

const mixedTable = `CREATE TABLE creature (guid bigint NOT NULL, position_x float, comment text, orientation float, position_y float, scriptname text%s);
INSERT INTO creature VALUES (%s);`

// Rows that are read from the pages of a file are those that SQLite has, in the same order: of tables with numbers, with keys, and without any.
func TestDirect(t *testing.T) {
	long := strings.Repeat("x", 100_000) // of several pages
	rows := "-3,1.25,'one',2.75,-0.0,''),(-2,NULL,NULL,NULL,NULL,NULL),(5,1e300,'',-9,12,'" + long + "'),(9223372036,3,'two',1e19,0.1,'b'"
	for key, direct := range map[string]bool{
		", PRIMARY KEY (guid)": true, ", PRIMARY KEY (guid, position_x)": true, ", PRIMARY KEY (position_x, guid)": false, "": false,
	} {
		rows := rows
		if strings.Contains(key, "position_x") { // which is not NULL then
			rows = strings.Replace(rows, "-2,NULL", "-2,7", 1)
		}
		dir := t.TempDir()
		mustImport(t, Config{Dir: dir, Strict: true}, write(t, "world.sql", fmt.Sprintf(mixedTable, key, rows)))
		src, err := OpenSource(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		if _, got := src.store.root(t.Context(), src.tables["creature"], []string{"guid"}); got != direct {
			t.Errorf("key %q: read directly is %v", key, got)
		}
		read := func() (all []mixedRow) {
			if err := Read(t.Context(), src, "creature", func(r *mixedRow) error {
				all = append(all, *r)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return all
		}
		got := read()
		file := src.store.file
		src.store.file = nil
		want := read()
		src.store.file = file
		if len(want) != 4 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("key %q: %.200v, want %.200v", key, got, want)
		}
		if r := got[2]; r.ID != 5 || r.Real != 1e300 || r.Whole != -9 || r.Digit != "12" || len(r.Long) != len(long) || r.Not != 3 {
			t.Errorf("key %q: %.200v", key, r)
		}
	}
}

// A file is not read directly if another one has taken its place, or if SQLite keeps its changes in a log beside it.
func TestNotDirect(t *testing.T) {
	dir := t.TempDir()
	mustImport(t, Config{Dir: dir}, write(t, "world.sql", fmt.Sprintf(mixedTable, ", PRIMARY KEY (guid)", "1,1,'',1,1,''")))
	path := filepath.Join(dir, File)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if direct(file, path) == nil {
		t.Error("the file is there, and is not read")
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA journal_mode = wal"); err != nil {
		t.Fatal(err)
	}
	if direct(file, path) != nil {
		t.Error("a file with a log is read")
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA journal_mode = delete"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if direct(file, path) == nil {
		t.Error("the log is gone, and the file is not read")
	}
	mustImport(t, Config{Dir: dir}, write(t, "other.sql", fmt.Sprintf(mixedTable, ", PRIMARY KEY (guid)", "2,1,'',1,1,''")))
	if direct(file, path) != nil {
		t.Error("a file in whose place there is another one is read")
	}
}
