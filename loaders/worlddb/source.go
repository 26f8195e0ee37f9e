package worlddb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// A Source is an imported world that is read table by table, all as it was when it was opened. A world that is imported to its place meanwhile
// takes its place when it is closed.
type Source struct {
	Family Family
	store  *store
	shape  schema
	tables map[string]*table
}

// OpenSource opens a world: that of a PostgreSQL database, of which at is the URL, or that of a file that Import has written, or of
// the folder of such a file. The error is ErrNoWorld if there is none. It is to be read before ctx ends.
func OpenSource(ctx context.Context, at string) (*Source, error) {
	s, err := openAt(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("worlddb: %w", err)
	}
	src := &Source{store: s}
	err = s.QueryRowContext(ctx, "SELECT family FROM muster_world").Scan(&src.Family)
	if err == nil {
		src.tables, err = s.tables(ctx)
	}
	src.shape = make(schema)
	for name, t := range src.tables {
		src.shape[name] = columnNames(t.declared)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("worlddb: %w", replaced(err)), s.Close())
	}
	return src, nil
}

func openAt(ctx context.Context, at string) (*store, error) {
	if strings.Contains(at, "://") {
		return serverPlace(at).open(ctx)
	}
	switch found, err := os.Stat(at); {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no %s", ErrNoWorld, at)
	case err != nil:
		return nil, err
	case found.IsDir():
		return folderPlace(at).open(ctx)
	case found.Size() == 0: // SQLite takes it for an empty database
		return nil, fmt.Errorf("%w: %s is empty", ErrNoWorld, at)
	}
	return openFile(ctx, filepath.Clean(at))
}

// tables are those that are kept, as they are declared.
func (s *store) tables(ctx context.Context) (map[string]*table, error) {
	all := make(map[string]*table)
	var name, definition string
	var failed error
	err := s.each(ctx, func() {
		if !tables[name] {
			return
		}
		d := new(sqldump.Definition)
		err := json.Unmarshal([]byte(definition), d)
		if err == nil {
			all[name], err = newTable(name, d)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("table %s: %w", name, err))
		}
	}, "SELECT name, definition FROM muster_table WHERE definition <> ''", &name, &definition)
	return all, errors.Join(err, failed)
}

// Close closes the world.
func (s *Source) Close() error { return s.store.Close() }

// Has reports whether the world has a table.
func (s *Source) Has(table string) bool { return s.shape.has(table, "") }

// Count is how many rows a table has, 0 without one.
func (s *Source) Count(ctx context.Context, table string) (n int64, err error) {
	if s.Has(table) {
		err = s.store.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+quote(table)).Scan(&n)
	}
	return n, replaced(err)
}

// A MissingError is that a table has none of the columns that would say something that has to be known.
type MissingError struct{ Table, Columns string }

// Error names the first column that would do.
func (e *MissingError) Error() string {
	name, _, _ := strings.Cut(e.Columns, " ")
	return fmt.Sprintf("worlddb: table %s has no column %s", e.Table, name)
}

// Read calls f for each row of a table, ordered by its fields with a tag key; without such a table never. T is a struct of int64,
// float64 and string, and of arrays of such structs, in whose tags % stands for the index. The tag column of a field has the names that a column has in one family or another, in lower case: the first
// that the table has is read. The tag or is the value where there is no such column, or NULL in it; without that tag,
// or without any column, the error is a *MissingError. The row is good until f returns.
func Read[T any](ctx context.Context, s *Source, table string, f func(*T) error) error {
	if !s.Has(table) {
		return nil
	}
	var row T
	into := reflect.ValueOf(&row).Elem()
	p, err := s.plan(table, into)
	if err != nil {
		return err
	}
	into.Set(p.missing)
	each := func() error { return f(&row) }
	if root, ok := s.store.root(ctx, s.tables[table], p.keys); ok {
		err = p.scan(ctx, s.store.file, root, s.tables[table], each)
	} else {
		err = p.ask(ctx, s.store, table, each)
	}
	return err
}

