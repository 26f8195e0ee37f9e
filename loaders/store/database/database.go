// Package database is what the stores on SQL databases have in common: the schema and its migrations, the
// statements, and the ranges of GUIDs. A Store is all of store.Store; packages sqlite and postgres open
// one, and add what differs: connections, transactions, and what their errors mean.
package database

import "context"

// A DB runs the statements of a Store. Parameters are spelled $1, $2 … and the statements are few: those of
// this package, so they are worth preparing. Every method is safe for concurrent use, and returns before its
// work is done only if its context ends; f may then still run, but has no effect that is not whole.
//
// What f returns is returned. Errors of the database that another try may not meet wrap store.ErrBusy.
type DB interface {
	// Read has f read. Its statements change nothing, and need not see one moment.
	Read(ctx context.Context, f func(Session) error) error

	// Write has f do its work in one statement, which takes effect at once; others of f may follow, and read.
	Write(ctx context.Context, f func(Session) error) error

	// Transact has f do its work in several statements. They take effect together when f returns nil, and
	// not at all if it returns an error.
	Transact(ctx context.Context, f func(Session) error) error

	// ForUpdate is what ends a SELECT whose rows must stay as they are until its transaction ends. It is empty
	// if transactions are alone anyway.
	ForUpdate() string

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
}
