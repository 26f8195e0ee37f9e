package sqldump

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// AppendName appends a name in backticks. Names that a Reader has read have none in them.
func AppendName(to []byte, name string) []byte {
	to = append(to, '`')
	to = append(to, name...)
	return append(to, '`')
}

// AppendText appends a text between quotes, with escapes for what would end it, or what terminals and editors change.
//
// Source: MySQL Reference Manual, String Literals.
func AppendText[T string | []byte](to []byte, text T) []byte {
	to = append(to, '\'')
	for i := range len(text) {
		switch c := text[i]; c {
		case 0:
			to = append(to, `\0`...)
		case '\n':
			to = append(to, `\n`...)
		case '\r':
			to = append(to, `\r`...)
		case 0x1A:
			to = append(to, `\Z`...)
		case '\'', '\\':
			to = append(to, '\\', c)
		default:
			to = append(to, c)
		}
	}
	return append(to, '\'')
}

// maxHex is how many bytes are written in hexadecimal: a row with twice as many must not be longer than a Reader reads.
const maxHex = maxText / 8

// AppendLiteral appends a value: nil, int64, float64, string or []byte. A Reader reads the same value from it. The error is that there is
// no literal, as of infinity.
func AppendLiteral(to []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(to, "NULL"...), nil
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return to, fmt.Errorf("sqldump: no literal is %v", v)
		}
		return strconv.AppendFloat(to, v, 'g', -1, 64), nil
	case string:
		return AppendText(to, v), nil
	case []byte:
		if len(v) == 0 || len(v) > maxHex {
			return AppendText(to, v), nil
		}
		return hex.AppendEncode(append(to, "0x"...), v), nil
	}
	return to, fmt.Errorf("sqldump: no literal is a %T", v)
}

// Types that need a size where none is known.
var sizes = map[string]string{"varchar": "varchar(255)", "varbinary": "varbinary(255)", "enum": "varchar(255)", "set": "varchar(255)"}

// keySize is how much of a text a key has, in letters: InnoDB's keys have 767 bytes at least, and letters up to four.
const keySize = "(191)"

// AppendCreate appends a CREATE TABLE, from which a Reader reads the same definition. Sizes that are not known are the largest that are
// usual.
func AppendCreate(to []byte, table string, d *Definition) ([]byte, error) {
	to = append(to, "CREATE TABLE "...)
	to = append(AppendName(to, table), " (\n"...)
	long := make(map[string]bool) // columns of which keys have the beginning
	for i, c := range d.Columns {
		if i > 0 {
			to = append(to, ",\n"...)
		}
		long[c.Name] = strings.HasSuffix(c.Type, "text") || strings.HasSuffix(c.Type, "blob")
		to = append(AppendName(append(to, "  "...), c.Name), ' ')
		switch {
		case c.Size != "":
			to = append(append(append(append(to, c.Type...), '('), c.Size...), ')')
		case sizes[c.Type] != "":
			to = append(to, sizes[c.Type]...)
		default:
			to = append(to, c.Type...)
		}
		if c.Unsigned {
			to = append(to, " unsigned"...)
		}
		if c.NotNull {
			to = append(to, " NOT NULL"...)
		}
		if c.Auto && (slices.Contains(d.Key, c.Name) || slices.Contains(d.Unique, c.Name)) {
			to = append(to, " AUTO_INCREMENT"...)
		}
		if c.Default.Kind != Null {
			var err error
			if to, err = appendDefault(append(to, " DEFAULT "...), c.Default); err != nil {
				return to, err
			}
		}
	}
	for _, k := range []struct {
		word    string
		columns []string
	}{{"PRIMARY KEY", d.Key}, {"UNIQUE KEY `muster_unique`", d.Unique}} {
		for i, name := range k.columns {
			if i == 0 {
				to = append(append(append(to, ",\n  "...), k.word...), " ("...)
			} else {
				to = append(to, ", "...)
			}
			if to = AppendName(to, name); long[name] {
				to = append(to, keySize...)
			}
		}
		if len(k.columns) > 0 {
			to = append(to, ')')
		}
	}
	return append(to, "\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n"...), nil
}

func appendDefault(to []byte, v Value) ([]byte, error) {
	switch v.Kind {
	case Int:
		return AppendLiteral(to, v.Int)
	case Float:
		return AppendLiteral(to, v.Float)
	case Text:
		return AppendText(to, v.Bytes), nil
	case Binary:
		return append(hex.AppendEncode(append(to, "x'"...), v.Bytes), '\''), nil
	}
	return to, fmt.Errorf("sqldump: no default is %v", v)
}
