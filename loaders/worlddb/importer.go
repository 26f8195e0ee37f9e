package worlddb

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"muster/loaders/worlddb/sqldump"
)

// maxProblems is how many problems are kept with file and line. All are counted.
const maxProblems = 1000

// A Problem is a row or a statement of a dump that is not used.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Table  string `json:"table,omitempty"`
	Reason string `json:"reason"`
}

func (p Problem) Error() string {
	where := fmt.Sprintf("%s:%d: ", p.File, p.Line)
	if p.Table != "" {
		where += p.Table + ": "
	}
	return where + p.Reason
}

// counts are those of one table, over all imports into a world.
type counts struct {
	read, bad, duplicate int64 // rows
	applied, skipped     int64 // statements without rows
}

// An importer applies dumps to a scratch.
type importer struct {
	*scratch
	strict   bool
	progress func(Progress)
	at       Progress
	text     int64 // bytes of SQL that were read, without compression

	tables   map[string]*table  // those that are kept and there
	counts   map[string]*counts // of all tables that were named
	shape    schema             // of all tables that were made, also those that are not kept
	files    []input
	problems []Problem
	bad      int // how many problems there were
	file     string
	adder    *adder
	values   []sqldump.Value // of a row, in the order of its table

	bulk *bulk // nil when SQLite does what is done
}

func newImporter(s *scratch, c Config) *importer {
	return &importer{
		scratch: s, strict: c.Strict, progress: c.Progress,
		tables: make(map[string]*table), counts: make(map[string]*counts), shape: make(schema),
	}
}

// of is the counts of a table.
func (im *importer) of(name string) *counts {
	c := im.counts[name]
	if c == nil {
		c = new(counts)
		im.counts[name] = c
	}
	return c
}

// complain counts a problem. The error is that it is the end of a strict import.
func (im *importer) complain(line int, table, reason string) error {
	p := Problem{File: im.file, Line: line, Table: table, Reason: reason}
	im.bad++
	if len(im.problems) < maxProblems {
		im.problems = append(im.problems, p)
	}
	if im.strict {
		return p
	}
	return nil
}

