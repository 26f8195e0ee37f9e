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
	places := recordOrder(columnNames(t.declared), t.key, t.keyed())
	fields := make([]*field, len(places)) // by place in the record
	var number *field
	for i, name := range p.columns {
		at := t.index[name]
		fields[slices.Index(places, at)] = &p.fields[i]
		if t.numbered() && name == t.key[0] {
			number = &p.fields[i]
		}
	}
	var values []pages.Value
	rows := 0
	err := pages.Scan(file, root, func(n int64, record []byte) (err error) {
		if rows++; rows%maxUnwatched == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if values, err = pages.Decode(values[:0], record); err != nil {
			return err
		}
		if len(values) != len(fields) {
			return fmt.Errorf("a row of %d values for %d columns", len(values), len(fields))
		}
		for i, at := range fields {
			switch {
			case at == nil:
			case at == number:
				at.into.putInt(n)
			case values[i].Kind == pages.Null:
				at.into.copy(at.missing)
			default:
				if err := at.into.set(values[i]); err != nil {
					return err
				}
			}
		}
		return f()
	})
	if err != nil {
		return fmt.Errorf("worlddb: table %s: %w", t.name, err)
	}
	return nil
}
