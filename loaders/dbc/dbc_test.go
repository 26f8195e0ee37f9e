package dbc

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/internal/corrupt"
)

// file is a DBC file of records, and of strings behind them.
func file(fields int, text string, records ...[]uint32) (b []byte) {
	b = append(b, "WDBC"...)
	for _, n := range []int{len(records), fields, 4 * fields, len(text)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for _, r := range records {
		for i := range fields {
			v := uint32(0)
			if i < len(r) {
				v = r[i]
			}
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	return append(b, text...)
}

// headerOf is the header of a file of so many records and fields, and nothing else.
func headerOf(records, fields int) (b []byte) {
	b = append(b, "WDBC"...)
	for _, n := range []int{records, fields, 4 * fields, 0} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

func bits(f float32) uint32 { return math.Float32bits(f) }

// A DBC file and a CSV file of the same table have the same rows, and of a folder the DBC file counts.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	if rows, err := Read(dir, AreaTrigger); err != nil || rows != nil {
		t.Errorf("an empty folder: %v, %v", rows, err)
	}
	write := func(name string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []Row{{{Int: 7}, {Int: 571}, {Float: 1.5}, {Float: -2}, {Float: 3}, {Float: 0}, {Float: 4}, {Float: 5}, {Float: 6}, {Float: 0.25}}}
	write("AreaTrigger.csv", []byte("\uFEFFID,ContinentID,X,Y,Z,Radius,Box_Length,Box_Width,Box_Height,Box_Yaw,Other\n7,571,1.5,-2,3,,4,5,6,0.25,x\n"))
	if rows, err := Read(dir, AreaTrigger); err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("CSV: %v, %v", rows, err)
	}
	write("AreaTrigger.dbc", file(10, "\x00", []uint32{7, 571, bits(1.5), bits(-2), bits(3), 0, bits(4), bits(5), bits(6), bits(0.25)}))
	if rows, err := Read(dir, AreaTrigger); err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("DBC: %v, %v", rows, err)
	}
	write("Map.dbc", file(66, "\x00Reedland\x00", []uint32{3, 0, 0, 0, 0, 1}, []uint32{4}))
	if rows, err := Read(dir, Map); err != nil || len(rows) != 2 || rows[0][1].Text != "Reedland" || rows[1][1].Text != "" {
		t.Errorf("names: %v, %v", rows, err)
	}
}

// What is no such file is refused as a whole, with the name of the file.
func TestMalformed(t *testing.T) {
	good := file(14, "\x00", []uint32{3, 0, 0, 0, 1, 2})
	for what, b := range map[string][]byte{
		"empty": nil, "another magic": append([]byte("WDB2"), good[4:]...), "cut off": good[:len(good)-1], "too long": append(good[:len(good):len(good)], 0),
		"another number of fields": file(13, "\x00", []uint32{3}), "no records at all": good[:19],
		"too many records": headerOf(MaxRecords+1, 14), "too many fields": headerOf(0, MaxFields+1),
	} {
		if rows, err := Parse(b, FactionTemplate); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", what, rows, err)
		}
	}
	for what, b := range map[string][]byte{
		"a text behind the strings": file(6, "\x00", []uint32{1, 0, 0, 0, 0, 1}), "a text without an end": file(6, "\x00a", []uint32{1, 0, 0, 0, 0, 1}),
		"no UTF-8": file(6, "\x00\xff\x00", []uint32{1, 0, 0, 0, 0, 1}), "too few fields": file(5, "\x00", []uint32{1}), "no strings": file(6, "", []uint32{1}),
	} {
		if rows, err := Parse(b, Map); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", what, rows, err)
		}
	}
	for _, text := range []string{"", "ID\n1\n", "ID,FriendGroup,EnemyGroup\n1,2\n", "ID,FriendGroup,EnemyGroup\nx,2,3\n", "ID,FriendGroup,EnemyGroup\n1,99999999999,3\n"} {
		if rows, err := ParseCSV([]byte(text), FactionTemplate); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, %v", text, rows, err)
		}
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "FactionTemplate.dbc"), good[:8], 0o600)
	if _, err := Read(dir, FactionTemplate); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "FactionTemplate.dbc") {
		t.Errorf("%v", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "Map.dbc"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, Map); !errors.Is(err, ErrFormat) {
		t.Errorf("a folder: %v", err)
	}
}

// Whatever a file has, it is read or refused with ErrFormat, and each row has each column.
func TestCorruptFiles(t *testing.T) {
	read := 0
	check := func(rows []Row, err error, columns int) {
		t.Helper()
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
		for _, row := range rows {
			if read++; len(row) != columns {
				t.Fatalf("%d values of %d", len(row), columns)
			}
		}
	}
	for b := range corrupt.Bytes(30000, file(6, "\x00Reed\x00", []uint32{3, 0, 0, 0, 0, 1}, []uint32{4, 0, 0, 0, 0, 3}), file(10, "\x00", []uint32{7, 1}), file(14, "\x00")) {
		for _, table := range []*Table{Map, AreaTrigger, FactionTemplate} {
			rows, err := Parse(b, table)
			check(rows, err, len(table.Columns))
		}
	}
	for text := range corrupt.Strings(10000, "ID,FriendGroup,EnemyGroup\n1,2,3\n4,,6\n", "id,\"name\"\n5,\"Reed, far\"\n") {
		rows, err := ParseCSV([]byte(text), FactionTemplate)
		check(rows, err, 3)
		rows, err = ParseCSV([]byte(text), Map)
		check(rows, err, 2)
	}
	if read < 1000 {
		t.Errorf("only %d rows were read", read)
	}
}
