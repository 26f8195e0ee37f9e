// Package database is what the stores on SQL databases have in common: the schema and its migrations, the
// statements, and the ranges of GUIDs. A Store is all of store.Store; packages sqlite and postgres open
// one, and add what differs: connections, transactions, and what their errors mean.
package database

import (
	"context"
	"fmt"

	"muster/loaders/store"
)

// ErrAgain is the error of a transaction that conflicted with another, and may succeed when it is repeated.
var ErrAgain = fmt.Errorf("%w: transactions met", store.ErrBusy)

// A DB runs the statements of a Store. Parameters are spelled $1, $2 … and the statements are few, so they are worth
// preparing. Every method is safe for concurrent use, and returns before its work is done only if its context ends; f
// may then still run, but its effect is all or nothing.
//
// The errors of f are returned. Errors of the database that a retry may not meet wrap store.ErrBusy.
type DB interface {
	// Read runs f for reading. Its statements change nothing, and need not see one moment.
	Read(ctx context.Context, f func(Session) error) error

	// Write runs f for one writing statement, which takes effect at once; further statements of f may only read. It
	// repeats f as Transact does.
	Write(ctx context.Context, f func(Session) error) error

	// Transact runs f as a transaction. Its statements take effect together when f returns nil, and not at all if it
	// returns an error. If it conflicts with another transaction, f is repeated after a pause, a limited number of
	// times. Errors that wrap ErrAgain ask for that too.
	Transact(ctx context.Context, f func(Session) error) error

	// Bulk is Transact for long work, limited only by its context.
	Bulk(ctx context.Context, f func(Session) error) error

	// Snapshot runs f for reading, in statements that see one moment. It is limited only by its context, and blocks
	// no writer.
	Snapshot(ctx context.Context, f func(Session) error) error

	// ForUpdate is the end of a SELECT whose rows must not change until its transaction ends, and ForDelete of one
	// whose rows are to be deleted and must not be referred to meanwhile. They are empty if there is one transaction
	// at a time anyway.
	ForUpdate() string
	ForDelete() string

	// Among is a condition on the column before it: it is one of the numbers in the text $1, separated by commas.
	Among() string

	// Close ends all connections. No other method is running, or called again.
	Close() error
}

// A Session runs statements for a function that was given to a DB, and is invalid after it.
type Session interface {
	// Row scans the first row that a statement returns, as sql.Row does, or returns store.ErrNotFound.
	Row(statement string, args []any, dest ...any) error

	// Rows calls each for every row. An error of scan or each ends it.
	Rows(statement string, args []any, each func(scan func(dest ...any) error) error) error

	// Exec returns how many rows a statement changed.
	Exec(statement string, args ...any) (changed int64, err error)

	// Each executes a Bulk for rows of values, and returns how many rows it changed.
	Each(b Bulk, rows [][]any) (changed int64, err error)
	// Fill inserts rows of values that must all be new, as fast as possible, and returns how many it inserted. If
	// these are not all, the transaction must not go on.
	Fill(b Bulk, rows [][]any) (made int64, err error)
}
