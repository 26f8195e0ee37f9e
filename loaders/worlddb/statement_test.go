package worlddb

import (
	"strings"
	"testing"
)

// cats is a table that the tests below change.
const cats = `CREATE TABLE creature (guid int unsigned NOT NULL AUTO_INCREMENT, id smallint NOT NULL DEFAULT 5, x float DEFAULT NULL,
	name varchar(20) NOT NULL, data blob, PRIMARY KEY (guid));
INSERT INTO creature VALUES (1,10,1.5,'Anna',NULL),(2,20,NULL,'Bob',x'00FF'),(3,30,-2,'anna''s',NULL);
`

const allCats = "SELECT guid, id, x, name FROM creature ORDER BY guid"

// What statements do to rows that are there, and why some are not applied.
var statements = []struct{ sql, rows, problems string }{
	{"DELETE FROM creature WHERE guid = 2", "1 10 1.5 Anna\n3 30 -2 anna's\n", ""},
	{"DELETE FROM creature WHERE guid IN (1, 3)", "2 20 <nil> Bob\n", ""},
	{"DELETE FROM creature WHERE guid NOT IN (1, 3)", "1 10 1.5 Anna\n3 30 -2 anna's\n", ""},
	{"DELETE FROM creature WHERE guid BETWEEN 2 AND 9", "1 10 1.5 Anna\n", ""},
	{"DELETE FROM creature WHERE name = 'ANNA'", "2 20 <nil> Bob\n3 30 -2 anna's\n", ""},
	{"DELETE FROM creature WHERE name LIKE 'anna%'", "2 20 <nil> Bob\n", ""},
	{"DELETE FROM creature WHERE name = 'anna''s' OR id <> 30 AND x IS NULL", "1 10 1.5 Anna\n", ""},
	{"DELETE FROM creature WHERE x <=> NULL", "1 10 1.5 Anna\n3 30 -2 anna's\n", ""},
	{"DELETE FROM creature WHERE id & 4 && guid > '1'", "1 10 1.5 Anna\n", ""},
	{"DELETE FROM creature WHERE id DIV 7 = 4 OR id / 4 = 2.5", "2 20 <nil> Bob\n", ""},
	{"DELETE FROM creature WHERE id ^ 30 = 0 OR guid - 1 < 0x01", "2 20 <nil> Bob\n", ""},
	{"DELETE FROM creature WHERE -x >= 2", "1 10 1.5 Anna\n2 20 <nil> Bob\n", ""},
	{"DELETE FROM creature WHERE guid IN (SELECT guid FROM creature WHERE id > 15)", "1 10 1.5 Anna\n", ""},
	{"DELETE FROM creature", "", ""},
	{"TRUNCATE creature", "", ""},
	{"UPDATE creature SET id = id + 1, name = 'x' WHERE guid < 3", "1 11 1.5 x\n2 21 <nil> x\n3 30 -2 anna's\n", ""},
	{"SET @n = 7; UPDATE creature SET id = @n, x = guid / 2", "1 7 0.5 Anna\n2 7 1 Bob\n3 7 1.5 anna's\n", ""},
	{"UPDATE creature SET x = NULL, id = '12' WHERE guid = 1", "1 12 <nil> Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n", ""},
	{"UPDATE creature SET id = DEFAULT WHERE guid = 1", "1 5 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n", ""},
	{"UPDATE IGNORE creature SET guid = 9 WHERE guid > 1", "1 10 1.5 Anna\n3 30 -2 anna's\n9 20 <nil> Bob\n", ""},
	{"REPLACE INTO creature (name, guid) VALUES ('new', 2)", "1 10 1.5 Anna\n2 5 <nil> new\n3 30 -2 anna's\n", ""},
	{"INSERT IGNORE INTO creature (guid, name) VALUES (2, 'no'), (4, 'yes')", "1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n4 5 <nil> yes\n", ""},
	{"INSERT INTO creature (name) VALUES ('next')", "1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n4 5 <nil> next\n", ""},
	{"INSERT INTO creature SET guid = 8, id = 1+1, name = \"set\"", "1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n8 2 <nil> set\n", ""},
	{"INSERT INTO creature (guid, id, x) VALUES (8, 2.5, '1e2')", "1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n8 3 100 \n", ""},
	{"DELETE FROM creature; INSERT INTO creature VALUES (1,1,1,'gr\xfcn \x80',NULL),(2,1,1,'gr\xc3\xbcn',NULL)", "1 1 1 grün €\n2 1 1 grün\n", ""},
	{"ALTER TABLE creature ADD COLUMN a int NOT NULL DEFAULT 4 FIRST, DROP COLUMN x, CHANGE name x varchar(30); INSERT INTO creature VALUES (9, 4, 40, 'd', NULL)",
		"1 10 Anna <nil>\n2 20 Bob <nil>\n3 30 anna's <nil>\n4 40 d <nil>\n", "no x"},
	{"DROP TABLE creature; CREATE TABLE creature (guid int, id int, x int, name text, UNIQUE KEY u (guid)); INSERT INTO creature VALUES (NULL,1,1,'a'),(NULL,2,2,'b')",
		"<nil> 1 1 a\n<nil> 2 2 b\n", ""},
	{"DROP TABLE creature; CREATE TABLE creature (guid int NOT NULL, id int NOT NULL, x float NOT NULL, name text NOT NULL); INSERT INTO creature (guid) VALUES (1)",
		"1 0 0 \n", ""},
	{"ALTER TABLE creature ADD COLUMN a int AFTER guid; INSERT INTO creature VALUES (4, 77, 40, 1, 'd', NULL)",
		"1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n4 40 1 d\n", ""},
	{"ALTER TABLE creature CHANGE guid g int unsigned NOT NULL; ALTER TABLE creature RENAME COLUMN g TO guid; INSERT INTO creature (guid, name) VALUES (1, 'again')",
		"1 5 <nil> again\n2 20 <nil> Bob\n3 30 -2 anna's\n", ""},

	{"DELETE FROM creature WHERE nothing = 1", "", "creature: DELETE: no column nothing"},
	{"DELETE FROM creature WHERE guid = 1 LIMIT 1", "", "creature: limit is not executed"},
	{"DELETE FROM creature WHERE guid IN (SELECT guid FROM nothing)", "", "creature: DELETE: a SELECT of nothing, which is not there"},
	{"UPDATE creature SET id = 40000", "", "creature: UPDATE: 40000 in column id, which is from -32768 to 32767"},
	{"UPDATE creature SET name = NULL", "", "creature: UPDATE: NULL in column name"},
	{"UPDATE creature SET id = 2, x = id", "", "creature: UPDATE: column id is read behind its assignment"},
	{"UPDATE creature SET nothing = 2", "", "creature: UPDATE: no column nothing"},
	{"UPDATE creature SET guid = 9", "", "creature: UPDATE: constraint failed: UNIQUE constraint failed: creature.guid (1555)"},
	{"UPDATE creature SET id = CONCAT(id, 1)", "", "creature: the function concat"},
	{"ALTER TABLE creature DROP COLUMN nothing", "", "creature: ALTER TABLE: no column nothing"},
	{"ALTER TABLE creature ADD x int", "", "creature: ALTER TABLE: column x is there already"},
	{"ALTER TABLE creature DROP PRIMARY KEY, ADD PRIMARY KEY (nothing)", "", "creature: ALTER TABLE: the key has no column nothing"},
	{"CREATE TABLE creature (a int)", "", "creature: CREATE TABLE: the table is there already"},
	{"INSERT INTO creature VALUES (4, 1)", "", "creature: 2 values for 5 columns"},
	{"INSERT INTO creature (guid, nothing) VALUES (4, 1), (5, 1)", "", "creature: INSERT: all its rows: no column nothing"},
	{"INSERT INTO creature (guid, guid) VALUES (4, 1)", "", "creature: INSERT: all its rows: column guid twice"},
	{"INSERT INTO creature VALUES (-1, 1, 1, '', NULL)", "", "creature: -1 in column guid, which is from 0 to 4294967295"},
	{"INSERT INTO creature VALUES (4, 'a cat', 1, '', NULL)", "", "creature: 'a cat' in column id, which is a number"},
	{"INSERT INTO creature VALUES (4, 1, '', '', NULL)", "", "creature: '' in column x, which is a number"},
	{"INSERT INTO creature VALUES (4, NULL, 1, '', NULL)", "", "creature: NULL in column id"},
	{"INSERT INTO creature VALUES (4, 1, 1, 'a\\0', NULL)", "", "creature: a zero byte in column name"},
	{"INSERT INTO gameobject VALUES (1)", "", "gameobject: INSERT: all its rows: the table is not made by any CREATE TABLE so far"},
	{"UPDATE gameobject SET a = 1", "", "gameobject: UPDATE: the table is not made by any CREATE TABLE so far"},
	{"UPDATE another SET a = CONCAT(1)", "", ""},
	{"INSERT INTO another SELECT 1", "", ""},
	{"INSERT INTO another VALUES (1, 'cut", "", "another: the dump ends within a statement"},
	{"UPDATE another SET a = 'cut", "", "another: the dump ends within a statement"},
	{"INSERT INTO creature VALUES (4, 1, 1, 'cut", "", "creature: the dump ends within a statement"},
}

