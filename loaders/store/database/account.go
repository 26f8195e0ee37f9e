package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"muster/loaders/store"
)

const (
	findAccount = `SELECT id, name, salt, verifier, level, expansion, locked, ban_end, failed_logins, last_address
		FROM accounts WHERE name = $1`
	makeAccount = `INSERT INTO accounts
		(name, salt, verifier, level, expansion, locked, ban_end, failed_logins, last_address)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (name) DO NOTHING RETURNING id`
	findKey = `SELECT session_key IS NOT NULL, session_key FROM accounts WHERE id = $1`
	setKey  = `UPDATE accounts SET session_key = $2 WHERE id = $1`
)

// errText says that a name cannot be a text in every database.
var errText = errors.New("database: the name is no text")

func isText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// fixed scans a value of exactly as many bytes. They stay as they are if it is NULL.
type fixed []byte

// Scan implements sql.Scanner.
func (f fixed) Scan(value any) error {
	v, ok := value.([]byte)
	if value != nil && (!ok || len(v) != len(f)) {
		return fmt.Errorf("database: %d bytes of %T, want %d", len(v), value, len(f))
	}
	copy(f, v)
	return nil
}

// Account implements store.Store.
func (s *Store) Account(ctx context.Context, name string) (store.Account, error) {
	var a store.Account
	err := s.read(ctx, func(q Session) error {
		if !isText(name) {
			return store.ErrNotFound
		}
		return q.Row(findAccount, []any{name}, &a.ID, &a.Name, fixed(a.Salt[:]), fixed(a.Verifier[:]), &a.Level,
			&a.Expansion, &a.Locked, &a.BanEndUnix, &a.FailedLogins, &a.LastAddress)
	})
	if err != nil {
		return store.Account{}, err
	}
	return a, nil
}

// CreateAccount implements store.Store.
func (s *Store) CreateAccount(ctx context.Context, a store.Account) (store.Account, error) {
	var id uint32
	err := s.write(ctx, func(q Session) error {
		if !isText(a.Name) || !isText(a.LastAddress) {
			return errText
		}
		return q.Row(makeAccount, []any{a.Name, a.Salt[:], a.Verifier[:], a.Level,
			a.Expansion, a.Locked, a.BanEndUnix, a.FailedLogins, a.LastAddress}, &id)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrAccountExists
	}
	if err != nil {
		return store.Account{}, err
	}
	a.ID = id
	return a, nil
}

// SessionKey implements store.Store.
func (s *Store) SessionKey(ctx context.Context, account uint32) (key [40]byte, ok bool, err error) {
	var k struct {
		bytes  [40]byte
		proven bool
	}
	err = s.read(ctx, func(q Session) error {
		return q.Row(findKey, []any{account}, &k.proven, fixed(k.bytes[:]))
	})
	if err != nil {
		return key, false, err
	}
	return k.bytes, k.proven, nil
}

// SetSessionKey implements store.Store.
func (s *Store) SetSessionKey(ctx context.Context, account uint32, key [40]byte) error {
	return s.write(ctx, func(q Session) error {
		return one(q.Exec(setKey, account, key[:]))
	})
}

// one is what became of a statement that was to change one row.
func one(changed int64, err error) error {
	if err == nil && changed == 0 {
		return store.ErrNotFound
	}
	return err
}
