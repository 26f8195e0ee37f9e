package database

import (
	"context"
	"fmt"
	"sync"
	"time"

	"muster/loaders/store"
)

// A Store keeps accounts, realms and characters in a DB whose schema is that of Migrate. Several stores, in one
// process or in many, may use one database at once.
type Store struct {
	db    DB
	guids *lease
	known *knownRows

	mu     sync.RWMutex // held by every call, and for writing by Close
	closed bool
}

var _ store.Store = (*Store)(nil)

// New returns a store on a database, which its Close closes.
func New(db DB) *Store {
	return &Store{db: db, guids: newLease(), known: newKnownRows()}
}

// use runs f with the database unless the store is closed. If the context ends, the error wraps its cause.
func (s *Store) use(ctx context.Context, f func() error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return store.ErrClosed
	}
	err := f()
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("database: %w", context.Cause(ctx))
	}
	return err
}

func (s *Store) read(ctx context.Context, f func(Session) error) error {
	return s.use(ctx, func() error { return s.db.Read(ctx, f) })
}

func (s *Store) write(ctx context.Context, f func(Session) error) error {
	return s.use(ctx, func() error { return s.db.Write(ctx, f) })
}

func (s *Store) transact(ctx context.Context, f func(Session) error) error {
	return s.use(ctx, func() error { return s.db.Transact(ctx, f) })
}

// closeTime bounds the clean-up in Close.
const closeTime = time.Second

// Close implements store.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return store.ErrClosed
	}
	s.closed = true
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = s.guids.giveBack(ctx, s.db) // else they are lost, as if the process had been killed
	return s.db.Close()
}
