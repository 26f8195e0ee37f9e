package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"muster/loaders/store"
	"muster/loaders/store/database"
)

// statements are prepared when they are first used, and kept.
type statements struct {
	on interface {
		PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error)
	}

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

func newStatements(on interface {
	PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error)
}) *statements {
	return &statements{on: on, prepared: make(map[string]*sql.Stmt)}
}

func (s *statements) get(ctx context.Context, statement string) (*sql.Stmt, error) {
	s.mu.RLock()
	p := s.prepared[statement]
	s.mu.RUnlock()
	if p != nil {
		return p, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.prepared[statement]; p != nil {
		return p, nil
	}
	p, err := s.on.PrepareContext(ctx, statement)
	if err == nil {
		s.prepared[statement] = p
	}
	return p, err
}

func (s *statements) close() (err error) {
	for _, p := range s.prepared {
		err = errors.Join(err, p.Close())
	}
	return err
}

// A session is a database.Session.
type session struct {
	ctx context.Context
	*statements
}

func (s session) Row(statement string, args []any, dest ...any) error {
	p, err := s.get(s.ctx, statement)
	if err != nil {
		return err
	}
	err = p.QueryRowContext(s.ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

func (s session) Rows(statement string, args []any, each func(scan func(dest ...any) error) error) error {
	p, err := s.get(s.ctx, statement)
	if err != nil {
		return err
	}
	rows, err := p.QueryContext(s.ctx, args...)
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
	p, err := s.get(s.ctx, statement)
	if err != nil {
		return 0, err
	}
	result, err := p.ExecContext(s.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s session) Each(b database.Bulk, rows [][]any) (changed int64, err error) {
	for _, values := range rows {
		n, err := s.Exec(b.One, values...)
		if err != nil {
			return changed, err
		}
		changed += n
	}
	return changed, nil
}

func (s session) Fill(b database.Bulk, rows [][]any) (made int64, err error) { return s.Each(b, rows) }
