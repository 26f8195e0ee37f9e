package sqldump

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// What is kept of what stands in parentheses behind types, and that a definition that is written is read again.
func TestSizes(t *testing.T) {
	long := "'" + strings.Repeat("x", maxSize) + "'"
	for sql, want := range map[string]string{
		"int": "", "int(11) unsigned": "11", "decimal ( 10 , 2 )": "10,2", "enum('a', \"it's\", 'b)')": `'a','it\'s','b)'`, "set('ü','\\\\')": `'ü','\\'`,
		"varchar(n+(1))": "", "enum(" + long + ")": "", "enum('a'," + long + ") NOT NULL": "",
	} {
		s, err := NewReader(strings.NewReader("CREATE TABLE t (a " + sql + ", b int DEFAULT '7', PRIMARY KEY (b));")).Next()
		if err != nil || s.Create.Columns[0].Size != want || len(s.Create.Columns) != 2 {
			t.Errorf("%.40s: %+v, %v", sql, s, err)
			continue
		}
		text, err := AppendCreate(nil, "t", s.Create)
		if err != nil {
			t.Fatal(err)
		}
		again, err := NewReader(strings.NewReader(string(text))).Next()
		if kind := s.Create.Columns[0].Type; want == "" && (kind == "varchar" || kind == "enum") {
			s.Create.Columns[0].Type, s.Create.Columns[0].Size = "varchar", "255"
		}
		if err != nil || !reflect.DeepEqual(again.Create, s.Create) {
			t.Errorf("%.40s: %+v, %v, of\n%s", sql, again, err, text)
		}
	}
}

// Literals have one form each, and some values have none.
func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "NULL"}, {int64(math.MinInt64), "-9223372036854775808"}, {0.1, "0.1"}, {-1e300, "-1e+300"}, {"it's\x00\n\r\x1a\\", `'it\'s\0\n\r\Z\\'`},
		{[]byte{}, "''"}, {[]byte{0, 0xFF}, "0x00ff"},
	} {
		if got, err := AppendLiteral(nil, c.value); err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v, want %s", c.value, got, err, c.want)
		}
	}
	for _, v := range []any{math.Inf(1), math.NaN(), 5} {
		if got, err := AppendLiteral(nil, v); err == nil {
			t.Errorf("%v: %s", v, got)
		}
	}
	if got, err := AppendLiteral(nil, make([]byte, maxHex+1)); err != nil || got[0] != '\'' { // a row has so many bytes at most
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