// ask has the database give all rows.
func (p *reading) ask(ctx context.Context, from *store, table string, f func() error) error {
	rows, err := from.QueryContext(ctx, p.query)
	if err != nil {
		return fmt.Errorf("worlddb: table %s: %w", table, replaced(err))
	}
	defer rows.Close()
	for line := newRows(rows, len(p.fields)); rows.Next(); {
		values, err := line.Values()
		if err != nil {
			return fmt.Errorf("worlddb: table %s: %w", table, err)
		}
		for i, v := range values {
			if at := p.fields[i]; v == nil {
				at.into.copy(at.missing)
			} else if err := at.into.put(v); err != nil {
				return fmt.Errorf("worlddb: table %s: %w", table, err)
			}
		}
		if err := f(); err != nil {
			return err
		}
	}
	return replaced(rows.Err())
}

// A reading is how a table is read into structs.
type reading struct {
	query         string
	columns, keys []string      // their names
	fields        []field       // for each column of the query
	missing       reflect.Value // the struct of a row of NULL
}

// A field is a field of the struct of a row, and of that of a row of NULL.
type field struct{ into, missing cell }

func (s *Source) plan(table string, row reflect.Value) (*reading, error) {
	p := &reading{missing: reflect.New(row.Type()).Elem()}
	if err := s.add(p, table, row, p.missing, ""); err != nil {
		return nil, err
	}
	if len(p.columns) == 0 {
		return nil, &MissingError{table, row.Type().Field(0).Tag.Get("column")}
	}
	p.query = fmt.Sprintf("SELECT %s FROM %s", quoteAll(p.columns), quote(table))
	if len(p.keys) > 0 {
		p.query += " ORDER BY " + quoteAll(p.keys)
	}
	return p, nil
}

// add adds the columns of a struct to what is read. In their names the number takes the place of %.
func (s *Source) add(p *reading, table string, into, missing reflect.Value, number string) error {
	for i := range into.NumField() {
		f := into.Type().Field(i)
		if f.Type.Kind() == reflect.Array {
			for k := range f.Type.Len() {
				if err := s.add(p, table, into.Field(i).Index(k), missing.Field(i).Index(k), strconv.Itoa(k)); err != nil {
					return err
				}
			}
			continue
		}
		or, optional := f.Tag.Lookup("or")
		if optional {
			if err := cellOf(missing.Field(i)).put(or); err != nil {
				return fmt.Errorf("worlddb: field %s: %w", f.Name, err)
			}
		}
		name, tag := "", strings.ReplaceAll(f.Tag.Get("column"), "%", number)
		for _, candidate := range strings.Fields(tag) {
			if s.shape.has(table, candidate) {
				name = candidate
				break
			}
		}
		if name == "" {
			if !optional {
				return &MissingError{table, tag}
			}
			continue
		}
		p.fields, p.columns = append(p.fields, field{cellOf(into.Field(i)), cellOf(missing.Field(i))}), append(p.columns, name)
		if _, key := f.Tag.Lookup("key"); key {
			p.keys = append(p.keys, name)
		}
	}
	return nil
}

// A TableUse is what becomes of the rows of a table when the world runs.
type TableUse struct {
	Executed int64
	Part     map[string]int64 // of those: what of them is not executed, and of how many
	Not      map[string]int64 // why the others are not executed, and how many
}

// Runs adds what becomes of the rows when the world runs. Tables that are not among them are not executed.
func (r *Report) Runs(use map[string]*TableUse) {
	for i := range r.Tables {
		t := &r.Tables[i]
		switch u := use[t.Table]; {
		case u != nil:
			t.Executed, t.InPart, t.NotExecuted = u.Executed, u.Part, u.Not
		case t.Used > 0:
			t.NotExecuted = map[string]int64{cmp.Or(unexecuted[t.Table], NotYet): t.Used}
		}
	}
}

// RunsScripts adds how many rows of a table of scripts are executed, by part and kind.
func (r *Report) RunsScripts(table string, executed func(part string, kind int64) int64) {
	for i := range r.Scripts {
		if s := &r.Scripts[i]; s.Table == table {
			s.Executable = executed(s.Part, s.Kind)
		}
	}
}
