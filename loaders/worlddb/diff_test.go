package worlddb

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// difference is what two worlds differ in, and the SQL of it.
func difference(t *testing.T, a, b Config) ([]TableDiff, string) {
	t.Helper()
	first, err := OpenSource(t.Context(), a.URL+a.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := OpenSource(t.Context(), b.URL+b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	var sql strings.Builder
	all, err := Diff(t.Context(), first, second, &sql)
	if err != nil {
		t.Fatal(err)
	}
	return all, sql.String()
}

const releaseOne = `CREATE TABLE creature (guid int unsigned NOT NULL, id int, z float, PRIMARY KEY (guid));
INSERT INTO creature VALUES (1,10,1.5),(2,10,NULL),(3,30,0),(4,40,4);
CREATE TABLE command (name varchar(50) NOT NULL, help text, PRIMARY KEY (name));
INSERT INTO command VALUES ('account','a'),('gm','it''s'),('tele',NULL);
CREATE TABLE npc_text (id int, t text); INSERT INTO npc_text VALUES (1,'a'),(1,'a'),(2,NULL);
CREATE TABLE page_text (id int NOT NULL, t text, PRIMARY KEY (id)); INSERT INTO page_text VALUES (1,'old'),(2,'same');
CREATE TABLE game_tele (id int NOT NULL, PRIMARY KEY (id)); INSERT INTO game_tele VALUES (1),(2);
CREATE TABLE game_weather (id int NOT NULL, PRIMARY KEY (id)); INSERT INTO game_weather VALUES (7);
CREATE TABLE conditions (a int NOT NULL, b int NOT NULL, c int, PRIMARY KEY (a, b)); INSERT INTO conditions VALUES (1,1,0),(1,2,0),(2,1,0);
`

const releaseTwo = `CREATE TABLE creature (guid int unsigned NOT NULL, id int, z float, PRIMARY KEY (guid));
INSERT INTO creature VALUES (2,11,2.5),(3,30,0),(4,NULL,4),(5,50,-5);
CREATE TABLE command (name varchar(50) NOT NULL, help text, PRIMARY KEY (name));
INSERT INTO command VALUES ('Account','a'),('gm','its'),('tele',NULL);
CREATE TABLE npc_text (id int, t text); INSERT INTO npc_text VALUES (1,'a'),(2,NULL),(2,NULL);
CREATE TABLE page_text (id int NOT NULL, t longtext, PRIMARY KEY (id)); INSERT INTO page_text VALUES (1,'new'),(2,'same');
CREATE TABLE game_weather (id int NOT NULL, PRIMARY KEY (id)); INSERT INTO game_weather VALUES (7);
CREATE TABLE pet_levelstats (level int NOT NULL, hp int, PRIMARY KEY (level)); INSERT INTO pet_levelstats VALUES (1,10);
CREATE TABLE conditions (a int NOT NULL, b int NOT NULL, c int, PRIMARY KEY (a, b)); INSERT INTO conditions VALUES (1,1,0),(1,3,0),(2,1,9);
`

const differenceSQL = "-- From a world of unknown to one of unknown, as muster world diff writes it.\n" + `SET NAMES utf8mb4;
SET FOREIGN_KEY_CHECKS = 0;
SET SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO';

DELETE FROM 'command' WHERE 'name' = "account";
INSERT INTO 'command' VALUES
("Account","a");
UPDATE 'command' SET 'help' = "its" WHERE 'name' = "gm";

DELETE FROM 'conditions' WHERE 'a' = 1 AND 'b' = 2;
INSERT INTO 'conditions' VALUES
(1,3,0);
UPDATE 'conditions' SET 'c' = 9 WHERE 'a' = 2 AND 'b' = 1;

DELETE FROM 'creature' WHERE 'guid' = 1;
UPDATE 'creature' SET 'id' = 11, 'z' = 2.5 WHERE 'guid' = 2;
UPDATE 'creature' SET 'id' = NULL WHERE 'guid' = 4;
INSERT INTO 'creature' VALUES
(5,50,-5);

DROP TABLE IF EXISTS 'game_tele';

DELETE FROM 'npc_text';
INSERT INTO 'npc_text' VALUES
(1,"a"),
(2,NULL),
(2,NULL);

DROP TABLE IF EXISTS 'page_text';
CREATE TABLE 'page_text' (
  'id' int NOT NULL,
  't' longtext,
  PRIMARY KEY ('id')
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO 'page_text' VALUES
(1,"new"),
(2,"same");

DROP TABLE IF EXISTS 'pet_levelstats';
CREATE TABLE 'pet_levelstats' (
  'level' int NOT NULL,
  'hp' int,
  PRIMARY KEY ('level')
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO 'pet_levelstats' VALUES
(1,10);
`

// What two releases differ in, by table and key, and as SQL; applied to the first, it makes it the second, in either database.
func TestDiff(t *testing.T) {
	two := Config{Dir: t.TempDir(), Stdin: strings.NewReader(releaseTwo)}
	mustImport(t, two, stdin)
	for name, one := range both(t) {
		one.Stdin = strings.NewReader(releaseOne)
		mustImport(t, one, stdin)
		all, sql := difference(t, one, two)
		want := strings.NewReplacer("'", "`", `"`, "'").Replace(differenceSQL)
		if want = strings.ReplaceAll(want, "`NO_AUTO_VALUE_ON_ZERO`", "'NO_AUTO_VALUE_ON_ZERO'"); sql != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, sql, want)
		}
		if got, want := fmt.Sprint(all), "[{command  1 1 1 map[help:1]} {conditions  1 1 1 map[c:1]} {creature  1 1 2 map[id:2 z:1]} {game_tele dropped 0 2 0 map[]} "+
			"{npc_text  1 1 0 map[]} {page_text declared otherwise 0 0 1 map[t:1]} {pet_levelstats new 1 0 0 map[]}]"; got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
		one.Update, one.Stdin = true, strings.NewReader(sql)
		if r := mustImport(t, one, stdin).Report; r.Bad != 0 {
			t.Errorf("%s: %+v", name, r.Problems)
		}
		if all, _ := difference(t, one, two); len(all) != 0 {
			t.Errorf("%s: afterwards %v", name, all)
		}
		if got, want := export(t, one), export(t, two); got != want {
			t.Errorf("%s: afterwards\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Property: SQL of the difference of two worlds makes the first the second.
func TestDiffOfInvented(t *testing.T) {
	const seed = 20_260_119
	t.Log("seed", seed)
	for f := range familyTables {
		for i := range uint64(8) {
			w := invent(seed+i, f)
			dice := rand.New(rand.NewPCG(seed+i, 1))
			some := func() io.Reader { // the same tables with some of the rows
				sql := bytes.Clone(w.sql.Bytes())
				for _, at := range w.rows {
					if dice.IntN(4) == 0 {
						copy(sql[at[0]:], bytes.Repeat([]byte(" "), at[1]-at[0]))
					}
				}
				return bytes.NewReader(sql)
			}
			a := Config{Dir: t.TempDir(), Stdin: some()}
			b := Config{Dir: t.TempDir(), Stdin: some()}
			mustImport(t, a, stdin)
			mustImport(t, b, stdin)
			_, sql := difference(t, a, b)
			a.Update, a.Stdin = true, strings.NewReader(sql)
			if r := mustImport(t, a, stdin).Report; r.Bad != 0 {
				t.Errorf("seed %d: %+v", seed+i, r.Problems)
			}
			if got, want := export(t, a), export(t, b); got != want {
				t.Errorf("seed %d: the world is\n%s\nwant\n%s\nof\n%s", seed+i, got, want, sql)
			}
		}
	}
}

// Sizes of types that one of two worlds does not know make no difference, others do.
func TestDiffOfSizes(t *testing.T) {
	world := func(kind string) Config {
		c := Config{Dir: t.TempDir(), Stdin: strings.NewReader("CREATE TABLE command (name " + kind + " NOT NULL, PRIMARY KEY (name)); INSERT INTO command VALUES ('a');")}
		mustImport(t, c, stdin)
		return c
	}
	twenty := world("varchar(20)")
	for kind, want := range map[string]string{"varchar(20)": "[]", "varchar": "[]", "varchar(21)": "[{command declared otherwise 0 0 0 map[]}]"} {
		if all, _ := difference(t, twenty, world(kind)); fmt.Sprint(all) != want {
			t.Errorf("%s: %v, want %s", kind, all, want)
		}
	}
}
