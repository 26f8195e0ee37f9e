package store_test

import (
	"errors"
	"testing"

	"muster/components/life"
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

// The items that a Memory knows to be gone are 10,000: the oldest comes back with a late save, and the next one does not.
func TestGoneInMemory(t *testing.T) {
	s, ctx := store.NewMemory(store.MemoryConfig{}), t.Context()
	a, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CreateCharacter(ctx, store.Character{Account: a.ID, Name: "Mirella", Race: 1, Class: 1})
	if err != nil {
		t.Fatal(err)
	}
	save := func(items ...life.Item) {
		c.Version++
		c.Items = items
		if err := s.SaveCharacter(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	item := func(guid uint64, moves uint8) life.Item {
		return life.Item{GUID: guid, Entry: 1, Count: 1, Moves: moves}
	}
	for guid := range uint64(10_001) {
		save(item(guid+1, 2))
	}
	save()
	for guid, want := range map[uint64]int{1: 1, 2: 0, 10_001: 0} {
		save(item(guid, 1))
		if got, err := s.Character(ctx, c.GUID); err != nil || len(got.Items) != want {
			t.Errorf("item %d: it is with the owner before %d times, %v, want %d", guid, len(got.Items), err, want)
		}
	}
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
