package worlddb

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/testseed"
)

// toSQLFirst are statements by which SQLite does all that comes after them.
const toSQLFirst = "CREATE TABLE command (name varchar(20), PRIMARY KEY (name)); ALTER TABLE command ADD help text; DROP TABLE command;\n"

// Property: a world whose rows were written as pages is the one that SQLite makes of them, with the same rows, and the same ones counted as
// duplicates and as bad, in whatever order they come.
func TestBulk(t *testing.T) {
	seed := testseed.Of(t)
	for i := range uint64(60) {
		dice := rand.New(rand.NewPCG(seed, i))
		dump := disordered(dice)
		bulk := Config{Dir: t.TempDir(), Stdin: strings.NewReader(dump)}
		plain := Config{Dir: t.TempDir(), Stdin: strings.NewReader(toSQLFirst + dump)}
		got, want := mustImport(t, bulk, stdin).Report, mustImport(t, plain, stdin).Report
		for _, r := range want.Tables {
			for _, have := range got.Tables {
				if have.Table == r.Table && fmt.Sprint(have.Read, have.Used, have.Bad, have.Duplicate) != fmt.Sprint(r.Read, r.Used, r.Bad, r.Duplicate) {
					t.Errorf("case %d: %s: read, used, bad, duplicate %d, %d, %d, %d; want %d, %d, %d, %d of\n%s", i, r.Table,
						have.Read, have.Used, have.Bad, have.Duplicate, r.Read, r.Used, r.Bad, r.Duplicate, dump)
				}
			}
		}
		if got, want := export(t, bulk), export(t, plain); got != want {
			t.Errorf("case %d:\n%s\nwant\n%s\nof\n%s", i, got, want, dump)
		}
		db, err := sql.Open("sqlite", filepath.Join(bulk.Dir, File))
		if err != nil {
			t.Fatal(err)
		}
		var verdict string
		if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
			t.Errorf("case %d: %s, %v", i, verdict, err)
		}
		db.Close()
		if left, err := os.ReadDir(bulk.Dir); err != nil || len(left) != 1 {
			t.Errorf("case %d: %v is left, %v", i, left, err)
		}
	}
}

// disordered is a dump of tables with keys of all classes, whose rows are mostly in their order.
func disordered(dice *rand.Rand) string {
	tables := []struct {
		create string
		row    func(n int) string
	}{
		{"game_tele (id int NOT NULL AUTO_INCREMENT, name varchar(40), PRIMARY KEY (id))", func(n int) string {
			if dice.IntN(9) == 0 {
				return "NULL,'next'"
			}
			return fmt.Sprintf("%d,'a%d'", n-20, n)
		}},
		{"command (help text, name varchar(40) NOT NULL, PRIMARY KEY (name))", func(n int) string {
			return fmt.Sprintf("'%s','%c_%c%d'", strings.Repeat("h", dice.IntN(3)*9000), 'A'+n/8, 'a'+byte(dice.IntN(2))-byte(32*dice.IntN(2)), n%8)
		}},
		{"waypoints (x double NOT NULL, entry int NOT NULL, pointid binary(2) NOT NULL, y float, PRIMARY KEY (entry, x, pointid))", func(n int) string {
			return fmt.Sprintf("%d.5,%d,0x%04X,%d", n%3-1, n/9, n%9/3, n)
		}},
		{"page_text (id int, text text)", func(n int) string { return fmt.Sprintf("%d,NULL", n) }},
	}
	var b bytes.Buffer
	rows := make([]int, len(tables))
	for _, t := range tables {
		fmt.Fprintf(&b, "DROP TABLE IF EXISTS %s; CREATE TABLE %s;\n", strings.Fields(t.create)[0], t.create)
	}
	for range dice.IntN(40) {
		i := dice.IntN(len(tables))
		name := strings.Fields(tables[i].create)[0]
		if dice.IntN(60) == 0 {
			fmt.Fprintf(&b, "DELETE FROM %s;\n", name)
		}
		fmt.Fprintf(&b, "%s INTO %s VALUES ", []string{"INSERT", "INSERT IGNORE", "REPLACE"}[dice.IntN(3)], name)
		for k := range 1 + dice.IntN(8) {
			if k > 0 {
				b.WriteString(",")
			}
			if rows[i]++; dice.IntN(30) == 0 {
				rows[i] = max(0, rows[i]-dice.IntN(12))
			}
			fmt.Fprintf(&b, "(%s)", tables[i].row(rows[i]))
		}
		b.WriteString(";\n")
	}
	return b.String()
}
