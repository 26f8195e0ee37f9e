package worlddb

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muster/loaders/worlddb/sqldump"
)

// A class is how the values of a column are kept. It is its type in SQLite.
type class string

const (
	integer class = "INTEGER"
	real    class = "REAL"
	text    class = "TEXT"
	blob    class = "BLOB"
)

// bits are the sizes of the integers of MySQL.
var bits = map[string]int{
	"bool": 8, "boolean": 8, "tinyint": 8, "year": 16, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 64, "bit": 64,
}

// classOf is how a type of MySQL is kept. Dates and enumerations are text.
func classOf(kind string) class {
	switch kind {
	case "float", "double", "real", "decimal", "numeric", "dec", "fixed":
		return real
	case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob":
		return blob
	}
	if bits[kind] > 0 {
		return integer
	}
	return text
}

// A column is one that is kept.
type column struct {
	sqldump.Column
	class    class
	min, max int64         // of integer
	missing  sqldump.Value // what a row has that does not name the column
}

func newColumn(c sqldump.Column) (column, error) {
	k := column{Column: c, class: classOf(c.Type)}
	if n := bits[c.Type]; k.class == integer {
		k.min, k.max = math.MinInt64>>(64-n), math.MaxInt64>>(64-n)
		if c.Unsigned && n < 64 {
			k.min, k.max = 0, math.MaxInt64>>(63-n)
		} else if c.Unsigned {
			k.min = 0
		}
		if c.Type == "year" {
			k.min, k.max = 0, math.MaxUint16
		}
	}
	if c.Default.Kind == sqldump.Null && c.NotNull && !c.Auto {
		k.missing = empty[k.class]
		return k, nil
	}
	if c.Default.Kind == sqldump.Null {
		return k, nil
	}
	k.missing = c.Default
	return k, k.fit(&k.missing)
}

// empty is what a column that is NOT NULL has without a default.
var empty = map[class]sqldump.Value{
	integer: {Kind: sqldump.Int}, real: {Kind: sqldump.Float}, text: {Kind: sqldump.Text}, blob: {Kind: sqldump.Binary},
}

// fit makes a value what the column keeps: NULL, an Int, a Float, a Text of UTF-8, or Binary of a blob. Its bytes may be those that it had.
func (c *column) fit(v *sqldump.Value) error {
	switch {
	case v.Kind == sqldump.Int && c.class == integer:
		if v.Int < c.min || v.Int > c.max {
			return fmt.Errorf("%d in column %s, which is from %d to %d", v.Int, c.Name, c.min, c.max)
		}
		return nil
	case v.Kind == sqldump.Float && c.class == real:
		return nil
	case v.Kind == sqldump.Null:
		if c.NotNull && !c.Auto {
			return fmt.Errorf("NULL in column %s", c.Name)
		}
		return nil
	case v.Kind == sqldump.Default:
		*v = c.missing
		return nil
	}
	switch c.class {
	case integer, real:
		return c.fitNumber(v)
	case blob:
		if v.Kind != sqldump.Text && v.Kind != sqldump.Binary {
			v.Bytes = []byte(v.String())
		}
		v.Kind = sqldump.Binary
		return nil
	}
	if v.Kind != sqldump.Text && v.Kind != sqldump.Binary {
		v.Bytes = []byte(v.String())
	}
	v.Kind = sqldump.Text
	if bytes.IndexByte(v.Bytes, 0) >= 0 {
		return fmt.Errorf("a zero byte in column %s", c.Name)
	}
	if !utf8.Valid(v.Bytes) {
		v.Bytes = []byte(unicode(v.Bytes))
	}
	return nil
}

func (c *column) fitNumber(v *sqldump.Value) error {
	n, ok := v.Number()
	switch {
	case ok && c.class == real:
		*v = sqldump.Value{Kind: sqldump.Float, Float: n.Real()}
		return nil
	case ok && n.Kind == sqldump.Float:
		rounded := math.Round(n.Float)
		if ok = math.Abs(rounded) < 1<<63; ok {
			n = sqldump.Value{Kind: sqldump.Int, Int: int64(rounded)}
		}
	}
	if !ok {
		return fmt.Errorf("%s in column %s, which is a number", short(*v), c.Name)
	}
	*v = n
	return c.fit(v)
}

