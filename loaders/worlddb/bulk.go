package worlddb

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"slices"

	"muster/loaders/worlddb/pages"
	"muster/loaders/worlddb/sqldump"
)

// A bulk makes a new world without SQLite, while nothing is done but to make tables and add rows, as a base does. Rows that are not behind
// all others of their table wait aside, for SQLite to add them when the rest is there.
type bulk struct {
	path   string // of the world
	file   *pages.File
	tables []*filling
	record pages.Record

	waiting *os.File
	out     *bufio.Writer // to waiting
	head    []byte
}

func newBulk(path string) (*bulk, error) {
	file, err := pages.Create(path)
	if err != nil {
		return nil, err
	}
	return &bulk{path: path, file: file}, nil
}

// A filling is a table of a bulk.
type filling struct {
	of     *table
	pages  *pages.Table
	place  int             // in bulk.tables
	order  []int           // of the columns in a record: those of the key first if it is not the number of the row
	number int             // the column that is the number of the row, or -1
	last   int64           // the number of the last row
	key    []sqldump.Value // of the last row of a table without such numbers
	rows   int64           // also those that wait
}

// create adds a table.
func (b *bulk) create(t *table) {
	f := &filling{of: t, place: len(b.tables), number: -1}
	f.pages = b.file.Table(t.name, t.create(t.name), t.keyed())
	if t.numbered() {
		f.number = t.index[t.key[0]]
	}
	if t.keyed() {
		for _, name := range t.key {
			f.order = append(f.order, t.index[name])
		}
		f.key = make([]sqldump.Value, len(f.order))
	}
	inKey := make([]bool, len(t.columns))
	for _, at := range f.order {
		inKey[at] = true
	}
	for i := range t.columns {
		if !inKey[i] {
			f.order = append(f.order, i)
		}
	}
	b.tables, t.filling = append(b.tables, f), f
}

// add adds a row as the table keeps it, at its end or aside.
func (b *bulk) add(f *filling, s *sqldump.Statement, row []sqldump.Value) error {
	f.rows++
	behind := f.behind(row)
	b.record.Reset()
	for _, i := range f.order {
		v := &row[i]
		switch {
		case v.Kind == sqldump.Null, behind && i == f.number:
			b.record.Null()
		case v.Kind == sqldump.Int:
			b.record.Int(v.Int)
		case v.Kind == sqldump.Float:
			b.record.Real(v.Float)
		case v.Kind == sqldump.Text:
			b.record.Text(v.Bytes)
		default:
			b.record.Blob(v.Bytes)
		}
	}
	switch {
	case !behind:
		return b.aside(f, s)
	case f.key != nil:
		f.pages.Entry(b.record.Bytes())
	default:
		f.pages.Row(f.last, b.record.Bytes())
	}
	return b.file.Err()
}

// behind reports whether a row is behind all that the table has, and notes that it is the last from now on.
func (f *filling) behind(row []sqldump.Value) bool {
	if f.key == nil {
		next := f.last + 1
		if f.number >= 0 && row[f.number].Kind == sqldump.Int {
			next = row[f.number].Int
		}
		if f.last == math.MaxInt64 || f.rows > 1 && next <= f.last {
			return false
		}
		f.last = next
		return true
	}
	order := 0
	for i := range f.key {
		v := &row[f.order[i]]
		if v.Kind == sqldump.Null {
			return false
		}
		if order == 0 && f.rows > 1 {
			order = compareKeys(v, &f.key[i])
		}
	}
	if order <= 0 && f.rows > 1 {
		return false
	}
	for i := range f.key {
		v := &row[f.order[i]]
		own := append(f.key[i].Bytes[:0], v.Bytes...)
		f.key[i] = *v
		f.key[i].Bytes = own
	}
	return true
}

// compareKeys compares two values of a column as SQLite does.
func compareKeys(a, b *sqldump.Value) int {
	switch a.Kind {
	case sqldump.Int:
		return cmp.Compare(a.Int, b.Int)
	case sqldump.Float:
		return cmp.Compare(a.Float, b.Float)
	case sqldump.Text:
		return compareText(a.Bytes, b.Bytes)
	}
	return bytes.Compare(a.Bytes, b.Bytes)
}

