package worlddb

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"muster/loaders/worlddb/sqldump"
)

// A Report says what a world was made of, what of it is used, and what is wrong with it.
type Report struct {
	Family   Family            `json:"family"`
	Schema   map[string]string `json:"schema"`  // where databases of the family differ, what this one has
	Version  string            `json:"version"` // as it says itself, or ""
	Files    []FileReport      `json:"files"`
	Tables   []TableReport     `json:"tables"`   // by name
	Scripts  []ScriptReport    `json:"scripts"`  // by table, part and kind
	Dangling []DanglingReport  `json:"dangling"` // references to what is not there
	Bad      int               `json:"problems"` // how many rows and statements are not used
	Problems []Problem         `json:"details"`  // the first of them
}

// A FileReport is a file that was read.
type FileReport struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// A TableReport has the counts of a table over all files.
type TableReport struct {
	Table     string `json:"table"`
	Read      int64  `json:"rows_read"`
	Used      int64  `json:"rows_used"`      // that are in the world now
	Bad       int64  `json:"rows_bad"`       // that could not be used
	Duplicate int64  `json:"rows_duplicate"` // with the key of another row, which they replaced unless INSERT IGNORE said not to
	Applied   int64  `json:"statements_applied"`
	Skipped   int64  `json:"statements_skipped"`
	Ignored   string `json:"ignored,omitempty"` // why no row is used

	Executed    int64            `json:"rows_executed"`              // of those that are used, by serve --world-db; see Runs
	InPart      map[string]int64 `json:"executed_in_part,omitempty"` // of those, by what of them is not
	NotExecuted map[string]int64 `json:"not_executed,omitempty"`     // the others, by reason
}

// A ScriptReport has the rows of a table of scripts that have a kind in one part, such as the event.
type ScriptReport struct {
	Table      string `json:"table"`
	Part       string `json:"part"`
	Kind       int64  `json:"kind"`
	Loaded     int64  `json:"loaded"`
	Executable int64  `json:"executable"`
}

// A DanglingReport has the rows that refer to what is not there.
type DanglingReport struct {
	From    string `json:"from"` // table.column
	To      string `json:"to"`
	Rows    int64  `json:"rows"`
	Example int64  `json:"example"` // the smallest that is missing
}

// Clean reports whether all rows and statements are used, and all references lead somewhere.
func (r *Report) Clean() bool { return r.Bad == 0 && len(r.Dangling) == 0 }

// Of reports on the world that is there. The error is ErrNoWorld if there is none.
func Of(ctx context.Context, c Config) (*Report, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	r, err := reportOf(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("worlddb: report: %w", err)
	}
	return r, nil
}

func reportOf(ctx context.Context, p place) (*Report, error) {
	s, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.report(ctx)
	return r, errors.Join(err, s.Close())
}

func reportFile(ctx context.Context, path string) (*Report, error) {
	s, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := s.report(ctx)
	return r, errors.Join(err, s.Close())
}

// imported are the files that the world was made of.
func imported(ctx context.Context, p place) (files []input, err error) {
	s, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	reports, err := s.files(ctx)
	for _, f := range reports {
		files = append(files, input{name: f.Name, hash: f.SHA256, size: f.Bytes})
	}
	return files, err
}

// A store is a world that is read, in one transaction: as it is at one moment. Its queries are those that SQLite and PostgreSQL have in common.
type store struct {
	*sql.Tx
	db     *sql.DB
	binary string   // the collation that orders text by its bytes
	file   *os.File // of SQLite, whose pages can be read beside it; or nil
}

// newStore begins to read a world, until ctx ends, and executes a statement first, if there is one. db is the store's.
// binary is its collation that orders text by its bytes.
func newStore(ctx context.Context, db *sql.DB, binary, first string) (s *store, err error) {
	s = &store{db: db, binary: binary}
	defer func() {
		if err != nil {
			s, err = nil, errors.Join(err, s.Close())
		}
	}()
	if s.Tx, err = db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}); err != nil {
		return s, err
	}
	if first != "" {
		if _, err := s.ExecContext(ctx, first); err != nil {
			return s, err
		}
	}
	return s, s.check(ctx)
}

// Close ends the transaction, which has changed nothing.
func (s *store) Close() error {
	if s.Tx != nil {
		s.Rollback()
	}
	if s.file != nil {
		return errors.Join(s.file.Close(), s.db.Close())
	}
	return s.db.Close()
}

// check fails if the world is of another format.
func (s *store) check(ctx context.Context) error {
	var found int
	if err := s.QueryRowContext(ctx, "SELECT format FROM muster_world").Scan(&found); err != nil {
		return err
	}
	if found != format {
		return fmt.Errorf("the world has format %d, this muster reads %d: %w", found, format, errFormat)
	}
	return nil
}

