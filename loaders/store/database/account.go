package database

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"muster/loaders/store"
)

const (
	accountColumns = `id, name, salt, verifier, level, expansion, locked, ban_end, ban_reason, failed_logins,
		last_address`
	provenColumns = accountColumns + `, session_key IS NOT NULL, session_key`

	findAccount  = `SELECT ` + accountColumns + ` FROM accounts WHERE name = $1`
	findProven   = `SELECT ` + provenColumns + ` FROM accounts WHERE name = $1`
	listAccounts = `SELECT ` + accountColumns + ` FROM accounts WHERE name > $1 ORDER BY name LIMIT $2`
	holdAccount  = `SELECT ` + provenColumns + ` FROM accounts WHERE id = $1`

	findKey = `SELECT session_key IS NOT NULL, session_key FROM accounts WHERE id = $1`

	holdOwned   = `SELECT guid FROM characters WHERE account = $1 ORDER BY guid`
	ofOwned     = ` IN (SELECT guid FROM characters WHERE account = $1)`
	dropOwned   = `DELETE FROM characters WHERE account = $1`
	dropAccount = `DELETE FROM accounts WHERE id = $1`
)

var (
	makeAccount = insert("accounts", `id, name text, salt bytea, verifier bytea, level, expansion, locked boolean,
		ban_end, ban_reason text, failed_logins, last_address text`, "ON CONFLICT (name) DO NOTHING")
	saveAccount = update("accounts", 1, `id, salt bytea, verifier bytea, level, expansion, locked boolean, ban_end,
		ban_reason text, failed_logins, last_address text, session_key bytea`)
	setKey = update("accounts", 1, "id, session_key bytea")
)

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

// accountInto are where the accountColumns of an account go.
func accountInto(a *store.Account) []any {
	return []any{&a.ID, &a.Name, fixed(a.Salt[:]), fixed(a.Verifier[:]), &a.Level, &a.Expansion, &a.Locked,
		&a.BanEndUnix, &a.BanReason, &a.FailedLogins, &a.LastAddress}
}

// provenInto are where the provenColumns of an account go.
func provenInto(a *store.Proven) []any {
	return append(accountInto(&a.Account), &a.HasKey, fixed(a.Key[:]))
}

// accountValues are the accountColumns of an account.
func accountValues(a *store.Account) []any {
	return []any{a.ID, a.Name, a.Salt[:], a.Verifier[:], a.Level, a.Expansion, a.Locked,
		a.BanEndUnix, a.BanReason, a.FailedLogins, a.LastAddress}
}

// Account implements store.Store.
func (s *Store) Account(ctx context.Context, name string) (store.Account, error) {
	var a store.Account
	if err := s.named(ctx, findAccount, name, accountInto(&a)); err != nil {
		return store.Account{}, err
	}
	return a, nil
}

// Proven implements store.Store.
func (s *Store) Proven(ctx context.Context, name string) (store.Proven, error) {
	var a store.Proven
	if err := s.named(ctx, findProven, name, provenInto(&a)); err != nil {
		return store.Proven{}, err
	}
	return a, nil
}

// named scans columns of the account of a name.
func (s *Store) named(ctx context.Context, statement, name string, into []any) error {
	return s.read(ctx, func(q Session) error {
		if !store.IsText(name) {
			return store.ErrNotFound
		}
		return q.Row(statement, []any{name}, into...)
	})
}

// Accounts implements store.Store.
func (s *Store) Accounts(ctx context.Context, after string, limit int) ([]store.Account, error) {
	var list []store.Account
	err := s.read(ctx, func(q Session) error {
		if !store.IsText(after) {
			return store.CheckAccount(&store.Account{Name: after})
		}
		limit = min(max(limit, 0), store.MaxPage)
		return q.Rows(listAccounts, []any{after, limit}, func(scan func(...any) error) error {
			var a store.Account
			err := scan(accountInto(&a)...)
			list = append(list, a)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// CreateAccount implements store.Store.
func (s *Store) CreateAccount(ctx context.Context, a store.Account) (store.Account, error) {
	err := s.transact(ctx, func(q Session) error {
		if err := store.CheckAccount(&a); err != nil {
			return err
		}
		next, err := advance(q, "account", 1, math.MaxUint32)
		if err != nil {
			return err
		}
		a.ID = uint32(next)
		made, err := q.Exec(makeAccount.One, accountValues(&a)...)
		if err == nil && made == 0 {
			return store.ErrAccountExists
		}
		return err
	})
	if err != nil {
		return store.Account{}, err
	}
	return a, nil
}

// UpdateAccount implements store.Store.
func (s *Store) UpdateAccount(ctx context.Context, id uint32, change func(*store.Proven) error) (store.Account, error) {
	var b store.Proven
	err := s.transact(ctx, func(q Session) error {
		var a store.Proven
		if err := q.Row(holdAccount+s.db.ForUpdate(), []any{id}, provenInto(&a)...); err != nil {
			return err
		}
		b = a
		if err := change(&b); err != nil {
			return err
		}
		b.ID, b.Name = a.ID, a.Name
		if err := store.CheckAccount(&b.Account); err != nil {
			return err
		}
		b.Settle(&a)
		var key []byte
		if b.HasKey {
			key = b.Key[:]
		}
		values := append(accountValues(&b.Account), key)
		return one(q.Exec(saveAccount.One, append(values[:1:1], values[2:]...)...)) // but for the name
	})
	if err != nil {
		return store.Account{}, err
	}
	return b.Account, nil
}

// DeleteAccount implements store.Store.
func (s *Store) DeleteAccount(ctx context.Context, id uint32) error {
	return s.transact(ctx, func(q Session) error {
		// First the account, so that no character can be added to it meanwhile.
		if err := q.Row(findOwner+s.db.ForDelete(), []any{id}, new(int)); err != nil {
			return err
		}
		// Then its characters, in the order in which saves lock them.
		none := func(func(...any) error) error { return nil }
		if err := q.Rows(holdOwned+s.db.ForDelete(), []any{id}, none); err != nil {
			return err
		}
		if _, err := q.Exec(goneOwned, id, time.Now().Unix()); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM item_instance WHERE owner_guid` + ofOwned, `DELETE FROM character_spell WHERE guid` + ofOwned,
			`DELETE FROM character_action WHERE guid` + ofOwned, dropOwned,
		} {
			if _, err := q.Exec(statement, id); err != nil {
				return err
			}
		}
		return one(q.Exec(dropAccount, id))
	})
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
		return one(q.Exec(setKey.One, account, key[:]))
	})
}

// one returns the error of a statement that was to change one row.
func one(changed int64, err error) error {
	if err == nil && changed == 0 {
		return store.ErrNotFound
	}
	return err
}

// advance takes n numbers of a kind, up to a last one, or returns store.ErrFull.
func advance(q Session, kind string, n int, last uint64) (first uint64, err error) {
	var next uint64
	err = q.Row(takeRange, []any{n, kind, last + 1 - uint64(n)}, &next)
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrFull
	}
	return next - uint64(n), err
}
