package worlddb

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// A TableDiff is in what a table of two worlds differs.
type TableDiff struct {
	Table   string           `json:"table"`
	Shape   string           `json:"shape,omitempty"` // what became of the table itself, "" if its declaration is the same
	Added   int64            `json:"rows_added"`      // whose keys are in the second world alone
	Removed int64            `json:"rows_removed"`    // whose keys are in the first alone
	Changed int64            `json:"rows_changed"`
	Columns map[string]int64 `json:"changed_columns,omitempty"` // of rows that changed, in how many
}

// What becomes of a table, in TableDiff.
const (
	shapeNew     = "new"
	shapeDropped = "dropped"
	shapeChanged = "declared otherwise"
)

// Diff compares two worlds by table and key, and returns the tables that differ, by name. Rows of tables without a key, or with one of
// numbers with fractions or of bytes, are compared as a whole. If sql is not nil it gets SQL that makes the first world have the rows of
// the second: what a key tells is changed row by row, other tables that differ are filled anew. What is in memory at once is one row of
// each. The error is an *UnfitError as of Export.
func Diff(ctx context.Context, a, b *Source, sql io.Writer) ([]TableDiff, error) {
	if sql == nil {
		sql = io.Discard
	}
	d := newDump(sql)
	fmt.Fprintf(d, "-- From a world of %s to one of %s, as muster world diff writes it.\n"+
		"SET NAMES utf8mb4;\nSET FOREIGN_KEY_CHECKS = 0;\nSET SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO';\n", a.Family, b.Family)
	names := slices.Collect(maps.Keys(a.tables))
	for name := range b.tables {
		if a.tables[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var all []TableDiff
	for _, name := range names {
		c := comparison{ctx: ctx, dump: d, a: a, b: b, of: TableDiff{Table: name}}
		if err := c.compare(); err != nil {
			return nil, fmt.Errorf("worlddb: table %s: %w", name, replaced(err))
		}
		if c.of.Shape != "" || c.of.Added+c.of.Removed+c.of.Changed > 0 {
			all = append(all, c.of)
		}
	}
	if err := d.Flush(); err != nil {
		return nil, fmt.Errorf("worlddb: %w", err)
	}
	if d.unfit != nil {
		return all, d.unfit
	}
	return all, nil
}

// A comparison is that of one table.
type comparison struct {
	*dump
	ctx  context.Context
	a, b *Source
	of   TableDiff
}

func (c *comparison) compare() (err error) {
	was, is := c.a.tables[c.of.Table], c.b.tables[c.of.Table]
	switch {
	case is == nil:
		c.of.Shape = shapeDropped
		if c.of.Removed, err = c.a.Count(c.ctx, c.of.Table); err != nil {
			return err
		}
		_, err = fmt.Fprintf(c, "\nDROP TABLE IF EXISTS %s;\n", sqldump.AppendName(nil, c.of.Table))
		return err
	case was == nil:
		c.of.Shape = shapeNew
		c.of.Added, err = c.b.Count(c.ctx, c.of.Table)
		if err != nil {
			return err
		}
		return c.b.exportTable(c.ctx, c.dump, is)
	case !sameDeclaration(was.declared, is.declared):
		c.of.Shape = shapeChanged
		if was.alike(is) {
			if err := c.walk(is, func(_, _ []any) error { return nil }); err != nil {
				return err
			}
			return c.b.exportTable(c.ctx, c.dump, is)
		}
		if c.of.Removed, err = c.a.Count(c.ctx, c.of.Table); err != nil {
			return err
		}
		if c.of.Added, err = c.b.Count(c.ctx, c.of.Table); err != nil {
			return err
		}
		return c.b.exportTable(c.ctx, c.dump, is)
	}
	return c.rows(is)
}

// sameDeclaration compares what is known of two declarations: worlds of older musters have no sizes of types.
func sameDeclaration(a, b *sqldump.Definition) bool {
	return slices.Equal(a.Key, b.Key) && slices.Equal(a.Unique, b.Unique) && slices.EqualFunc(a.Columns, b.Columns, func(x, y sqldump.Column) bool {
		if x.Size == "" || y.Size == "" {
			x.Size, y.Size = "", ""
		}
		return reflect.DeepEqual(x, y)
	})
}

// alike reports whether rows of two tables can be compared: they have the same columns, of the same classes, and the same key.
func (t *table) alike(other *table) bool {
	return slices.Equal(t.key, other.key) && slices.EqualFunc(t.columns, other.columns, func(a, b column) bool {
		return a.Name == b.Name && a.class == b.class && a.NotNull == b.NotNull
	})
}

// named reports whether a WHERE finds one row by its key.
func (t *table) named() bool {
	return len(t.key) > 0 && !slices.ContainsFunc(t.key, func(name string) bool {
		class := t.columns[t.index[name]].class
		return class == real || class == blob
	})
}

// rows compares the rows. All deletions come first: MySQL may take two keys of text for the same that are not the same here.
func (c *comparison) rows(t *table) error {
	named := t.named()
	begun := false
	begin := func() error {
		if begun {
			return nil
		}
		begun = true
		return c.WriteByte('\n')
	}
	if err := c.walk(t, func(was, is []any) error {
		if !named || is != nil {
			return nil
		}
		if err := begin(); err != nil {
			return err
		}
		c.line = append(sqldump.AppendName(append(c.line[:0], "DELETE FROM "...), t.name), " WHERE "...)
		return c.where(t, was)
	}); err != nil || c.of.Added+c.of.Removed+c.of.Changed == 0 {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	if !named {
		if _, err := fmt.Fprintf(c, "DELETE FROM %s;\n", sqldump.AppendName(nil, t.name)); err != nil {
			return err
		}
		if err := c.b.eachRow(c.ctx, t, func(row []any) error { return c.insert(t, row) }); err != nil {
			return err
		}
		return c.end()
	}
	c.of = TableDiff{Table: t.name}
	if err := c.walk(t, func(was, is []any) error {
		switch {
		case is == nil:
			return nil
		case was == nil:
			return c.insert(t, is)
		}
		return c.update(t, was, is)
	}); err != nil {
		return err
	}
	return c.end()
}

// update writes what changes a row.
func (c *comparison) update(t *table, was, is []any) error {
	if err := c.end(); err != nil {
		return err
	}
	c.line = append(sqldump.AppendName(append(c.line[:0], "UPDATE "...), t.name), " SET "...)
	fits, first := true, true
	for i := range is {
		if compareValues(was[i], is[i]) == 0 {
			continue
		}
		if !first {
			c.line = append(c.line, ", "...)
		}
		first = false
		c.line = append(sqldump.AppendName(c.line, t.columns[i].Name), " = "...)
		var v any
		v, fits = c.fit(t, &t.columns[i], is[i], fits)
		var err error
		if c.line, err = sqldump.AppendLiteral(c.line, v); err != nil {
			return err
		}
	}
	c.line = append(c.line, " WHERE "...)
	return c.where(t, is)
}

// where ends the line with the key of a row, and writes it.
func (c *comparison) where(t *table, row []any) error {
	for i, name := range t.key {
		if i > 0 {
			c.line = append(c.line, " AND "...)
		}
		c.line = append(sqldump.AppendName(c.line, name), " = "...)
		var err error
		if c.line, err = sqldump.AppendLiteral(c.line, row[t.index[name]]); err != nil {
			return err
		}
	}
	_, err := c.Write(append(c.line, ";\n"...))
	return err
}

// walk goes through the rows of both in order, and calls f for each that is not the same in both: nil is a row that one has not. It
// counts them.
func (c *comparison) walk(t *table, f func(was, is []any) error) (err error) {
	before, err := c.a.cursor(c.ctx, t)
	if err != nil {
		return err
	}
	defer before.rows.Close()
	after, err := c.b.cursor(c.ctx, t)
	if err != nil {
		return err
	}
	defer after.rows.Close()
	key := t.orderedBy()
	for before.row != nil || after.row != nil {
		order := 0
		switch {
		case before.row == nil:
			order = 1
		case after.row == nil:
			order = -1
		default:
			for _, i := range key {
				if order = compareValues(before.row[i], after.row[i]); order != 0 {
					break
				}
			}
		}
		was, is := before.row, after.row
		switch {
		case order < 0:
			is = nil
			c.of.Removed++
		case order > 0:
			was = nil
			c.of.Added++
		case !c.count(t, was, is):
			was, is = nil, nil
		}
		if was != nil || is != nil {
			if err := f(was, is); err != nil {
				return err
			}
		}
		if order <= 0 {
			if err := before.next(); err != nil {
				return err
			}
		}
		if order >= 0 {
			if err := after.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// count counts a row with one key in both, and reports whether it has changed.
func (c *comparison) count(t *table, was, is []any) (changed bool) {
	for i := range is {
		if compareValues(was[i], is[i]) == 0 {
			continue
		}
		if c.of.Columns == nil {
			c.of.Columns = make(map[string]int64)
		}
		c.of.Columns[t.columns[i].Name]++
		changed = true
	}
	if changed {
		c.of.Changed++
	}
	return changed
}

// A cursor is at a row of a table, or behind the last, where row is nil.
type cursor struct {
	rows *copied
	row  []any
}

func (s *Source) cursor(ctx context.Context, t *table) (*cursor, error) {
	rows, err := s.rows(ctx, t)
	if err != nil {
		return nil, err
	}
	c := &cursor{rows: rows}
	if err := c.next(); err != nil {
		rows.Close()
		return nil, err
	}
	return c, nil
}

func (c *cursor) next() (err error) {
	if !c.rows.Next() {
		c.row = nil
		return c.rows.Err()
	}
	c.row, err = c.rows.Values()
	return err
}

// compareValues compares two values of a column, as the databases order them: NULL first, and text by its bytes.
func compareValues(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(rank(a), rank(b))
	}
	switch x := a.(type) {
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y)
		}
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y)
		}
	case []byte:
		if y, ok := b.([]byte); ok {
			return bytes.Compare(x, y)
		}
	}
	return strings.Compare(fmt.Sprintf("%T", a), fmt.Sprintf("%T", b))
}

func rank(v any) int {
	if v == nil {
		return 0
	}
	return 1
}
