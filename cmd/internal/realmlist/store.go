package realmlist

import (
	"context"
	"slices"

	"muster/loaders/store"
)

// A realmStore is a store of which one realm's characters are seen.
type realmStore struct {
	store.Store
	realm uint8
}

// NewStore makes a store of which the characters of one realm are seen.
func NewStore(all store.Store, realm uint8) store.Store { return &realmStore{all, realm} }

// Characters lists those of an account in the realm.
func (s *realmStore) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	all, err := s.Store.Characters(ctx, account)
	return slices.DeleteFunc(all, func(c store.Character) bool { return c.Realm != s.realm }), err
}

// Character finds one of the realm.
func (s *realmStore) Character(ctx context.Context, guid uint64) (store.Character, error) {
	c, err := s.Store.Character(ctx, guid)
	if err == nil && c.Realm != s.realm {
		return store.Character{}, store.ErrNotFound
	}
	return c, err
}

// CreateCharacter makes one in the realm.
func (s *realmStore) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	c.Realm = s.realm
	return s.Store.CreateCharacter(ctx, c)
}

// DeleteCharacter deletes one of the realm.
func (s *realmStore) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	if _, err := s.Character(ctx, guid); err != nil {
		return err
	}
	return s.Store.DeleteCharacter(ctx, account, guid)
}
