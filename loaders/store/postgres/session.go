package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store"
	"muster/loaders/store/database"
)

// A session is a database.Session on a pool or in a transaction. Statements are prepared by pgx, once per
// connection.
type session struct {
	ctx context.Context
	on  interface {
		Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error)
		QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
		Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error)
		CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
	}
}

func (s session) Row(statement string, args []any, dest ...any) error {
	err := s.on.QueryRow(s.ctx, statement, args...).Scan(dest...)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

func (s session) Rows(statement string, args []any, each func(scan func(dest ...any) error) error) error {
	rows, err := s.on.Query(s.ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s session) Exec(statement string, args ...any) (changed int64, err error) {
	tag, err := s.on.Exec(s.ctx, statement, args...)
	return tag.RowsAffected(), err
}

func (s session) Each(b database.Bulk, rows [][]any) (changed int64, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	arrays, err := transpose(rows)
	if err != nil {
		return 0, err
	}
	return s.Exec(b.Many, arrays...)
}

// Fill copies the rows in. COPY ignores no conflicts: an existing row ends it, and the transaction.
func (s session) Fill(b database.Bulk, rows [][]any) (made int64, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	made, err = s.on.CopyFrom(s.ctx, pgx.Identifier{b.Table}, b.Columns, pgx.CopyFromRows(rows))
	var said *pgconn.PgError
	if errors.As(err, &said) && said.Code == "23505" { // unique violation
		return 0, nil
	}
	return made, err
}
