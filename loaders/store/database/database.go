// Package database is what the stores on SQL databases have in common: the schema and its migrations, the
// statements, and the ranges of GUIDs. A Store is all of store.Store; packages sqlite and postgres open
// one, and add what differs: connections, transactions, and what their errors mean.
package database

import (
	"context"
	"fmt"

	"muster/loaders/store"
)

// ErrAgain says that a transaction has met another, and may succeed when it is done again.
var ErrAgain = fmt.Errorf("%w: transactions met", store.ErrBusy)

// A DB runs the statements of a Store. Parameters are spelled $1, $2 … and the statements are few: those of
// this package, so they are worth preparing. Every method is safe for concurrent use, and returns before its
// work is done only if its context ends; f may then still run, but has no effect that is not whole.
//
// What f returns is returned. Errors of the database that another try may not meet wrap store.ErrBusy.
type DB interface {
	// Read has f read. Its statements change nothing, and need not see one moment.
	Read(ctx context.Context, f func(Session) error) error

	// Write has f do its work in one statement, which takes effect at once; others of f may follow, and read. It
	// calls f again as Transact does.
	Write(ctx context.Context, f func(Session) error) error

	// Transact has f do its work in several statements. They take effect together when f returns nil, and
	// not at all if it returns an error. If it met another transaction, so that one of the two has to give way,
	// f is called again, some time later and some times at most. Errors that wrap ErrAgain ask for that too.
	Transact(ctx context.Context, f func(Session) error) error

	// Bulk is Transact for work that takes long, and has as much time as its context.
	Bulk(ctx context.Context, f func(Session) error) error

	// Snapshot has f read, in statements that see one moment. It has as much time as its context, and holds up
	// no writer.
	Snapshot(ctx context.Context, f func(Session) error) error

	// ForUpdate is what ends a SELECT whose rows must stay as they are until its transaction ends, and ForDelete
	// one whose rows are to go and must not be referred to meanwhile. They are empty if transactions are alone
	// anyway.
	ForUpdate() string
	ForDelete() string

	// Among is a condition on the column before it: it is one of the numbers in the text $1, which are separated
	// by commas.
	Among() string

	// Close ends all connections. No other method is running, or called again.
	Close() error
}

// A Session runs statements for a function that was given to a DB, and is of no use after it.
type Session interface {
	// Row scans the first row that a statement returns, as sql.Row does, or returns store.ErrNotFound.
	Row(statement string, args []any, dest ...any) error

	// Rows calls each for every row. What scan and each return ends it.
	Rows(statement string, args []any, each func(scan func(dest ...any) error) error) error

	// Exec returns how many rows a statement changed.
	Exec(statement string, args ...any) (changed int64, err error)

	// Each does a Bulk for rows of values, and returns how many rows it changed.
	Each(b Bulk, rows [][]any) (changed int64, err error)
	// Fill does an insert for rows of values that must all be new, the fastest way there is, and returns how many it
	// made. If that is not all, the transaction is not to go on.
	Fill(b Bulk, rows [][]any) (made int64, err error)
}
