package pages_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"muster/internal/corrupt"
	"muster/internal/testseed"
	"muster/loaders/worlddb/pages"
)

// open opens a file that was written, after SQLite has looked at all of it.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatal(verdict, err)
	}
	return db
}

// TestPages has SQLite read trees of several levels, and change them.
func TestPages(t *testing.T) {
	dice := rand.New(rand.NewPCG(testseed.Of(t), 0))
	path := filepath.Join(t.TempDir(), "db")
	f, err := pages.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const rows = 9000
	length := func(i int) int { // some are longer than a page
		if i%97 == 0 {
			return dice.IntN(3 * pages.Size)
		}
		return dice.IntN(40)
	}
	numbered := f.Table("numbered", "CREATE TABLE numbered (id INTEGER, b TEXT, PRIMARY KEY (id)) STRICT", false)
	keyed := f.Table("keyed", "CREATE TABLE keyed (b BLOB, n INTEGER NOT NULL, k TEXT NOT NULL, PRIMARY KEY (k, n)) STRICT, WITHOUT ROWID", true)
	f.Table("empty", "CREATE TABLE empty (a INTEGER NOT NULL, b TEXT NOT NULL, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID", true)
	tiny := f.Table("tiny", "CREATE TABLE tiny (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID", true)
	var texts, keys []string
	var blobs [][]byte
	var numbers []int64
	var r pages.Record
	number := int64(-5_000_000_000)
	for i := range rows {
		number += 1 + dice.Int64N(1<<21)
		texts, numbers = append(texts, strings.Repeat("x", length(i))), append(numbers, number)
		r.Reset()
		r.Null()
		r.Text([]byte(texts[i]))
		numbered.Row(number, r.Bytes())

		key := fmt.Sprintf("%06d", i)
		if i%3 == 0 { // long keys make deep trees
			key += strings.Repeat("k", 2000+dice.IntN(3000))
		}
		blobs, keys = append(blobs, bytes.Repeat([]byte{7}, length(i))), append(keys, key)
		r.Reset()
		r.Text([]byte(key))
		r.Int(int64(i))
		r.Blob(blobs[i])
		keyed.Entry(r.Bytes())

		r.Reset() // a cell of three bytes, which takes four
		r.Int(int64(i / 2))
		r.Int(int64(i % 2))
		tiny.Entry(r.Bytes())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	for i := range rows {
		var text, key string
		var blob []byte
		if err := db.QueryRow("SELECT b FROM numbered WHERE id = ?", numbers[i]).Scan(&text); err != nil || text != texts[i] {
			t.Fatalf("row %d: %.20q, %v", numbers[i], text, err)
		}
		if err := db.QueryRow("SELECT k, b FROM keyed WHERE k = ? AND n = ?", keys[i], i).Scan(&key, &blob); err != nil || key != keys[i] || !bytes.Equal(blob, blobs[i]) {
			t.Fatalf("row %.10q: %d bytes, %v", keys[i], len(blob), err)
		}
	}
	for table, want := range map[string]int{"numbered": rows, "keyed": rows, "tiny": rows, "empty": 0} {
		var n int
		if err := db.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n); err != nil || n != want {
			t.Errorf("%s has %d rows, want %d: %v", table, n, want, err)
		}
	}
	raw, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for table, number := range map[string]func(i int) int64{"numbered": func(i int) int64 { return numbers[i] }, "keyed": func(int) int64 { return 0 }} {
		var root uint32
		if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&root); err != nil {
			t.Fatal(err)
		}
		i := 0
		err := pages.Scan(raw, root, func(n int64, record []byte) error {
			values, err := pages.Decode(nil, record)
			if n != number(i) || table == "numbered" && string(values[1].Bytes) != texts[i] ||
				table == "keyed" && (string(values[0].Bytes) != keys[i] || !bytes.Equal(values[2].Bytes, blobs[i])) {
				t.Fatalf("%s: row %d of %d is another one: %v", table, i, n, err)
			}
			i++
			return err
		})
		if err != nil || i != rows {
			t.Errorf("%s: %d rows, %v", table, i, err)
		}
	}
	if err := pages.Scan(raw, 1<<20, nil); err == nil {
		t.Error("a page behind the end")
	}
	for _, change := range []string{
		"DELETE FROM keyed WHERE n % 2 = 0", "INSERT INTO numbered VALUES (NULL, 'behind all')", "UPDATE tiny SET b = b + 7",
		"INSERT INTO empty VALUES (1, 'one')", "DELETE FROM numbered WHERE id < 0",
	} {
		if _, err := db.Exec(change); err != nil {
			t.Errorf("%s: %v", change, err)
		}
	}
	db.Close()
	open(t, path)
}

