package login

import (
	"context"
	"errors"
	"net/netip"

	"muster/loaders/store"
	"muster/net/login/account"
	"muster/net/protocol/crypt"
)

// Store is what a Server needs of store.Store, as it is described there.
type Store interface {
	Account(ctx context.Context, name string) (store.Account, error)
	CreateAccount(ctx context.Context, a store.Account) (store.Account, error)
	UpdateAccount(ctx context.Context, account uint32, change func(*store.Proven) error) (store.Account, error)
	SessionKey(ctx context.Context, account uint32) (key [40]byte, ok bool, err error)
	SetSessionKey(ctx context.Context, account uint32, key [40]byte) error
	CountCharacters(ctx context.Context, account uint32) (int, error)
}

// A claim is the account that a client claims to own.
type claim struct {
	store.Account
	known bool // the store has it
	open  bool // the store does not have it, but may
}

// claim finds the account of a name in upper case. For an unknown name it makes up a salt and a verifier, so that
// the answer shows no difference; with open accounts that verifier is that of the open password.
func (s *Server) claim(ctx context.Context, name string) (claim, error) {
	found, err := s.store.Account(ctx, name)
	if err == nil {
		return claim{Account: found, known: true}, nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return claim{}, s.failed("find an account", err)
	}
	now := s.open.Load()
	c := claim{Account: store.Account{
		Name: name, Level: now.level, Expansion: account.MaxExpansion,
	}, open: now.password != ""}
	c.Salt, c.Verifier = crypt.Decoy(s.config.Secret, name)
	if c.open {
		c.Verifier = crypt.Verifier(name, now.password, c.Salt)
	}
	return c, nil
}

// theirs is the account of a claim, nil if there is none.
func (c *claim) theirs() *store.Account {
	if !c.known {
		return nil
	}
	return &c.Account
}

// judge has the guard decide about a proof, and keep the key if there is one. The error is a reason.
func (s *Server) judge(ctx context.Context, c *claim, from netip.Addr, right bool, key *[40]byte) error {
	v, err := s.config.Guard.Judge(ctx, c.theirs(), c.Name, from, right, key)
	switch {
	case err != nil:
		return s.failed("judge a proof", err)
	case v == account.Wrong && !c.known && !c.open: // the log may have what the client must not learn
		return unknownAccount
	}
	return refused[v]
}

// admit makes the account of a claim that was proven, if there is none, and keeps its key as Judge does for the others.
func (s *Server) admit(ctx context.Context, c *claim, key [40]byte) error {
	if c.known {
		return nil
	}
	if err := s.create(ctx, c); err != nil {
		return err
	}
	if err := s.store.SetSessionKey(ctx, c.ID, key); err != nil {
		return s.failed("keep a session key", err)
	}
	return nil
}

// create makes the account of a claim. If it was made by another login since the challenge, it must be the same
// account.
func (s *Server) create(ctx context.Context, c *claim) error {
	if s.made.Add(1) > int64(s.config.MaxOpen) {
		s.made.Add(-1)
		return openFull
	}
	made, err := s.store.CreateAccount(ctx, c.Account)
	if err != nil {
		s.made.Add(-1)
	}
	switch {
	case errors.Is(err, store.ErrAccountExists):
		made, err = s.store.Account(ctx, c.Name)
		if err == nil && (made.Salt != c.Salt || made.Verifier != c.Verifier) {
			return badProof
		}
	case errors.Is(err, store.ErrFull):
		return openFull
	case err == nil:
		s.config.Metric.Count(created)
	}
	if err != nil {
		return s.failed("make an account", err)
	}
	c.Account, c.known = made, true
	return nil
}

// A storeError is storeFailed with what the store was to do, and why it did not.
type storeError struct {
	what string
	err  error
}

func (e *storeError) Error() string { return "cannot " + e.what + ": " + e.err.Error() }

func (e *storeError) Unwrap() error { return storeFailed }

// failed makes a reason of an error of the store.
func (s *Server) failed(what string, err error) error { return &storeError{what, err} }
