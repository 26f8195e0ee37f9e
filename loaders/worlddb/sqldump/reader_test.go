package sqldump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"muster/loaders/worlddb/sqldump"
)

// values reads the first row of a dump.
func values(t *testing.T, dump string) ([]sqldump.Value, error) {
	t.Helper()
	r := sqldump.NewReader(strings.NewReader(dump))
	s, err := r.Next()
	if err != nil {
		t.Fatalf("%s: %v", dump, err)
	}
	if s.Verb != sqldump.Insert {
		t.Fatalf("%s: a %s", dump, s.Verb)
	}
	return r.Row()
}

func number(n int64) sqldump.Value     { return sqldump.Value{Kind: sqldump.Int, Int: n} }
func fraction(f float64) sqldump.Value { return sqldump.Value{Kind: sqldump.Float, Float: f} }
func text(s string) sqldump.Value      { return sqldump.Value{Kind: sqldump.Text, Bytes: []byte(s)} }
func raw(b ...byte) sqldump.Value      { return sqldump.Value{Kind: sqldump.Binary, Bytes: b} }

// Every form of a literal, and what MySQL says that it means.
//
// Source: MySQL Reference Manual, Literal Values.
var literals = []struct {
	source string
	want   sqldump.Value
}{
	{"0", number(0)},
	{"7", number(7)},
	{"-7", number(-7)},
	{"+7", number(7)},
	{"- 7", number(-7)},
	{"-0", number(0)},
	{"007", number(7)},
	{"4294967295", number(4294967295)},
	{"999999999999999999", number(999999999999999999)},
	{"9223372036854775807", number(9223372036854775807)},
	{"-9223372036854775808", number(-9223372036854775808)},
	{"9223372036854775808", text("9223372036854775808")},
	{"18446744073709551615", text("18446744073709551615")},
	{"1.5", fraction(1.5)},
	{"-1.5", fraction(-1.5)},
	{".5", fraction(0.5)},
	{"-.5", fraction(-0.5)},
	{"1.", fraction(1)},
	{"1e3", fraction(1000)},
	{"1E+3", fraction(1000)},
	{"2.5e-7", fraction(2.5e-7)},
	{"-8949.95019531250000000000", fraction(-8949.9501953125)},
	{"NULL", sqldump.Value{}},
	{"null", sqldump.Value{}},
	{"TRUE", number(1)},
	{"false", number(0)},
	{"DEFAULT", sqldump.Value{Kind: sqldump.Default}},
	{"''", text("")},
	{"'a'", text("a")},
	{`"a"`, text("a")},
	{"'it''s'", text("it's")},
	{`"say ""no"""`, text(`say "no"`)},
	{`"it's"`, text("it's")},
	{`'a "quoted" word'`, text(`a "quoted" word`)},
	{`'it\'s'`, text("it's")},
	{`'\"'`, text(`"`)},
	{`'\\'`, text(`\`)},
	{`'\\\''`, text(`\'`)},
	{`'a\nb\rc\td'`, text("a\nb\rc\td")},
	{`'\0\b\Z'`, text("\x00\x08\x1a")},
	{`'100\%\_'`, text(`100\%\_`)},
	{`'\q'`, text("q")},
	{"'two\nlines'", text("two\nlines")},
	{"'two\r\nlines'", text("two\r\nlines")},
	{"'-- no comment'", text("-- no comment")},
	{"'/* nor this */'", text("/* nor this */")},
	{"'a;b),(c'", text("a;b),(c")},
	{"'one' 'two'", text("onetwo")},
	{"'one' /* and */ 'two'", text("onetwo")},
	{"'gr\xc3\xbcn'", text("grün")},
	{"'gr\xfcn'", text("gr\xfcn")},
	{"_utf8mb4'x'", text("x")},
	{"_binary 'x\\0'", text("x\x00")},
	{"N'x'", text("x")},
	{"0x00ff", raw(0x00, 0xff)},
	{"0xABCdef", raw(0xab, 0xcd, 0xef)},
	{"0xF", raw(0x0f)},
	{"0x123", raw(0x01, 0x23)},
	{"x'4D79'", raw('M', 'y')},
	{"X''", raw()},
	{"b'101'", number(5)},
	{"B'0'", number(0)},
	{"(3)", number(3)},
	{"1+2*3", number(7)},
	{"(1+2)*3", number(9)},
	{"10-2-3", number(5)},
	{"5--3", number(8)},
	{"7 DIV 2", number(3)},
	{"7/2", fraction(3.5)},
	{"7 % 4", number(3)},
	{"7 MOD 4", number(3)},
	{"1/0", sqldump.Value{}},
	{"1+NULL", sqldump.Value{}},
	{"1|2|8", number(11)},
	{"12&10", number(8)},
	{"12^10", number(6)},
	{"1<<4", number(16)},
	{"256>>4", number(16)},
	{"1.5+1", fraction(2.5)},
	{"'2'+1", number(3)},
	{"0x10+1", number(17)},
	{"@a", number(40)},
	{"@A+2", number(42)},
	{"@`a`-@b", number(38)},
	{"-@a", number(-40)},
	{"~1", number(-2)},
	{"7 & ~@a", number(7)},
	{"15 & ~(1 | 4)", number(10)},
	{"@t", text("kept")},
}

func TestLiterals(t *testing.T) {
	for _, c := range literals {
		dump := "SET @a := 40, @b = 2; SET @t='kept'; INSERT INTO t VALUES (" + c.source + ", " + c.source + " ,'end');"
		row, err := values(t, dump)
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		if len(row) != 3 || string(row[2].Bytes) != "end" {
			t.Errorf("%s: %v", c.source, row)
			continue
		}
		for _, got := range row[:2] {
			if got.Kind != c.want.Kind || got.Int != c.want.Int || got.Float != c.want.Float || !bytes.Equal(got.Bytes, c.want.Bytes) {
				t.Errorf("%s: kind %d, %v, want kind %d, %v", c.source, got.Kind, got, c.want.Kind, c.want)
			}
		}
	}
}

// A row that cannot be read says why, and the one behind it is read.
func TestBadRows(t *testing.T) {
	for source, why := range map[string]string{
		"(1 2)":                              `'2' behind a value`,
		"('a' 1)":                            `'1' behind a value`,
		"(1abc)":                             `'a' behind a number`,
		"(abc)":                              "abc where a constant is expected",
		"(NOW())":                            "the function now",
		"((1, 2), 3)":                        "( without )",
		"(1 = 1)":                            "= where a constant is expected",
		"(@nothing)":                         "@nothing has no value that is known",
		"(9223372036854775807 + 1)":          "9223372036854775807 + 1 is no number that fits",
		"(-9223372036854775807 - 2)":         "-9223372036854775807 - 2 is no number that fits",
		"(9223372036854775807 * 2)":          "9223372036854775807 * 2 is no number that fits",
		"('a' * 2)":                          "'a' * 2 is no number that fits",
		"(x'4Gh)":                            "x'' without its end",
		"(,)":                                `',' where a value is expected`,
		"(/*!40101 1 */ */ 2)":               `'/' where a value is expected`,
		"()":                                 `')' where a value is expected`,
		"((SELECT 1))":                       "( without )",
		"(CASE WHEN 1 THEN 2 END)":           "case where a constant is expected",
		"(" + strings.Repeat("9", 200) + ")": "a number of more than 128 signs",
		"(" + strings.Repeat("-(", 120) + "1" + strings.Repeat(")", 120) + ")": "an expression of more than 100 levels",
	} {
		dump := "\nINSERT INTO `t` VALUES\n" + source + ",\n(5);"
		r := sqldump.NewReader(strings.NewReader(dump))
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		_, err := r.Row()
		e := new(sqldump.Error)
		if !errors.As(err, &e) || e.Reason != why || e.Line != 3 || e.Table != "t" {
			t.Errorf("%s: %v, want line 3: table t: %s", source, err, why)
			continue
		}
		row, err := r.Row()
		if err != nil || len(row) != 1 || row[0].Int != 5 {
			t.Errorf("%s: the next row is %v, %v", source, row, err)
		}
		if _, err := r.Row(); err != io.EOF {
			t.Errorf("%s: the last row: %v", source, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: the end: %v", source, err)
		}
	}
}

// all prints what a reader finds: statements with their rows, and errors.
func all(from io.Reader) string {
	var b strings.Builder
	r := sqldump.NewReader(from)
	for {
		s, err := r.Next()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			if !errors.As(err, new(*sqldump.Error)) {
				return b.String()
			}
			continue
		}
		fmt.Fprintf(&b, "%d %s %s", s.Line, s.Verb, s.Table)
		if s.Columns != nil {
			fmt.Fprintf(&b, " %v", s.Columns)
		}
		if s.Ignore {
			b.WriteString(" ignore")
		}
		for _, a := range s.Set {
			fmt.Fprintf(&b, " %s=%s", a.Column, shown(&a.Expr))
		}
		if s.Where != nil {
			fmt.Fprintf(&b, " where %s", shown(s.Where))
		}
		if s.Create != nil {
			fmt.Fprintf(&b, " key %v unique %v", s.Create.Key, s.Create.Unique)
			for _, c := range s.Create.Columns {
				b.WriteString("; " + declared(c))
			}
		}
		for _, c := range s.Alter {
			fmt.Fprintf(&b, "; %d %s", c.Kind, c.Name)
			if c.Column.Name != "" {
				b.WriteString("(" + declared(c.Column) + ")")
			}
			if c.To != "" {
				b.WriteString(" to " + c.To)
			}
			if c.Key != nil {
				fmt.Fprintf(&b, " key %v", c.Key)
			}
			if c.First {
				b.WriteString(" first")
			}
			if c.After != "" {
				b.WriteString(" after " + c.After)
			}
		}
		if s.Verb == sqldump.Drop {
			fmt.Fprintf(&b, " %v", s.Tables)
		}
		b.WriteString("\n")
		if s.Verb != sqldump.Insert && s.Verb != sqldump.Replace {
			continue
		}
		for {
			row, err := r.Row()
			if err == io.EOF {
				break
			}
			if err != nil {
				fmt.Fprintf(&b, "  %v\n", err)
				continue
			}
			fmt.Fprintf(&b, "  %d %v\n", s.Row, row)
		}
		if s.OnDuplicate {
			b.WriteString("  on duplicate\n")
		}
	}
}

func declared(c sqldump.Column) string {
	s := c.Name + " " + c.Type
	if c.Unsigned {
		s += " unsigned"
	}
	if c.NotNull {
		s += " not null"
	}
	if c.Auto {
		s += " auto"
	}
	if c.Default.Kind != sqldump.Null {
		s += " default " + c.Default.String()
	}
	return s
}

func shown(e *sqldump.Expr) string {
	switch e.Op {
	case sqldump.Constant:
		return e.Value.String()
	case sqldump.Name:
		return e.Column
	}
	var args []string
	for i := range e.Args {
		args = append(args, shown(&e.Args[i]))
	}
	if e.Select != nil {
		s := e.Select.Column + " from " + e.Select.Table
		if e.Select.Where != nil {
			s += " where " + shown(e.Select.Where)
		}
		args = append(args, s)
	}
	return string(e.Op) + "(" + strings.Join(args, " ") + ")"
}

var dumps = []struct{ name, dump, want string }{
	{"mysqldump", "-- MySQL dump 10.13\n--\n-- Host: h\n/*!40101 SET NAMES utf8 */;\n/*!50503 SET NAMES utf8mb4 */;\n" +
		"/*M!999999\\- enable the sandbox mode */ \n" +
		"DROP TABLE IF EXISTS `game_tele`;\n/*!40101 SET @saved_cs_client     = @@character_set_client */;\n" +
		"CREATE TABLE `game_tele` (\n  `id` int unsigned NOT NULL AUTO_INCREMENT,\n" +
		"  `position_x` float NOT NULL DEFAULT '0',\n  `name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',\n" +
		"  `kind` enum('a','b,)') DEFAULT NULL COMMENT 'it''s; a kind',\n  `at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,\n" +
		"  `cost` decimal(40,20) DEFAULT -1.5,\n" +
		"  PRIMARY KEY (`id`),\n  UNIQUE KEY `u` (`name`(10),`kind`) USING BTREE,\n  KEY `k` (`kind`),\n" +
		"  CONSTRAINT `c` FOREIGN KEY (`kind`) REFERENCES `o` (`i`) ON DELETE CASCADE\n" +
		") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COMMENT='Tele; System';\n" +
		"LOCK TABLES `game_tele` WRITE;\n/*!40000 ALTER TABLE `game_tele` DISABLE KEYS */;\n" +
		"INSERT INTO `game_tele` VALUES\n(1,1.5,'A',NULL,'2000-01-01 00:00:00',0),\n(2,-2,'B\\'s','a','0000-00-00',1e-3);\n" +
		"/*!40000 ALTER TABLE `game_tele` ENABLE KEYS */;\nUNLOCK TABLES;\n-- Dump completed\n",
		"7 DROP TABLE game_tele ignore [game_tele]\n" +
			"9 CREATE TABLE game_tele key [id] unique [name kind]; id int unsigned not null auto; position_x float not null default '0'; " +
			"name varchar not null default ''; kind enum; at timestamp not null; cost decimal default -1.5\n" +
			"23 INSERT game_tele\n  24 [1 1.5 'A' NULL '2000-01-01 00:00:00' 0]\n  25 [2 -2 'B's' 'a' '0000-00-00' 0.001]\n"},
	{"updates", "SET @OGUID := 200000;\nDELETE FROM `gameobject` WHERE `guid` BETWEEN @OGUID AND @OGUID+2 AND `id` IN (1617 /* an herb */, 1618);\n" +
		"INSERT INTO `gameobject` (`guid`, `id`) VALUES\n-- the first\n(@OGUID+0  , 1617), # the second\n- c.22295\n(@OGUID+1, 1618)\n;\n" +
		"UPDATE `creature` SET `x` = `x`+1, `name`='n' WHERE (`guid`=1 OR `guid`=2) AND `y`<>-3 AND NOT `z` IS NULL;\n",
		"2 DELETE gameobject where AND(BETWEEN(guid 200000 +(200000 2)) IN(id 1617 1618))\n" +
			"3 INSERT gameobject [guid id]\n  5 [200000 1617]\n  7 [200001 1618]\n" +
			"9 UPDATE creature x=+(x 1) name='n' where AND(AND(OR(=(guid 1) =(guid 2)) <>(y -3)) NOT(IS(z)))\n"},
	{"precedence", "DELETE FROM t WHERE a=1 OR b=2 AND c&3=1 || NOT d IN (1) && e NOT LIKE 'x%' OR f NOT BETWEEN 1 AND 2 AND g IS NOT NULL;",
		"1 DELETE t where OR(OR(OR(=(a 1) AND(=(b 2) =(&(c 3) 1))) AND(NOT(IN(d 1)) NOT(LIKE(e 'x%')))) " +
			"AND(NOT(BETWEEN(f 1 2)) NOT(IS(g))))\n"},
	{"a select", "DELETE FROM a WHERE guid IN (SELECT guid FROM w.creature WHERE id=5) AND x=1;",
		"1 DELETE a where AND(IN(guid guid from creature where =(id 5)) =(x 1))\n"},
	{"other forms", "REPLACE INTO db.t VALUES (1);\nINSERT IGNORE t (a) VALUE (2);\nINSERT INTO t SET a=3, b='x';\n" +
		"INSERT INTO t VALUES (4) ON DUPLICATE KEY UPDATE a=VALUES(a);\nTRUNCATE TABLE t;\ntruncate t;DROP TABLE a, `b`;\n" +
		"CREATE TABLE IF NOT EXISTS t (a serial primary key);DELETE FROM t\n",
		"1 REPLACE t\n  1 [1]\n2 INSERT t [a] ignore\n  2 [2]\n3 INSERT t [a b]\n  3 [3 'x']\n4 INSERT t\n  4 [4]\n  on duplicate\n" +
			"5 TRUNCATE t\n6 TRUNCATE t\n6 DROP TABLE a [a b]\n7 CREATE TABLE t ignore key [a] unique []; a bigint unsigned not null auto\n7 DELETE t\n"},
	{"alter", "ALTER TABLE `t` ADD COLUMN `a` int NOT NULL DEFAULT 5 AFTER `b`, DROP `c`, CHANGE `d` `e` smallint unsigned FIRST, ADD INDEX i (a);\n" +
		"ALTER TABLE t MODIFY COLUMN f float(10,2), DROP PRIMARY KEY, ADD PRIMARY KEY (`a`, `e`) USING BTREE, ENGINE=InnoDB;\n" +
		"ALTER TABLE t RENAME COLUMN g TO h;\nALTER TABLE t RENAME TO u;\nRENAME TABLE u TO t;\nALTER TABLE t COMMENT='x, y';\n",
		"1 ALTER TABLE t; 0 (a int not null default 5) after b; 1 c; 2 d(e smallint unsigned) first\n" +
			"2 ALTER TABLE t; 2 f(f float); 6 ; 5  key [a e]\n3 ALTER TABLE t; 3 g to h\n4 ALTER TABLE t; 4 u\n5 ALTER TABLE u; 4 t\n"},
	{"stored programs", "DELIMITER ??\nCREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1); END ??\nDELIMITER ;\nDELETE FROM t;\nCALL p();\n",
		"sqldump: line 2: a stored program is not executed\n4 DELETE t\nsqldump: line 5: CALL is not executed\n"},
	{"carriage returns", "SET @a:=1;\r\nINSERT INTO `t` VALUES\r\n(@a,'x'),\r\n-- c\r\n(2,'y');\r\n",
		"2 INSERT t\n  3 [1 'x']\n  5 [2 'y']\n"},
	{"a mark of the byte order", "\xEF\xBB\xBFDELETE FROM t;", "1 DELETE t\n"},
	{"what is not executed", "INSERT INTO a SELECT 1;\nINSERT INTO a (SELECT 1);\nINSERT INTO a (b) SELECT 1;\nDELETE a FROM a JOIN b;\nUPDATE a, b SET c=1;\n" +
		"DELETE FROM a ORDER BY b LIMIT 1;\nUPDATE a SET b=REPLACE(b,'x','y');\nCREATE TABLE a LIKE b;\nCREATE TABLE a (SELECT 1);\nCREATE VIEW v AS SELECT 1;\nUSE d;\nDELETE FROM t;",
		"sqldump: line 1: table a: INSERT of a SELECT is not executed\nsqldump: line 2: table a: INSERT of a SELECT is not executed\n" +
			"sqldump: line 3: table a: INSERT of a SELECT is not executed\nsqldump: line 4: DELETE of several tables is not executed\n" +
			"sqldump: line 5: table a: UPDATE of several tables is not executed\nsqldump: line 6: table a: order is not executed\n" +
			"sqldump: line 7: table a: the function replace\nsqldump: line 8: table a: CREATE TABLE of another table is not executed\n" +
			"sqldump: line 9: table a: CREATE TABLE of another table is not executed\n12 DELETE t\n"},
	{"a comment that lacks a space", "--no space\nDELETE FROM t;", "2 DELETE t\n"},
	{"no value", "SET @a := 7; SET @a := (SELECT MAX(guid) FROM creature);\nINSERT INTO t VALUES (@a),(2);\nSET @a := 3;\nINSERT INTO t VALUES (@a);\n",
		"2 INSERT t\n  sqldump: line 2: table t: @a has no value that is known\n  2 [2]\n4 INSERT t\n  4 [3]\n"},
	{"no comma", "INSERT INTO t VALUES (1) (2);\nDELETE FROM t;", "1 INSERT t\n  1 [1]\n  sqldump: line 1: table t: '(' behind a row\n2 DELETE t\n"},
	{"cut in a row", "INSERT INTO t VALUES (1,'a'),\n(2,'b", "1 INSERT t\n  1 [1 'a']\n  sqldump: line 2: table t: the dump ends within a statement\n"},
	{"cut behind a comma", "INSERT INTO t VALUES (1),", "1 INSERT t\n  1 [1]\n  sqldump: line 1: table t: the dump ends within a statement\n"},
	{"cut in a statement", "INSERT INTO t VAL", "sqldump: line 1: table t: INSERT without VALUES\n"},
	{"cut in a table", "CREATE TABLE t (a int,", "sqldump: line 1: table t: the dump ends within a statement\n"},
	{"cut in an escape", `INSERT INTO t VALUES ('\`, "1 INSERT t\n  sqldump: line 1: table t: the dump ends within a statement\n"},
	{"nothing", "", ""},
	{"only comments", "-- a\n/* b */ # c", ""},
}

// Statements, their rows and their errors are the same however the bytes come.
func TestDumps(t *testing.T) {
	for _, d := range dumps {
		if got := all(strings.NewReader(d.dump)); got != d.want {
			t.Errorf("%s:\n%s\nwant\n%s", d.name, got, d.want)
		}
		if got := all(iotest.OneByteReader(strings.NewReader(d.dump))); got != d.want {
			t.Errorf("%s, byte by byte:\n%s\nwant\n%s", d.name, got, d.want)
		}
	}
}

// A statement that is many times as long as what is in memory at once is read row by row, and lines are counted right.
func TestLongStatement(t *testing.T) {
	const rows = 200_000
	var b bytes.Buffer
	b.WriteString("INSERT INTO t VALUES\n")
	for i := range rows {
		fmt.Fprintf(&b, "(%d,'row \\'%d\\'',%d.25),\n", i, i, i)
	}
	b.Truncate(b.Len() - 2)
	b.WriteString(";\nDELETE FROM t;")
	r := sqldump.NewReader(&b)
	s, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		row, err := r.Row()
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("[%d 'row '%d'' %g]", i, i, float64(i)+0.25)
		if got := fmt.Sprint(row); got != want || s.Row != i+2 {
			t.Fatalf("row %d: %v in line %d", i, row, s.Row)
		}
	}
	if _, err := r.Row(); err != io.EOF {
		t.Fatal(err)
	}
	if s, err = r.Next(); err != nil || s.Verb != sqldump.Delete || s.Line != rows+2 {
		t.Fatalf("%+v, %v", s, err)
	}
}

// Rows cost no allocation once the reader is warm.
func TestRowsDoNotAllocate(t *testing.T) {
	dump := "INSERT INTO t VALUES " + strings.Repeat("(1,-2.5,'text with \\'escapes\\'',NULL,0xFF),", 5000) + "(1)"
	r := sqldump.NewReader(strings.NewReader(dump))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := r.Row(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a row", n)
	}
}

// What is longer than its limit is refused, and what follows is read.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ dump, want string }{
		{"INSERT INTO t VALUES ('" + strings.Repeat("x", 16<<20+1) + "'),(2);",
			"1 INSERT t\n  sqldump: line 1: table t: a row of more than 16777216 bytes\n  1 [2]\n"},
		{"DELETE FROM t WHERE a IN (" + strings.Repeat("1,", 200_000) + "1);DELETE FROM u;",
			"sqldump: line 1: table t: an expression of more than 200000 parts\n1 DELETE u\n"},
		{"CREATE TABLE t (" + strings.Repeat("a int,", 1001) + "b int);DELETE FROM u;",
			"sqldump: line 1: table t: a table of more than 1000 columns\n1 DELETE u\n"},
		{"DELETE FROM `" + strings.Repeat("n", 257) + "`;DELETE FROM u;",
			"sqldump: line 1: no name that a table or a column may have\n1 DELETE u\n"},
	} {
		if got := all(strings.NewReader(c.dump)); got != c.want {
			t.Errorf("%.40s…:\n%.400s\nwant\n%s", c.dump, got, c.want)
		}
	}
}

// An error of the file is not the end of the dump.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	r := sqldump.NewReader(io.MultiReader(strings.NewReader("DELETE FROM t;"), iotest.ErrReader(broken)))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != broken {
		t.Errorf("%v, want broken", err)
	}
}

// FuzzReader looks for input that is read differently in pieces, or never ends.
func FuzzReader(f *testing.F) {
	for _, d := range dumps {
		f.Add([]byte(d.dump))
	}
	f.Fuzz(func(t *testing.T, dump []byte) {
		whole := all(bytes.NewReader(dump))
		if pieces := all(iotest.HalfReader(bytes.NewReader(dump))); pieces != whole {
			t.Errorf("in pieces\n%s\nat once\n%s", pieces, whole)
		}
		if n := strings.Count(whole, "\n"); n > 2*len(dump)+2 {
			t.Errorf("%d lines of %d bytes", n, len(dump))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	line := "(%d,%d,0,0,%d,0,0,1,1,0,-8949.95,-132.493,83.5312,0.0,300,5.5,0,42,0,1,0,0,0,'',NULL,0,'a comment'),\n"
	var dump bytes.Buffer
	dump.WriteString("INSERT INTO `creature` VALUES\n")
	for i := range 100_000 {
		fmt.Fprintf(&dump, line, i, i%3000, i%4)
	}
	b.SetBytes(int64(dump.Len()))
	for b.Loop() {
		r := sqldump.NewReader(bytes.NewReader(dump.Bytes()))
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := r.Row(); err != nil {
				break
			}
		}
	}
}