// TestSchema has tables whose declarations fill pages, and one that page 1 has no room for behind the header.
func TestSchema(t *testing.T) {
	for _, tables := range []int{0, 1, 300} {
		for _, length := range []int{0, 8000, pages.Size - 180, pages.Size - 110, 2 * pages.Size} {
			path := filepath.Join(t.TempDir(), "db")
			f, err := pages.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range tables {
				f.Table(fmt.Sprintf("t%d", i), fmt.Sprintf("CREATE TABLE t%d (a INTEGER) /*%s*/", i, strings.Repeat("-", length)), false)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			var n int
			if err := open(t, path).QueryRow("SELECT COUNT(*) FROM sqlite_schema").Scan(&n); err != nil || n != tables {
				t.Errorf("%d tables of %d: %v", n, tables, err)
			}
		}
	}
}

// TestRecord writes values that SQLite reads and writes back as the same bytes, and Decode reads.
func TestRecord(t *testing.T) {
	ints := []int64{0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32769, 1 << 23, -1<<23 - 1, 1 << 31, -1 << 47, 1 << 47, math.MaxInt64, math.MinInt64}
	reals := []float64{0, 1, -1.5, 1e300, 1 << 50, math.Copysign(0, -1), 12345678}
	path := filepath.Join(t.TempDir(), "db")
	f, err := pages.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	table := f.Table("t", "CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n TEXT) STRICT", false)
	var r pages.Record
	for i, v := range ints {
		real := reals[i%len(reals)]
		r.Reset()
		r.Int(v)
		r.Real(real)
		r.Text([]byte("né"))
		r.Blob(nil)
		r.Null()
		table.Row(int64(i+1), r.Bytes())
		values, err := pages.Decode(nil, r.Bytes())
		if err != nil || len(values) != 5 || values[0].Int != v || values[2].Kind != pages.Text || string(values[2].Bytes) != "né" ||
			values[3].Kind != pages.Blob || values[4].Kind != pages.Null {
			t.Errorf("%d: %v, %v", v, values, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	for i, v := range ints {
		var n int64
		var x float64
		var s, types string
		if err := db.QueryRow("SELECT i, r, s, typeof(i)||typeof(r)||typeof(s)||typeof(b)||typeof(n) FROM t WHERE rowid = ?", i+1).Scan(&n, &x, &s, &types); err != nil {
			t.Fatal(err)
		}
		if n != v || x != reals[i%len(reals)] || s != "né" || types != "integerrealtextblobnull" {
			t.Errorf("row %d: %d %v %q %s", i+1, n, x, s, types)
		}
	}
}

// TestFullDisk has the first error in all that comes after it.
func TestFullDisk(t *testing.T) {
	f, err := pages.Create("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	table := f.Table("t", "CREATE TABLE t (b BLOB)", false)
	var r pages.Record
	r.Blob(make([]byte, 8<<20))
	table.Row(1, r.Bytes())
	if f.Err() == nil || f.Close() == nil {
		t.Error("no error of a full disk")
	}
}

// TestDecodeOfCorrupt reads records of which nothing is right.
func TestDecodeOfCorrupt(t *testing.T) {
	var r pages.Record
	r.Int(1 << 40)
	r.Real(1.5)
	r.Text([]byte("some text"))
	r.Blob(make([]byte, 200))
	for record := range corrupt.Bytes(5000, r.Bytes(), []byte{4, 1, 25, 12, 5}, []byte{0x80}) {
		values, err := pages.Decode(nil, record)
		size := 0
		for _, v := range values {
			size += len(v.Bytes)
		}
		if err == nil && size > len(record) {
			t.Errorf("%x: %d bytes of %d", record, size, len(record))
		}
		for place := range values { // Pick reads what Decode reads
			picked, err := pages.Pick(nil, record, []int{place})
			if err != nil || len(picked) != 1 || fmt.Sprint(picked[0]) != fmt.Sprint(values[place]) {
				t.Errorf("%x: %v at %d, %v, want %v", record, picked, place, err, values[place])
			}
		}
		if picked, err := pages.Pick(nil, record, []int{len(values)}); err == nil {
			t.Errorf("%x: %v at %d", record, picked, len(values))
		}
	}
}

// TestScanOfCorrupt reads files of which nothing is right.
func TestScanOfCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	f, err := pages.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	table := f.Table("t", "CREATE TABLE t (b BLOB)", false)
	var r pages.Record
	for i := range 200 {
		r.Reset()
		r.Blob(make([]byte, 100+i*200))
		table.Row(int64(i), r.Bytes())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(testseed.Of(t), 1))
	for range 2000 {
		page := dice.IntN(len(good) / pages.Size)
		bad := bytes.Clone(good)
		for range 1 + dice.IntN(4) { // in a header or in the places of cells
			bad[page*pages.Size+dice.IntN(64)] = byte(dice.Uint32())
		}
		budget := 10_000 // a tree that has itself as a child may be long
		pages.Scan(bytes.NewReader(bad), uint32(1+dice.IntN(len(good)/pages.Size)), func(int64, []byte) error {
			if budget--; budget == 0 {
				return errors.New("enough")
			}
			return nil
		})
	}
}
