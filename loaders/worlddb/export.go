package worlddb

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// An Exported is how much Export has written.
type Exported struct {
	Tables int   `json:"tables"`
	Rows   int64 `json:"rows"`
	Bytes  int64 `json:"sql_bytes"`
}

// An UnfitError is that a table has values that its columns do not take: an UPDATE has computed them. An import refuses their rows.
type UnfitError struct {
	Table, Column string // of the first of them
	Value         any
	Rows          int64 // of all tables
}

// Error names the first value.
func (e *UnfitError) Error() string {
	return fmt.Sprintf("worlddb: an import will refuse %d rows: the first has %v in column %s of table %s", e.Rows, e.Value, e.Column, e.Table)
}

// Export writes the world as SQL of its family: tables by name, rows by key. The same world gives the same bytes from either database,
// and an import of them the same world. What is in memory at once is one row. The error is an *UnfitError if all is written, but not all of it
// can be read again.
func (s *Source) Export(ctx context.Context, w io.Writer) (Exported, error) {
	d := newDump(w)
	fmt.Fprintf(d, "-- A world of %s, as muster world export writes it.\n"+
		"SET NAMES utf8mb4;\nSET FOREIGN_KEY_CHECKS = 0;\nSET SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO';\n", s.Family)
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		if err := s.exportTable(ctx, d, s.tables[name]); err != nil {
			return d.done, fmt.Errorf("worlddb: table %s: %w", name, replaced(err))
		}
		d.done.Tables++
	}
	if err := d.Flush(); err != nil {
		return d.done, fmt.Errorf("worlddb: %w", err)
	}
	if d.unfit != nil {
		return d.done, d.unfit
	}
	return d.done, nil
}

func (s *Source) exportTable(ctx context.Context, d *dump, t *table) error {
	if err := d.create(t); err != nil {
		return err
	}
	if err := s.eachRow(ctx, t, func(row []any) error { return d.insert(t, row) }); err != nil {
		return err
	}
	return d.end()
}

// eachRow calls f for the rows of a table in their order. The row is good until f returns.
func (s *Source) eachRow(ctx context.Context, t *table, f func(row []any) error) error {
	rows, err := s.rows(ctx, t)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := rows.Values()
		if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *Source) rows(ctx context.Context, t *table) (*copied, error) {
	found, err := s.store.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", quoteAll(columnNames(t.declared)), quote(t.name), s.order(t)))
	if err != nil {
		return nil, err
	}
	return newRows(found, len(t.columns)), nil
}

// order is what the rows of a table are ordered by: its key, without one all columns; NULL first, and text by its bytes.
func (s *Source) order(t *table) string {
	var terms []string
	for _, i := range t.orderedBy() {
		c := &t.columns[i]
		term := quote(c.Name)
		if c.class == text {
			term += " COLLATE " + s.store.binary
		}
		if !c.NotNull {
			term += " NULLS FIRST"
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, ", ")
}

// orderedBy is the columns of the key, without one all.
func (t *table) orderedBy() (columns []int) {
	for _, name := range t.key {
		columns = append(columns, t.index[name])
	}
	for i := range t.columns {
		if len(t.key) == 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// A dump is SQL that is written.
type dump struct {
	*bufio.Writer
	line  []byte
	open  *table // of the INSERT that is begun
	rows  int    // that it has
	size  int    // bytes that it has
	done  Exported
	unfit *UnfitError
}

// A counted writer counts what it is given.
type counted struct {
	io.Writer
	n *int64
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	*c.n += int64(n)
	return n, err
}

func newDump(w io.Writer) *dump {
	d := new(dump)
	d.Writer = bufio.NewWriterSize(&counted{w, &d.done.Bytes}, 64<<10)
	return d
}

// create makes a table anew.
func (d *dump) create(t *table) error {
	d.line = append(sqldump.AppendName(append(d.line[:0], "\nDROP TABLE IF EXISTS "...), t.name), ";\n"...)
	var err error
	if d.line, err = sqldump.AppendCreate(d.line, t.name, t.declared); err != nil {
		return err
	}
	_, err = d.Write(d.line)
	return err
}

// Bounds of a statement, so that a server of MySQL takes it.
const maxRows, maxBytes = 1000, 512 << 10

// insert adds a row to the INSERT that is begun, or begins one.
func (d *dump) insert(t *table, row []any) error {
	d.line = d.line[:0]
	switch {
	case d.open != t || d.rows >= maxRows || d.size >= maxBytes:
		if err := d.end(); err != nil {
			return err
		}
		d.open, d.rows, d.size = t, 0, 0
		d.line = append(sqldump.AppendName(append(d.line, "INSERT INTO "...), t.name), " VALUES\n("...)
	default:
		d.line = append(d.line, ",\n("...)
	}
	fits := true
	for i, v := range row {
		if i > 0 {
			d.line = append(d.line, ',')
		}
		c := &t.columns[i]
		v, fits = d.fit(t, c, v, fits)
		var err error
		if d.line, err = sqldump.AppendLiteral(d.line, v); err != nil {
			return err
		}
	}
	d.line = append(d.line, ')')
	d.rows, d.size = d.rows+1, d.size+len(d.line)
	d.done.Rows++
	_, err := d.Write(d.line)
	return err
}

// fit is a value as it can be written. fits says of its row that all so far are as an import takes them; the row is counted at
// the first that is not.
func (d *dump) fit(t *table, c *column, v any, fits bool) (any, bool) {
	written, ok := v, true
	switch n := v.(type) {
	case int64:
		ok = c.class != integer || n >= c.min && n <= c.max
	case float64:
		switch {
		case n == 0:
			written = 0.0 // not -0, which some databases do not keep
		case math.IsInf(n, 0):
			written, ok = math.Copysign(math.MaxFloat64, n), false
		}
	}
	if ok || !fits {
		return written, fits && ok
	}
	if d.unfit == nil {
		d.unfit = &UnfitError{Table: t.name, Column: c.Name, Value: v}
	}
	d.unfit.Rows++
	return written, false
}

// end ends the INSERT that is begun, if there is one.
func (d *dump) end() error {
	if d.open == nil {
		return nil
	}
	d.open = nil
	_, err := d.WriteString(";\n")
	return err
}