// boxed is a value that fits its column as SQLite's driver takes it: nil, int64, float64, string or []byte.
func boxed(v sqldump.Value) any {
	switch v.Kind {
	case sqldump.Int:
		return v.Int
	case sqldump.Float:
		return v.Float
	case sqldump.Text:
		return string(v.Bytes)
	case sqldump.Binary:
		return append([]byte{}, v.Bytes...)
	}
	return nil
}

// maxShown is how many bytes of a value a message shows.
const maxShown = 40

func short(v sqldump.Value) string {
	s := v.String()
	if len(s) > maxShown {
		s = s[:maxShown] + "…"
	}
	return strings.ToValidUTF8(s, "?")
}

// windows1252 has the signs that Windows-1252 has where ISO 8859-1 has none, from 0x80 on.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// unicode is a text that is UTF-8, or else what MySQL calls latin1.
//
// Source: MySQL Reference Manual, West European Character Sets.
func unicode(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for _, c := range text {
		if c >= 0x80 && c < 0xA0 {
			b.WriteRune(windows1252[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// A table is one that is kept, as it is at this moment of an import.
type table struct {
	name     string
	declared *sqldump.Definition
	columns  []column
	index    map[string]int // by name
	key      []string

	insert, replace, ignore string // statements that add a row, with a parameter for each column
	filling                 *filling
}

// newTable is a table as it is declared. Without a primary key, a unique one of columns without NULL takes its place.
func newTable(name string, d *sqldump.Definition) (*table, error) {
	t := &table{name: name, declared: d, index: make(map[string]int), key: d.Key}
	for i, c := range d.Columns {
		k, err := newColumn(c)
		if err != nil {
			return nil, fmt.Errorf("the default: %w", err)
		}
		if _, twice := t.index[c.Name]; twice {
			return nil, fmt.Errorf("the column %s is declared twice", c.Name)
		}
		t.columns, t.index[c.Name] = append(t.columns, k), i
	}
	if len(t.columns) == 0 {
		return nil, errors.New("a table without columns")
	}
	if t.key == nil && !slices.ContainsFunc(d.Unique, t.mayBeNull) {
		t.key = d.Unique
	}
	for i, name := range t.key {
		at, ok := t.index[name]
		if !ok || slices.Contains(t.key[:i], name) {
			return nil, fmt.Errorf("the key has no column %s", name)
		}
		t.columns[at].NotNull = true
		if t.columns[at].missing.Kind == sqldump.Null && !t.columns[at].Auto {
			t.columns[at].missing = empty[t.columns[at].class]
		}
	}
	values := fmt.Sprintf(" INTO %s VALUES (?%s)", quote(name), strings.Repeat(", ?", len(t.columns)-1))
	t.insert, t.replace, t.ignore = "INSERT"+values, "INSERT OR REPLACE"+values, "INSERT OR IGNORE"+values
	return t, nil
}

func (t *table) mayBeNull(name string) bool {
	i, ok := t.index[name]
	return !ok || !t.columns[i].NotNull
}

// numbered reports whether the key is one integer, which SQLite has as the number of the row.
func (t *table) numbered() bool {
	return len(t.key) == 1 && t.columns[t.index[t.key[0]]].class == integer
}

// keyed reports whether there is a key and rows have no numbers.
func (t *table) keyed() bool { return len(t.key) > 0 && !t.numbered() }

// create is the statement that makes the table in SQLite. Text is compared without regard to case, as MySQL does.
func (t *table) create(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (", quote(name))
	for i := range t.columns {
		c := &t.columns[i]
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", quote(c.Name), c.class)
		if c.NotNull && !c.Auto {
			b.WriteString(" NOT NULL")
		}
		if c.class == text {
			b.WriteString(" COLLATE NOCASE")
		}
	}
	if len(t.key) > 0 {
		fmt.Fprintf(&b, ", PRIMARY KEY (%s)", quoteAll(t.key))
	}
	b.WriteString(") STRICT")
	if t.keyed() {
		b.WriteString(", WITHOUT ROWID")
	}
	return b.String()
}

// quote is a name as SQLite and PostgreSQL take it. Names of dumps have no quotes in them.
func quote(name string) string { return `"` + name + `"` }

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}

// literal is a value as SQLite takes it.
func literal(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		s := strconv.FormatFloat(v, 'e', -1, 64)
		return s
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []byte:
		return fmt.Sprintf("X'%X'", v)
	}
	return "NULL"
}