// read applies a dump.
func (im *importer) read(ctx context.Context, in input, standard io.Reader) (err error) {
	im.file = in.name
	from := standard
	if in.path != stdin {
		f, err := os.Open(in.path)
		if err != nil {
			return err
		}
		defer f.Close()
		from = f
	}
	raw := &watched{ctx: ctx, from: from}
	if in.path == stdin {
		raw.sum = sha256.New()
	}
	plain, err := unpack(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	defer plain.Close()
	before := im.at.Bytes
	im.at.File = in.name
	tell := func() {
		im.at.Bytes = before + raw.n
		if im.progress != nil {
			im.progress(im.at)
		}
	}
	unpacked := &watched{ctx: ctx, from: plain}
	if err := im.statements(ctx, sqldump.NewReader(unpacked), tell); err != nil {
		return err
	}
	if err := im.settled(); err != nil {
		return err
	}
	im.text += unpacked.n
	im.at.Files++
	tell()
	if raw.sum != nil {
		in.size, in.hash = raw.n, hex.EncodeToString(raw.sum.Sum(nil))
	}
	im.files = append(im.files, in)
	return nil
}

// statements applies all statements of a dump.
func (im *importer) statements(ctx context.Context, r *sqldump.Reader, tell func()) error {
	for {
		tell()
		s, err := r.Next()
		e := new(sqldump.Error)
		switch {
		case err == io.EOF:
			return nil
		case err == nil:
			err = im.apply(ctx, r, s, tell)
		case errors.As(err, &e):
			err = im.unreadable(e)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return im.complain(0, "", "the compressed file is cut off")
		default:
			err = fmt.Errorf("%s: %w", im.file, err)
		}
		if err != nil {
			return err
		}
	}
}

// unreadable counts a statement that is not understood. Of a table that is not kept, only the end of the dump matters.
func (im *importer) unreadable(e *sqldump.Error) error {
	if e.Table != "" {
		im.of(e.Table).skipped++
		if !tables[e.Table] && !e.Truncated {
			return nil
		}
	}
	return im.complain(e.Line, e.Table, e.Reason)
}

func (im *importer) apply(ctx context.Context, r *sqldump.Reader, s *sqldump.Statement, tell func()) error {
	switch s.Verb {
	case sqldump.Insert, sqldump.Replace:
		return im.insert(ctx, r, s, tell)
	}
	if err := im.settled(); err != nil {
		return err
	}
	if s.Verb == sqldump.Drop {
		for _, name := range s.Tables {
			if err := im.drop(ctx, name); err != nil {
				return err
			}
		}
		return nil
	}
	if !tables[s.Table] {
		if s.Verb == sqldump.Create {
			im.shape[s.Table] = columnNames(s.Create)
		} else {
			im.of(s.Table).skipped++
		}
		for _, change := range s.Alter {
			if change.Kind == sqldump.RenameTable && tables[change.Name] {
				return im.complain(s.Line, change.Name, "ALTER: "+s.Table+", which is not kept, takes its name")
			}
		}
		return nil
	}
	if s.Verb == sqldump.Create {
		return im.settle(s, im.create(s))
	}
	if im.tables[s.Table] == nil {
		return im.settle(s, errNoTable)
	}
	if s.Verb == sqldump.Alter {
		if err := im.toSQL(ctx); err != nil {
			return err
		}
		return im.settle(s, im.alter(s))
	}
	var statement string
	var err error
	switch s.Verb {
	case sqldump.Delete:
		statement, err = deletion(im.tables, s)
	case sqldump.Update:
		statement, err = updating(im.tables, s)
	case sqldump.Truncate:
		statement = "DELETE FROM " + quote(s.Table)
	}
	if err != nil || im.bulk != nil && im.tables[s.Table].filling.rows == 0 {
		return im.settle(s, err)
	}
	if err := im.toSQL(ctx); err != nil {
		return err
	}
	_, err = im.exec(statement)
	return im.settle(s, err)
}

var errNoTable = errors.New("the table is not made by any CREATE TABLE so far")

// settle counts a statement that was applied, or says why it was not.
func (im *importer) settle(s *sqldump.Statement, err error) error {
	switch {
	case err == nil:
		im.of(s.Table).applied++
		return nil
	case isFull(err):
		return err
	}
	im.of(s.Table).skipped++
	return im.complain(s.Line, s.Table, fmt.Sprintf("%s: %v", s.Verb, err))
}

func (im *importer) drop(ctx context.Context, name string) error {
	delete(im.shape, name)
	if im.tables[name] == nil {
		return nil
	}
	if err := im.toSQL(ctx); err != nil {
		return err
	}
	delete(im.tables, name)
	im.of(name).applied++
	if err := im.forget(); err != nil {
		return err
	}
	_, err := im.exec("DROP TABLE " + quote(name))
	return err
}

func (im *importer) create(s *sqldump.Statement) error {
	if _, there := im.shape[s.Table]; there {
		if s.Ignore {
			return nil
		}
		return errors.New("the table is there already")
	}
	t, err := newTable(s.Table, s.Create)
	if err != nil {
		return err
	}
	if im.bulk != nil {
		im.bulk.create(t)
	} else if _, err := im.exec(t.create(t.name)); err != nil {
		return err
	}
	im.tables[s.Table], im.shape[s.Table] = t, columnNames(s.Create)
	return nil
}

func columnNames(d *sqldump.Definition) []string {
	names := make([]string, len(d.Columns))
	for i, c := range d.Columns {
		names[i] = c.Name
	}
	return names
}

// rowsPerTurn is how many rows are read before progress is told, and the end of the context is noticed.
const rowsPerTurn = 4096

// insert reads the rows of a statement, into the table if it is one that is kept.
func (im *importer) insert(ctx context.Context, r *sqldump.Reader, s *sqldump.Statement, tell func()) error {
	c, t := im.of(s.Table), im.tables[s.Table]
	var columns []int
	var refused error
	if tables[s.Table] && t == nil {
		refused = errNoTable
	} else if t != nil {
		columns, refused = t.places(s.Columns)
	}
	if refused != nil {
		if err := im.complain(s.Line, s.Table, fmt.Sprintf("%s: all its rows: %v", s.Verb, refused)); err != nil {
			return err
		}
	}
	for n := 1; ; n++ {
		row, err := r.Row()
		if err == io.EOF {
			return nil
		}
		if n%rowsPerTurn == 0 {
			tell()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		c.read++
		im.at.Rows++
		line, kept, cut := s.Row, t != nil && refused == nil, false
		switch {
		case err != nil:
			e := unread(err)
			line, cut, err = e.Line, e.Truncated, errors.New(e.Reason)
		case kept:
			err = im.put(t, s, columns, row)
		}
		if end := (*endError)(nil); errors.As(err, &end) {
			return end.error
		}
		if refused != nil || kept && err != nil {
			c.bad++
		}
		if err != nil && (kept || cut) {
			if err := im.complain(line, s.Table, err.Error()); err != nil {
				return err
			}
		}
	}
}

// unread is the error of a row that cannot be read.
func unread(err error) *sqldump.Error {
	e := new(sqldump.Error)
	if !errors.As(err, &e) {
		return &sqldump.Error{Reason: err.Error()}
	}
	return e
}

// places is where in the table each value of a row goes; nil says in order.
func (t *table) places(names []string) ([]int, error) {
	if names == nil {
		return nil, nil
	}
	at := make([]int, len(names))
	taken := make([]bool, len(t.columns))
	for i, name := range names {
		place, ok := t.index[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("no column %s", name)
		case taken[place]:
			return nil, fmt.Errorf("column %s twice", name)
		}
		at[i], taken[place] = place, true
	}
	return at, nil
}

// put has a row added. Nothing is added, and the row is refused, if a value does not fit.
func (im *importer) put(t *table, s *sqldump.Statement, columns []int, row []sqldump.Value) error {
	want := len(columns)
	if columns == nil {
		want = len(t.columns)
	}
	if len(row) != want {
		return fmt.Errorf("%d values for %d columns", len(row), want)
	}
	if columns != nil {
		im.values = im.values[:0]
		for i := range t.columns {
			im.values = append(im.values, t.columns[i].missing)
		}
		for i, place := range columns {
			im.values[place] = row[i]
		}
		row = im.values
	}
	for i := range row {
		if err := t.columns[i].fit(&row[i]); err != nil {
			return err
		}
	}
	if im.bulk == nil {
		return im.addRow(t, s, row)
	}
	if err := im.bulk.add(t.filling, s, row); err != nil {
		return &endError{err}
	}
	return nil
}

// addRow has SQLite add a row as the table keeps it.
func (im *importer) addRow(t *table, s *sqldump.Statement, row []sqldump.Value) error {
	b, err := im.room(t, s)
	if err != nil {
		return &endError{err}
	}
	b.args = slices.Grow(b.args, len(row))
	for i, v := range row {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: boxed(v)})
		b.bytes += len(v.Bytes)
	}
	b.lines = append(b.lines, s.Row)
	if b.bytes < largeBatch {
		return nil
	}
	if err := im.settled(); err != nil { // one such row is on its way at a time
		return &endError{err}
	}
	return nil
}

// An endError ends an import, though it comes while a row is read.
type endError struct{ error }

// Unwrap is the error.
func (e *endError) Unwrap() error { return e.error }
