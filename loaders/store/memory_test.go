package store_test

import (
	"errors"
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Place {
		return storetest.Place{
			Open: func() (store.Store, error) { return store.NewMemory(store.MemoryConfig{}), nil },
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	s := store.NewMemory(store.MemoryConfig{MaxAccounts: 2, MaxGUID: 3})
	var last store.Account
	for _, name := range []string{"ADA", "BEA"} {
		var err error
		if last, err = s.CreateAccount(t.Context(), store.Account{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "CLEO"}); !errors.Is(err, store.ErrFull) {
		t.Errorf("a third account: %v, want %v", err, store.ErrFull)
	}
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "BEA"}); !errors.Is(err, store.ErrAccountExists) {
		t.Errorf("BEA again: %v, want %v", err, store.ErrAccountExists)
	}

	for i, name := range []string{"Mirella", "Brann", "Corvo"} {
		c, err := s.CreateCharacter(t.Context(), store.Character{Account: last.ID, Name: name, Race: 1, Class: 1})
		if err != nil || c.GUID != uint64(i+1) {
			t.Fatalf("%s has GUID %d, %v, want %d", name, c.GUID, err, i+1)
		}
	}
	if err := s.DeleteCharacter(t.Context(), last.ID, 3); err != nil {
		t.Fatal(err)
	}
	c := store.Character{Account: last.ID, Name: "Corvo", Race: 1, Class: 1}
	if _, err := s.CreateCharacter(t.Context(), c); !errors.Is(err, store.ErrFull) {
		t.Errorf("a character beyond the last GUID: %v, want %v", err, store.ErrFull)
	}
}