func TestStatements(t *testing.T) {
	for _, s := range statements {
		c := Config{Dir: t.TempDir(), Stdin: strings.NewReader(cats + s.sql + "\n;")}
		if strings.HasSuffix(s.sql, "'cut") {
			c.Stdin = strings.NewReader(cats + s.sql)
		}
		r := mustImport(t, c, "-").Report
		var problems []string
		for _, p := range r.Problems {
			_, reason, _ := strings.Cut(p.Error(), ": ")
			problems = append(problems, reason)
		}
		query, want, why := allCats, s.rows, s.problems
		switch {
		case why == "no x":
			query, why = "SELECT guid, id, x, data FROM creature WHERE guid <> 2 UNION ALL SELECT guid, id, x, NULL FROM creature WHERE guid = 2 ORDER BY guid", ""
		case want == "" && why != "" || strings.Contains(s.sql, "another"):
			want = "1 10 1.5 Anna\n2 20 <nil> Bob\n3 30 -2 anna's\n"
		}
		if got := strings.Join(problems, "; "); got != why {
			t.Errorf("%s: %s, want %s", s.sql, got, why)
		}
		if got := rows(t, c, query); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", s.sql, got, want)
		}
	}
}

// Problems beyond those that are kept are counted.
func TestManyProblems(t *testing.T) {
	const maxProblems = 1000 // as docs/worlds.md says
	c := Config{Dir: t.TempDir(), Stdin: strings.NewReader(cats + "INSERT INTO creature VALUES " + strings.Repeat("('x',1,1,'',NULL),\n", maxProblems+5) + "(9,1,1,'',NULL);")}
	r := mustImport(t, c, "-").Report
	if r.Bad != maxProblems+5 || len(r.Problems) != maxProblems || r.Clean() {
		t.Errorf("%d problems, %d kept", r.Bad, len(r.Problems))
	}
	if got := r.Tables[0]; got.Read != maxProblems+9 || got.Bad != maxProblems+5 || got.Used != 4 {
		t.Errorf("%+v", got)
	}
	if p := r.Problems[1]; p.File != "-" || p.Line != 5 {
		t.Errorf("%+v", p)
	}
}

// Progress is told while a statement is read, and ends with all.
func TestProgress(t *testing.T) {
	c := Config{Dir: t.TempDir()}
	var told []Progress
	c.Progress = func(p Progress) { told = append(told, p) }
	path := write(t, "cats.sql", cats+"INSERT INTO creature (name) VALUES "+strings.Repeat("('x'),\n", 3*rowsPerTurn)+"('y');")
	c.Paths = []string{path}
	r, err := Import(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	last := told[len(told)-1]
	if r.Rows != 3*rowsPerTurn+4 || last.Rows != r.Rows || last.Bytes != r.Bytes || last.Bytes != last.Total || last.File != "cats.sql" || len(told) < 6 {
		t.Errorf("%+v after %d, %+v", last, len(told), r)
	}
}