// compareText compares texts without regard to the case of the letters of ASCII.
func compareText(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if order := cmp.Compare(lower(a[i]), lower(b[i])); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// How a row that waits is to be added.
const (
	byInsert = iota
	byReplace
	byIgnore
)

// aside writes the record to the rows that wait.
func (b *bulk) aside(f *filling, s *sqldump.Statement) (err error) {
	if b.waiting == nil {
		if b.waiting, err = os.Create(b.path + asideSuffix); err != nil {
			return err
		}
		b.out = bufio.NewWriterSize(b.waiting, 64<<10)
	}
	how := byInsert
	switch {
	case s.Verb == sqldump.Replace:
		how = byReplace
	case s.Ignore:
		how = byIgnore
	}
	record := b.record.Bytes()
	b.head = binary.AppendUvarint(b.head[:0], uint64(f.place))
	b.head = append(b.head, byte(how))
	b.head = binary.AppendUvarint(b.head, uint64(s.Row))
	b.head = binary.AppendUvarint(b.head, uint64(len(record)))
	_, err = b.out.Write(b.head)
	if err == nil {
		_, err = b.out.Write(record)
	}
	return err
}

// asideSuffix is behind the name of the world in that of the file with the rows that wait.
const asideSuffix = "-aside"

// abort gives the world up.
func (b *bulk) abort() error { return errors.Join(b.file.Abort(), b.discard()) }

// discard removes the rows that wait.
func (b *bulk) discard() error {
	if b.waiting == nil {
		return nil
	}
	err := errors.Join(b.waiting.Close(), os.Remove(b.waiting.Name()))
	b.waiting = nil
	return err
}

// toSQL has SQLite open the world of the bulk, if there is one, and add the rows that wait. From now on it does all that is done.
func (im *importer) toSQL(ctx context.Context) error {
	b := im.bulk
	if b == nil {
		return nil
	}
	im.bulk = nil
	err := b.file.Close()
	if err == nil {
		im.scratch, err = openScratch(ctx, b.path)
	}
	if err != nil {
		return errors.Join(err, b.discard())
	}
	im.adder = newAdder(im.scratch)
	err = im.prepare()
	if err == nil && b.waiting != nil {
		err = im.addWaiting(b)
	}
	return errors.Join(err, b.discard())
}

// addWaiting adds the rows that wait.
func (im *importer) addWaiting(b *bulk) error {
	err := b.out.Flush()
	if err == nil {
		_, err = b.waiting.Seek(0, io.SeekStart)
	}
	in := bufio.NewReaderSize(b.waiting, 64<<10)
	var record []byte
	var values []pages.Value
	var row []sqldump.Value
	for err == nil {
		var n [4]uint64 // table, how, line, bytes of the record
		for i := range n {
			if n[i], err = binary.ReadUvarint(in); err != nil {
				if i == 0 && err == io.EOF {
					return im.settled()
				}
				return err
			}
		}
		record = slices.Grow(record[:0], int(n[3]))[:n[3]]
		if _, err = io.ReadFull(in, record); err != nil {
			return err
		}
		if values, err = pages.Decode(values[:0], record); err != nil {
			return err
		}
		f := b.tables[n[0]]
		row = slices.Grow(row[:0], len(values))[:len(values)]
		for i, v := range values {
			row[f.order[i]] = valueOf(v, f.of.columns[f.order[i]].class)
		}
		s := &sqldump.Statement{Verb: sqldump.Insert, Row: int(n[2]), Ignore: n[1] == byIgnore}
		if n[1] == byReplace {
			s.Verb = sqldump.Replace
		}
		err = im.addRow(f.of, s, row)
	}
	return err
}

// valueOf is a value of a record as the column keeps it.
func valueOf(v pages.Value, c class) sqldump.Value {
	switch v.Kind {
	case pages.Int:
		if c == real {
			return sqldump.Value{Kind: sqldump.Float, Float: float64(v.Int)}
		}
		return sqldump.Value{Kind: sqldump.Int, Int: v.Int}
	case pages.Real:
		return sqldump.Value{Kind: sqldump.Float, Float: v.Real}
	case pages.Text:
		return sqldump.Value{Kind: sqldump.Text, Bytes: v.Bytes}
	case pages.Blob:
		return sqldump.Value{Kind: sqldump.Binary, Bytes: v.Bytes}
	}
	return sqldump.Value{}
}