// each scans the rows of a query into the same places, and calls f after each.
func (s *store) each(ctx context.Context, f func(), query string, dest ...any) error {
	rows, err := s.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		f()
	}
	return rows.Err()
}

func (s *store) files(ctx context.Context) (all []FileReport, err error) {
	var f FileReport
	err = s.each(ctx, func() { all = append(all, f) },
		"SELECT name, sha256, bytes FROM muster_file ORDER BY position", &f.Name, &f.SHA256, &f.Bytes)
	return all, err
}

func (s *store) report(ctx context.Context) (*Report, error) {
	r := &Report{Schema: make(map[string]string), Files: []FileReport{}, Scripts: []ScriptReport{}, Dangling: []DanglingReport{}, Problems: []Problem{}}
	if err := s.QueryRowContext(ctx, "SELECT family, problems FROM muster_world").Scan(&r.Family, &r.Bad); err != nil {
		return nil, err
	}
	var what, value string
	err := s.each(ctx, func() { r.Schema[what] = value }, "SELECT what, value FROM muster_schema", &what, &value)
	if err != nil {
		return nil, err
	}
	if r.Files, err = s.files(ctx); err != nil {
		return nil, err
	}
	var p Problem
	err = s.each(ctx, func() { r.Problems = append(r.Problems, p) },
		"SELECT file, line, of_table, reason FROM muster_problem ORDER BY position", &p.File, &p.Line, &p.Table, &p.Reason)
	if err != nil {
		return nil, err
	}
	shape, err := s.countTables(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := s.findVersion(ctx, r, shape); err != nil {
		return nil, err
	}
	all, err := s.tables(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.countScripts(ctx, r, shape, all); err != nil {
		return nil, err
	}
	return r, s.findDangling(ctx, r, shape, all)
}

// countTables counts the rows of each table, and returns what columns there are.
func (s *store) countTables(ctx context.Context, r *Report) (schema, error) {
	shape := make(schema)
	var t TableReport
	var definition string
	var failed error
	err := s.each(ctx, func() {
		r.Tables = append(r.Tables, t)
		if definition == "" {
			return
		}
		d := new(sqldump.Definition)
		failed = errors.Join(failed, json.Unmarshal([]byte(definition), d))
		shape[t.Table] = columnNames(d)
	}, "SELECT name, definition, rows_read, rows_bad, rows_duplicate, applied, skipped FROM muster_table",
		&t.Table, &definition, &t.Read, &t.Bad, &t.Duplicate, &t.Applied, &t.Skipped)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	slices.SortFunc(r.Tables, func(a, b TableReport) int { return cmp.Compare(a.Table, b.Table) })
	for i := range r.Tables {
		t := &r.Tables[i]
		switch {
		case !tables[t.Table]:
			t.Ignored = "unknown table"
		case shape[t.Table] == nil:
			t.Ignored = "no CREATE TABLE, or it was dropped"
		default:
			if err := s.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+quote(t.Table)).Scan(&t.Used); err != nil {
				return nil, err
			}
		}
	}
	return shape, nil
}

// versions are where databases say which version they are.
var versions = []struct{ table, column string }{{"version", "db_version"}, {"db_version", "version"}}

func (s *store) findVersion(ctx context.Context, r *Report, shape schema) error {
	for _, v := range versions {
		if !shape.has(v.table, v.column) {
			continue
		}
		var found sql.NullString
		query := fmt.Sprintf("SELECT MAX(%s) FROM %s", quote(v.column), quote(v.table))
		if err := s.QueryRowContext(ctx, query).Scan(&found); err != nil {
			return err
		}
		r.Version = cmp.Or(r.Version, found.String)
	}
	return nil
}

// countScripts counts the rows of each kind.
func (s *store) countScripts(ctx context.Context, r *Report, shape schema, all map[string]*table) error {
	for _, k := range scripts {
		if !shape.has(k.table, k.column) {
			continue
		}
		loaded := make(map[int64]int64)
		direct, err := s.integers(ctx, all[k.table], []string{k.column}, func(row []int64) { loaded[row[0]]++ })
		if err == nil && !direct {
			var kind, n int64
			err = s.each(ctx, func() { loaded[kind] = n }, fmt.Sprintf("SELECT %[1]s, COUNT(*) FROM %[2]s WHERE %[1]s IS NOT NULL GROUP BY %[1]s", quote(k.column), quote(k.table)), &kind, &n)
		}
		if err != nil {
			return err
		}
		for _, kind := range slices.Sorted(maps.Keys(loaded)) {
			r.Scripts = append(r.Scripts, ScriptReport{Table: k.table, Part: k.part, Kind: kind, Loaded: loaded[kind]})
		}
	}
	return nil
}

// order is the names of what a schema differs in.
func (r *Report) order() []string { return slices.Sorted(maps.Keys(r.Schema)) }
