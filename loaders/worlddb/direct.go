package worlddb

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"muster/loaders/worlddb/pages"
)

// direct is the file of a store that has begun to read it, to be read without SQLite: from is what was at the path before the store opened
// it. It is nil if another file may be there by now, or if the pages are of another size or may wait in a log beside the file.
//
// Source: 1.3 The Database Header, Database File Format, SQLite.
func direct(from *os.File, path string) *os.File {
	var head [20]byte
	opened, err := from.Stat()
	if err != nil {
		return nil
	}
	now, err := os.Stat(path)
	if err != nil || !os.SameFile(opened, now) {
		return nil
	}
	const rollback = 1 // the version of files without a write-ahead log
	if _, err := from.ReadAt(head[:], 0); err != nil || binary.BigEndian.Uint16(head[16:]) != pages.Size || head[19] != rollback {
		return nil
	}
	return from
}

// root is where a table begins in the file, if its rows can be read from there: it is as an import makes it, and in the order of these
// columns.
func (s *store) root(ctx context.Context, t *table, order []string) (root uint32, ok bool) {
	if s.file == nil || len(order) > len(t.key) || !slices.Equal(order, t.key[:len(order)]) {
		return 0, false
	}
	err := s.QueryRowContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql = ?", t.name, t.create(t.name)).Scan(&root)
	return root, err == nil
}

// maxUnwatched is how many rows are read until it is looked whether they are still wanted.
const maxUnwatched = 10_000

// scan reads all rows of a table of a file.
func (p *reading) scan(ctx context.Context, file io.ReaderAt, root uint32, t *table, f func() error) error {
	order := recordOrder(columnNames(t.declared), t.key, t.keyed())
	var places []int // in a record, of the columns that are read
	at := make(map[int]*field)
	var number *field
	for i, name := range p.columns {
		if t.numbered() && name == t.key[0] {
			number = &p.fields[i]
			continue
		}
		place := slices.Index(order, t.index[name])
		places, at[place] = append(places, place), &p.fields[i]
	}
	slices.Sort(places)
	fields := make([]*field, len(places))
	for i, place := range places {
		fields[i] = at[place]
	}
	var values []pages.Value
	rows := 0
	err := pages.Scan(file, root, func(n int64, record []byte) (err error) {
		if rows++; rows%maxUnwatched == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if values, err = pages.Pick(values[:0], record, places); err != nil {
			return err
		}
		if number != nil {
			number.into.putInt(n)
		}
		for i, at := range fields {
			if values[i].Kind == pages.Null {
				at.into.copy(at.missing)
			} else if err := at.into.set(values[i]); err != nil {
				return err
			}
		}
		return f()
	})
	if err != nil {
		return fmt.Errorf("worlddb: table %s: %w", t.name, err)
	}
	return nil
}

// whole reports whether a column has an integer in every row.
func (t *table) whole(column string) bool {
	i, ok := t.index[column]
	return ok && t.columns[i].class == integer && t.columns[i].NotNull
}

// integers calls f with the values of columns, which are different ones, for each row of a table, in the order of its key. direct is false, and nothing is
// read, if it cannot be read from the pages of a file, or a column may have anything but integers.
func (s *store) integers(ctx context.Context, t *table, columns []string, f func(row []int64)) (direct bool, err error) {
	row := make([]int64, len(columns))
	p := &reading{columns: columns}
	for i, name := range columns {
		if !t.whole(name) {
			return false, nil
		}
		p.fields = append(p.fields, field{cell{integer: &row[i]}, cell{integer: new(int64)}})
	}
	root, ok := s.root(ctx, t, nil)
	if !ok {
		return false, nil
	}
	return true, p.scan(ctx, s.file, root, t, func() error {
		f(row)
		return nil
	})
}
