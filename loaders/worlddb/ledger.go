package worlddb

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"muster/loaders/worlddb/sqldump"
)

// format is the version of the tables below. A world of another one is imported anew.
const format = 1

// The tables that say of a world what it was made of. Their names are those of no table of a dump.
var ledger = []string{
	`CREATE TABLE muster_world (format INTEGER NOT NULL, family TEXT NOT NULL, problems INTEGER NOT NULL) STRICT`,
	`CREATE TABLE muster_schema (what TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT`,
	`CREATE TABLE muster_file (position INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT`,
	`CREATE TABLE muster_table (name TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL, rows_read INTEGER NOT NULL,
		rows_bad INTEGER NOT NULL, rows_duplicate INTEGER NOT NULL, applied INTEGER NOT NULL, skipped INTEGER NOT NULL) STRICT`,
	`CREATE TABLE muster_problem (position INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL,
		of_table TEXT NOT NULL, reason TEXT NOT NULL) STRICT`,
}

// prepare makes the tables of an empty world.
func (im *importer) prepare() error {
	for _, statement := range ledger {
		if _, err := im.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// save writes what there is to say of the world, in place of what was said before.
func (im *importer) save() error {
	for _, name := range []string{"world", "schema", "file", "table", "problem"} {
		if _, err := im.exec("DELETE FROM muster_" + name); err != nil {
			return err
		}
	}
	family := im.shape.family()
	if _, err := im.exec("INSERT INTO muster_world VALUES (?, ?, ?)", int64(format), string(family), int64(im.bad)); err != nil {
		return err
	}
	for what, value := range im.shape.variant(family) {
		if _, err := im.exec("INSERT INTO muster_schema VALUES (?, ?)", what, value); err != nil {
			return err
		}
	}
	for i, f := range im.files {
		if _, err := im.exec("INSERT INTO muster_file VALUES (?, ?, ?, ?)", int64(i+1), f.name, f.hash, f.size); err != nil {
			return err
		}
	}
	for name, c := range im.counts {
		definition := ""
		if t := im.tables[name]; t != nil {
			text, err := json.Marshal(t.declared)
			if err != nil {
				return err
			}
			definition = string(text)
		}
		_, err := im.exec("INSERT INTO muster_table VALUES (?, ?, ?, ?, ?, ?, ?)",
			name, definition, c.read, c.bad, c.duplicate, c.applied, c.skipped)
		if err != nil {
			return err
		}
	}
	for i, p := range im.problems {
		_, err := im.exec("INSERT INTO muster_problem VALUES (?, ?, ?, ?, ?)", int64(i+1), p.File, int64(p.Line), p.Table, p.Reason)
		if err != nil {
			return err
		}
	}
	return nil
}

// load reads what save has written.
func (im *importer) load(ctx context.Context) error {
	if err := im.each(ctx, "SELECT problems FROM muster_world", func(v []driver.Value) error {
		im.bad = int(v[0].(int64))
		return nil
	}); err != nil {
		return err
	}
	if err := im.each(ctx, "SELECT name, sha256, bytes FROM muster_file ORDER BY position", func(v []driver.Value) error {
		im.files = append(im.files, input{name: v[0].(string), hash: v[1].(string), size: v[2].(int64)})
		return nil
	}); err != nil {
		return err
	}
	if err := im.each(ctx, "SELECT file, line, of_table, reason FROM muster_problem ORDER BY position", func(v []driver.Value) error {
		im.problems = append(im.problems, Problem{v[0].(string), int(v[1].(int64)), v[2].(string), v[3].(string)})
		return nil
	}); err != nil {
		return err
	}
	return im.each(ctx, "SELECT name, definition, rows_read, rows_bad, rows_duplicate, applied, skipped FROM muster_table",
		func(v []driver.Value) error {
			name := v[0].(string)
			im.counts[name] = &counts{v[2].(int64), v[3].(int64), v[4].(int64), v[5].(int64), v[6].(int64)}
			if v[1].(string) == "" {
				return nil
			}
			d := new(sqldump.Definition)
			if err := json.Unmarshal([]byte(v[1].(string)), d); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
			t, err := newTable(name, d)
			im.tables[name], im.shape[name] = t, columnNames(d)
			return err
		})
}

// each gives f the rows of a query.
func (s *scratch) each(ctx context.Context, query string, f func([]driver.Value) error) (err error) {
	rows, err := s.conn.(driver.QueryerContext).QueryContext(ctx, query, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f(values); err != nil {
			return err
		}
	}
}
