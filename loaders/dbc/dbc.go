// Package dbc reads tables of a client that its user has as files: DBC files, or CSV files with the names of columns in their first line. None is
// needed, and none is written.
package dbc

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a file, our own choices: the largest of build 12340, Spell.dbc, has 47 MiB.
const (
	MaxFile    = 128 << 20 // bytes
	MaxRecords = 1 << 20
	MaxFields  = 256
)

// ErrFormat is that a file is none that can be read.
var ErrFormat = errors.New("dbc: malformed file")

// A Column is a column that is read.
type Column struct {
	Field int      // its index in a DBC file
	Names []string // in the first line of a CSV file, in lower case
	Kind  Kind
}

// A Kind is what a Column has.
type Kind uint8

// The kinds.
const (
	Integer Kind = iota // of 32 bits, with a sign
	Float
	Text
)

// A Table is what is read of a file.
type Table struct {
	Name    string // without an extension: AreaTrigger
	Fields  int    // that a DBC file of it has; 0 any that has those of the columns
	Columns []Column
}

// A Row is what a record has of the columns of its Table.
type Row []Value

// A Value is an Integer, a Float or a Text.
type Value struct {
	Int   int64
	Float float64
	Text  string
}

// Read reads a table of a folder, from its file with the extension dbc or csv; of both, from the former. There are no rows if there is
// neither.
func Read(folder string, t *Table) ([]Row, error) {
	for _, of := range []struct {
		extension string
		parse     func([]byte, *Table) ([]Row, error)
	}{{".dbc", Parse}, {".csv", ParseCSV}} {
		path := filepath.Join(folder, t.Name+of.extension)
		b, err := load(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			var rows []Row
			if rows, err = of.parse(b, t); err == nil {
				return rows, nil
			}
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nil, nil
}

func load(path string) ([]byte, error) {
	at, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !at.Mode().IsRegular() || at.Size() > MaxFile {
		return nil, fmt.Errorf("%w: it is no file of at most %d MiB", ErrFormat, MaxFile>>20)
	}
	return os.ReadFile(path)
}

// header is magic, and u32 each: records, fields, bytes of a record, bytes of the strings behind the records.
//
// Source: DBCFileLoader::Load, AzerothCore.
const header = 20

// Parse reads a DBC file. All of it is checked before a record is read: what its header says is as long as the file, and a text is one of its strings.
func Parse(b []byte, t *Table) (rows []Row, err error) {
	if len(b) < header || string(b[:4]) != "WDBC" {
		return nil, fmt.Errorf("%w: it does not begin with WDBC", ErrFormat)
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	records, fields, size, texts := u32(4), u32(8), u32(12), u32(16)
	switch {
	case records > MaxRecords || fields > MaxFields || size != 4*fields || header+records*size+texts != len(b):
		return nil, fmt.Errorf("%w: %d records of %d fields in %d bytes, and %d bytes of text, are not %d bytes", ErrFormat, records, fields, size, texts, len(b))
	case t.Fields != 0 && fields != t.Fields:
		return nil, fmt.Errorf("%w: it has %d fields, and those of build 12340 have %d", ErrFormat, fields, t.Fields)
	}
	for _, c := range t.Columns {
		if c.Field >= fields {
			return nil, fmt.Errorf("%w: it has %d fields, and no field %d", ErrFormat, fields, c.Field)
		}
	}
	strings := b[len(b)-texts:]
	for n := range records {
		row := make(Row, len(t.Columns))
		for i, c := range t.Columns {
			raw := binary.LittleEndian.Uint32(b[header+n*size+4*c.Field:])
			switch c.Kind {
			case Integer:
				row[i].Int = int64(int32(raw))
			case Float:
				row[i].Float = float64(math.Float32frombits(raw))
			case Text:
				if row[i].Text, err = textAt(strings, raw); err != nil {
					return nil, fmt.Errorf("record %d: %w", n, err)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// textAt is the string that begins at a byte.
func textAt(b []byte, at uint32) (string, error) {
	if uint64(at) >= uint64(len(b)) {
		return "", fmt.Errorf("%w: its text begins behind the strings", ErrFormat)
	}
	end := bytes.IndexByte(b[at:], 0)
	if end < 0 {
		return "", fmt.Errorf("%w: its text has no end", ErrFormat)
	}
	text := string(b[at : int(at)+end])
	if !utf8.ValidString(text) {
		return "", fmt.Errorf("%w: its text is not UTF-8", ErrFormat)
	}
	return text, nil
}

// ParseCSV reads a CSV file.
func ParseCSV(b []byte, t *Table) (rows []Row, err error) {
	from := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\uFEFF"))))
	from.ReuseRecord = true
	names, err := from.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	at := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		if at[i] = find(names, c.Names); at[i] < 0 {
			return nil, fmt.Errorf("%w: it has no column %s", ErrFormat, c.Names[0])
		}
	}
	all, err := from.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if len(all) > MaxRecords {
		return nil, fmt.Errorf("%w: it has %d records", ErrFormat, len(all))
	}
	for n, record := range all {
		row := make(Row, len(t.Columns))
		for i, c := range t.Columns {
			if err := row[i].set(c.Kind, record[at[i]]); err != nil {
				return nil, fmt.Errorf("%w: record %d, column %s: %q", ErrFormat, n, c.Names[0], record[at[i]])
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func find(names, known []string) int {
	for _, name := range known {
		for i := range names {
			if strings.EqualFold(strings.TrimSpace(names[i]), name) {
				return i
			}
		}
	}
	return -1
}

// set reads a value; an empty number is 0.
func (v *Value) set(kind Kind, text string) (err error) {
	switch trimmed := strings.TrimSpace(text); {
	case kind == Text:
		if v.Text = text; !utf8.ValidString(text) {
			err = ErrFormat
		}
	case trimmed == "":
	case kind == Integer:
		v.Int, err = strconv.ParseInt(trimmed, 10, 33)
	default:
		v.Float, err = strconv.ParseFloat(trimmed, 32)
	}
	return err
}
