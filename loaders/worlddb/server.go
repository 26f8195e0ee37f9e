package worlddb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"muster/loaders/worlddb/pages"
	"muster/loaders/worlddb/sqldump"
)

// Schema is where a world is in a PostgreSQL database.
const Schema = "world"

// nextSchema is where it is while it is copied. No other transaction sees it.
const nextSchema = "muster_next_world"

// publishLock is the key of the advisory lock: "muworld" in ASCII.
const publishLock = 0x6D75776F726C64

// A serverPlace keeps a world in a PostgreSQL database, of which it is the URL. It is made in a file, and then copied.
type serverPlace string

func (p serverPlace) scratch() (string, func(), error) {
	dir, err := os.MkdirTemp("", "muster-world")
	if err != nil {
		return "", nil, err
	}
	return filepath.Join(dir, File), func() { os.RemoveAll(dir) }, nil
}

func (p serverPlace) config() (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(string(p))
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["search_path"] = Schema
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "muster"
	}
	return config, nil
}

// with connects for as long as f takes.
func (p serverPlace) with(ctx context.Context, f func(*pgx.Conn) error) error {
	config, err := p.config()
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	return errors.Join(f(conn), conn.Close(context.WithoutCancel(ctx)))
}

// owned reports whether the schema is a world of muster's. One that is something else is an error.
func owned(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var schema, ledger bool
	err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1),
		EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'muster_world')`, Schema).Scan(&schema, &ledger)
	if err == nil && schema && !ledger {
		err = fmt.Errorf("the database has a schema %s that is no world of muster's", Schema)
	}
	return schema, err
}

func (p serverPlace) open(ctx context.Context) (*store, error) {
	there := false
	err := p.with(ctx, func(conn *pgx.Conn) (err error) {
		there, err = owned(ctx, conn)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, fmt.Errorf("%w in the database: it has no schema %s", ErrNoWorld, Schema)
	}
	config, err := p.config()
	if err != nil {
		return nil, err
	}
	// The lock comes before the moment that the transaction sees, which its first query decides. Publish waits for it.
	s, err := newStore(ctx, stdlib.OpenDB(*config), `"C"`, "LOCK TABLE muster_world IN ACCESS SHARE MODE")
	return s, replaced(err)
}

// replaced adds to an error of a table that is not there any more, or that something else has to be waited for, that another try may help.
func replaced(err error) error {
	if e := new(pgconn.PgError); errors.As(err, &e) {
		switch e.Code {
		case "42P01", "40P01": // undefined_table, deadlock_detected
			return fmt.Errorf("the world was replaced while it was read, try again: %w", err)
		}
	}
	return err
}

// publish copies the world of a file, in one transaction.
func (p serverPlace) publish(ctx context.Context, path string) (err error) {
	from, err := openFile(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return p.with(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(publishLock)); err != nil {
				return err
			}
			there, err := owned(ctx, conn)
			if err != nil {
				return err
			}
			if err := copyWorld(ctx, from, file, tx); err != nil {
				return err
			}
			if there { // waits for all that read it, before it has a lock that they would wait for
				if _, err := tx.Exec(ctx, "LOCK TABLE muster_world IN ACCESS EXCLUSIVE MODE"); err != nil {
					return err
				}
			}
			for _, statement := range []string{
				"DROP SCHEMA IF EXISTS " + Schema + " CASCADE", "ALTER SCHEMA " + nextSchema + " RENAME TO " + Schema,
			} {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func copyWorld(ctx context.Context, from *store, file io.ReaderAt, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "CREATE SCHEMA "+nextSchema); err != nil {
		return err
	}
	var all []stored
	var one stored
	err := from.each(ctx, func() { all = append(all, one) },
		"SELECT name, rootpage, sql LIKE '% WITHOUT ROWID' FROM sqlite_schema WHERE type = 'table' ORDER BY name", &one.name, &one.root, &one.keyed)
	if err != nil {
		return err
	}
	for _, t := range all {
		if err := copyTable(ctx, from, file, tx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return nil
}

// serverTypes are the types of PostgreSQL.
var serverTypes = map[class]string{integer: "bigint", real: "double precision", text: "text", blob: "bytea"}

// A stored table is one of a file of SQLite.
type stored struct {
	name  string
	root  uint32
	keyed bool // WITHOUT ROWID
}

func copyTable(ctx context.Context, from *store, file io.ReaderAt, tx pgx.Tx, t stored) error {
	name := t.name
	var columns, declared, key []string
	var classes []class
	var of struct {
		name    string
		class   class
		notNull bool
		key     int
	}
	byPlace := make(map[int]string)
	err := from.each(ctx, func() {
		columns, classes = append(columns, of.name), append(classes, of.class)
		line := quote(of.name) + " " + serverTypes[of.class]
		if of.notNull {
			line += " NOT NULL"
		}
		declared = append(declared, line)
		if of.key > 0 {
			byPlace[of.key] = of.name
		}
	}, "SELECT name, type, \"notnull\", pk FROM pragma_table_info("+literal(name)+") ORDER BY cid", &of.name, &of.class, &of.notNull, &of.key)
	if err != nil {
		return err
	}
	for i := range len(byPlace) {
		key = append(key, byPlace[i+1])
	}
	at := pgx.Identifier{nextSchema, name}
	if _, err := tx.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (%s)", at.Sanitize(), strings.Join(declared, ", "))); err != nil {
		return err
	}
	rows := &copying{places: recordOrder(columns, key, t.keyed), classes: classes, number: -1, text: append([]byte(nil), copyHead...)}
	if len(key) == 1 && !t.keyed && classes[slices.Index(columns, key[0])] == integer {
		rows.number = slices.Index(columns, key[0])
	}
	rows.next, rows.stop = iter.Pull2(func(yield func(int64, []byte) bool) {
		rows.err = pages.Scan(file, t.root, func(number int64, record []byte) error {
			if !yield(number, record) {
				return errStopped
			}
			return nil
		})
	})
	defer rows.stop()
	if _, err := tx.Conn().PgConn().CopyFrom(ctx, rows, fmt.Sprintf("COPY %s (%s) FROM STDIN BINARY", at.Sanitize(), quoteAll(columns))); err != nil {
		return err
	}
	if len(key) > 0 {
		_, err = tx.Exec(ctx, fmt.Sprintf("ALTER TABLE %s ADD PRIMARY KEY (%s)", at.Sanitize(), quoteAll(key)))
	}
	return err
}

// recordOrder is where each value of a record goes: those of the key stand first in a table without row numbers.
func recordOrder(columns, key []string, keyed bool) (places []int) {
	if keyed {
		for _, name := range key {
			places = append(places, slices.Index(columns, name))
		}
	}
	for i := range columns {
		if !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	return places
}

// errStopped ends a scan of which nothing more is wanted.
var errStopped = errors.New("no more rows are wanted")

// copying is the rows of a table of a file of SQLite in the binary format of COPY. Columns have the types of serverTypes, whose values there
// are those of a record but for their lengths.
//
// Source: PostgreSQL documentation, COPY, Binary Format.
type copying struct {
	next    func() (number int64, record []byte, ok bool)
	stop    func()
	places  []int // of the values of a record, in a row
	classes []class
	number  int // the column that is the number of the row, or -1
	read    []pages.Value
	values  []pages.Value
	text    []byte // that is read next
	from    int    // what of it has been read
	ended   bool
	err     error // of the file
}

// What is before the rows: the signature, flags, and the length of an extension that there is not.
var copyHead = []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00")

// copyEnd is behind the rows: the number of fields of none.
const copyEnd = 0xFFFF

// copyNull is the length of NULL.
const copyNull = 0xFFFFFFFF

// Read makes rows until there are as many bytes as are asked for.
func (c *copying) Read(p []byte) (int, error) {
	c.text, c.from = append(c.text[:0], c.text[c.from:]...), 0 // less than a row
	for len(c.text) < len(p) && !c.ended {
		number, record, ok := c.next()
		if !ok {
			if c.err != nil {
				return 0, c.err
			}
			c.text, c.ended = binary.BigEndian.AppendUint16(c.text, copyEnd), true
			break
		}
		if err := c.row(number, record); err != nil {
			return 0, err
		}
	}
	c.from = copy(p, c.text)
	if c.from == 0 && c.ended {
		return 0, io.EOF
	}
	return c.from, nil
}

// row appends a row.
func (c *copying) row(number int64, record []byte) (err error) {
	if c.read, err = pages.Decode(c.read[:0], record); err != nil {
		return err
	}
	if len(c.read) != len(c.places) {
		return fmt.Errorf("a row of %d values for %d columns", len(c.read), len(c.places))
	}
	c.values = slices.Grow(c.values[:0], len(c.places))[:len(c.places)]
	for i, v := range c.read {
		c.values[c.places[i]] = v
	}
	if c.number >= 0 {
		c.values[c.number] = pages.Value{Kind: pages.Int, Int: number}
	}
	b := binary.BigEndian.AppendUint16(c.text, uint16(len(c.values)))
	for i, v := range c.values {
		switch {
		case v.Kind == pages.Null:
			b = binary.BigEndian.AppendUint32(b, copyNull)
		case v.Kind == pages.Int && c.classes[i] == integer:
			b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(v.Int))
		case v.Kind == pages.Int: // SQLite has whole numbers as integers in columns of type REAL, too
			b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), math.Float64bits(float64(v.Int)))
		case v.Kind == pages.Real:
			b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), math.Float64bits(v.Real))
		default:
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(v.Bytes))), v.Bytes...)
		}
	}
	c.text = b
	return nil
}

// copied is rows of SQLite, with a BLOB without bytes that is not NULL.
type copied struct {
	*sql.Rows
	values, places []any
}

func newRows(rows *sql.Rows, columns int) *copied {
	c := &copied{Rows: rows, values: make([]any, columns), places: make([]any, columns)}
	for i := range c.values {
		c.places[i] = &c.values[i]
	}
	return c
}

// Values is the row: a BLOB without bytes, which the driver of SQLite has as a nil slice, is not NULL.
func (c *copied) Values() ([]any, error) {
	err := c.Scan(c.places...)
	for i, v := range c.values {
		if b, ok := v.([]byte); ok && b == nil {
			c.values[i] = []byte{}
		}
	}
	return c.values, err
}

// fetch copies the world to a file, as publish has copied it from one.
func (p serverPlace) fetch(ctx context.Context, path string) (err error) {
	s, err := openScratch(ctx, path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := newImporter(s, Config{}).prepare(); err != nil {
		return err
	}
	err = p.with(ctx, func(conn *pgx.Conn) error {
		definitions := make(map[string]string)
		rows, err := conn.Query(ctx, "SELECT name, definition FROM muster_table WHERE definition <> ''")
		if err != nil {
			return err
		}
		var name, definition string
		_, err = pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
			definitions[name] = definition
			return nil
		})
		if err != nil {
			return err
		}
		for name, definition := range definitions {
			d := new(sqldump.Definition)
			if err := json.Unmarshal([]byte(definition), d); err != nil {
				return err
			}
			t, err := newTable(name, d)
			if err != nil {
				return err
			}
			if _, err := s.exec(t.create(name)); err != nil {
				return err
			}
			if err := fetchTable(ctx, conn, s, name, columnNames(d)); err != nil {
				return err
			}
		}
		for name, columns := range ledgerColumns {
			if err := fetchTable(ctx, conn, s, name, strings.Fields(columns)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.finish()
}

// ledgerColumns are the columns of the tables of ledger.
var ledgerColumns = map[string]string{
	"muster_world":   "format family problems",
	"muster_schema":  "what value",
	"muster_file":    "position name sha256 bytes",
	"muster_table":   "name definition rows_read rows_bad rows_duplicate applied skipped",
	"muster_problem": "position file line of_table reason",
}

func fetchTable(ctx context.Context, conn *pgx.Conn, s *scratch, name string, columns []string) error {
	rows, err := conn.Query(ctx, fmt.Sprintf("SELECT %s FROM %s", quoteAll(columns), quote(name)))
	if err != nil {
		return err
	}
	defer rows.Close()
	statement := fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", quote(name), quoteAll(columns), strings.Repeat(", ?", len(columns)-1))
	args := make([]driver.NamedValue, len(columns))
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		for i, v := range values {
			args[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
		}
		if _, err := s.add(statement, args); err != nil {
			return err
		}
	}
	return rows.Err()
}
