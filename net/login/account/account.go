// Package account manages accounts for all its callers: a command, a console, or a client that logs in. Accounts is
// for operators; Guard decides about logins.
package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"time"

	"muster/loaders/store"
	"muster/net/protocol/crypt"
)

// MaxLevel is the highest level that an account can have, administrator.
//
// Source: AccountTypes, Common.h, AzerothCore: what is above is the console's.
const MaxLevel = 3

// MaxExpansion is the newest that build 12340 has.
const MaxExpansion = 2

// Errors of Accounts. The store's own errors come besides.
var (
	ErrUnknown   = errors.New("account: there is no such account")
	ErrExists    = errors.New("account: there is one of that name")
	ErrLevel     = errors.New("account: a level is from 0, player, to 3, administrator")
	ErrExpansion = errors.New("account: an expansion is 0, 1 or 2")
	ErrReason    = errors.New("account: a reason is a text of 255 bytes at most")
	ErrUntil     = errors.New("account: a ban ends after now")
)

// Store is what Accounts needs of store.Store, as it is described there.
type Store interface {
	Account(ctx context.Context, name string) (store.Account, error)
	CreateAccount(ctx context.Context, a store.Account) (store.Account, error)
	UpdateAccount(ctx context.Context, account uint32, change func(*store.Proven) error) (store.Account, error)
	DeleteAccount(ctx context.Context, account uint32) error
}

// Accounts changes accounts. Names are as they were typed, in any case. Changes take effect from the next login on,
// with a server running beside it or not. Its methods may be called from any goroutine.
type Accounts struct {
	Store Store            // required
	Rand  io.Reader        // safe for concurrent use; default crypto/rand.Reader
	Now   func() time.Time // default time.Now
}

func (s *Accounts) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Create makes an account that may play everything, of level 0. The errors are ErrName, ErrPassword and ErrExists.
func (s *Accounts) Create(ctx context.Context, name, password string) error {
	_, err := s.CreateAs(ctx, name, password, 0, MaxExpansion)
	return err
}

// CreateAs makes an account of a level and up to an expansion, and returns it. The errors are also ErrLevel and
// ErrExpansion.
func (s *Accounts) CreateAs(ctx context.Context, name, password string, level, expansion uint8) (store.Account, error) {
	name, err := Name(name)
	if err != nil {
		return store.Account{}, err
	}
	switch {
	case level > MaxLevel:
		return store.Account{}, ErrLevel
	case expansion > MaxExpansion:
		return store.Account{}, ErrExpansion
	}
	salt, verifier, err := s.verifier(name, password)
	if err != nil {
		return store.Account{}, err
	}
	a, err := s.Store.CreateAccount(ctx, store.Account{
		Name: name, Salt: salt, Verifier: verifier, Level: level, Expansion: expansion,
	})
	if errors.Is(err, store.ErrAccountExists) {
		err = ErrExists
	}
	return a, err
}

// verifier is what is stored of a password, with a new salt.
func (s *Accounts) verifier(name, password string) (salt, verifier [32]byte, err error) {
	if err := CheckPassword(password); err != nil {
		return salt, verifier, err
	}
	from := s.Rand
	if from == nil {
		from = rand.Reader
	}
	if _, err := io.ReadFull(from, salt[:]); err != nil {
		return salt, verifier, fmt.Errorf("account: draw a salt: %w", err)
	}
	return salt, crypt.Verifier(name, password, salt), nil
}

// change applies change to the account of a name. The name need not be one that Name allows: older servers took
// others.
func (s *Accounts) change(ctx context.Context, name string, change func(*store.Proven) error) (store.Account, error) {
	a, err := s.find(ctx, name)
	if err != nil {
		return a, err
	}
	a, err = s.Store.UpdateAccount(ctx, a.ID, change)
	return a, unknown(err)
}

func (s *Accounts) find(ctx context.Context, name string) (store.Account, error) {
	a, err := s.Store.Account(ctx, crypt.Upper(name))
	return a, unknown(err)
}

func unknown(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return ErrUnknown
	}
	return err
}

// SetPassword gives an account another password: a client with the old one cannot reconnect with its session key
// either. The errors are ErrPassword and ErrUnknown.
func (s *Accounts) SetPassword(ctx context.Context, name, password string) error {
	name = crypt.Upper(name)
	salt, verifier, err := s.verifier(name, password)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, name, func(a *store.Proven) error {
		a.Salt, a.Verifier, a.FailedLogins = salt, verifier, 0
		return nil
	})
	return err
}

// SetLevel gives an account a level. The errors are ErrLevel and ErrUnknown.
func (s *Accounts) SetLevel(ctx context.Context, name string, level uint8) error {
	if level > MaxLevel {
		return ErrLevel
	}
	_, err := s.change(ctx, name, func(a *store.Proven) error {
		a.Level = level
		return nil
	})
	return err
}

// Level is the level of an account. The error is ErrUnknown.
func (s *Accounts) Level(ctx context.Context, name string) (uint8, error) {
	a, err := s.find(ctx, name)
	return a.Level, err
}

// Ban bans an account until a time, for ever with the zero one, in place of its present ban, and returns its ID. A
// session of the account goes on unless the caller ends it. The errors are ErrUntil, ErrReason and ErrUnknown.
func (s *Accounts) Ban(ctx context.Context, name string, until time.Time, reason string) (account uint32, err error) {
	end := int64(math.MaxInt64)
	if !until.IsZero() {
		end = until.Unix()
	}
	switch {
	case end <= s.now().Unix():
		return 0, ErrUntil
	case len(reason) > store.MaxText || !store.IsText(reason):
		return 0, ErrReason
	}
	a, err := s.change(ctx, name, func(a *store.Proven) error {
		a.BanEndUnix, a.BanReason = end, reason
		return nil
	})
	return a.ID, err
}

// Unban lifts the ban of an account, also one for wrong passwords, and resets their count. An account without a ban
// stays as it is. The error is ErrUnknown.
func (s *Accounts) Unban(ctx context.Context, name string) error {
	_, err := s.change(ctx, name, func(a *store.Proven) error {
		a.BanEndUnix, a.BanReason, a.FailedLogins = 0, "", 0
		return nil
	})
	return err
}

// Lock restricts an account to one address: address, or if that is zero the address of its last login, or of its next
// if it has never logged in. The error is ErrUnknown.
func (s *Accounts) Lock(ctx context.Context, name string, address netip.Addr) (store.Account, error) {
	return s.change(ctx, name, func(a *store.Proven) error {
		a.Locked = true
		if address.IsValid() {
			a.LastAddress = plain(address).String()
		}
		return nil
	})
}

// Unlock lets an account in from everywhere. The error is ErrUnknown.
func (s *Accounts) Unlock(ctx context.Context, name string) error {
	_, err := s.change(ctx, name, func(a *store.Proven) error {
		a.Locked = false
		return nil
	})
	return err
}

// Delete forgets an account and its characters. The error is ErrUnknown.
func (s *Accounts) Delete(ctx context.Context, name string) error {
	a, err := s.find(ctx, name)
	if err != nil {
		return err
	}
	return unknown(s.Store.DeleteAccount(ctx, a.ID))
}
