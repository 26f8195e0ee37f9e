package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/components/life"
	"muster/loaders/store"
)

func testReopen(t *testing.T, p Place) {
	ctx := t.Context()
	s := open(t, p)
	account, err := s.CreateAccount(ctx, store.Account{
		Name: "ADA", Salt: [32]byte{1}, Verifier: [32]byte{2}, Level: 1, LastAddress: "2001:db8::1",
	})
	if err != nil {
		t.Fatal(err)
	}
	realm := store.Realm{ID: 1, Name: "Muster", Address: "127.0.0.1:8085"}
	if err := s.SaveRealm(ctx, realm); err != nil {
		t.Fatal(err)
	}
	key := [40]byte{3, 39: 4}
	if err := s.SetSessionKey(ctx, account.ID, key); err != nil {
		t.Fatal(err)
	}
	kept := newCharacter(t, s, full(account.ID, "Mirella"))
	saved := newCharacter(t, s, full(account.ID, "Brann"))
	saved.Version, saved.Level, saved.X = 9, 80, 123.25
	saved.Items = append(saved.Items, life.Item{GUID: anItem(), Entry: 1, Count: 5, Bag: life.InBody, Slot: 77})
	if err := s.SaveCharacter(ctx, saved); err != nil {
		t.Fatal(err)
	}
	left := store.Data{Type: 7, Unix: 8, Body: []byte("bind 1")}
	if err := s.SaveData(ctx, account.ID, kept.GUID, left); err != nil {
		t.Fatal(err)
	}
	lastItem, err := s.LeaseItems(ctx, 10)
	if err != nil {
		t.Fatal(err)
	}
	gone := newCharacter(t, s, full(account.ID, "Corvo"))
	if err := s.DeleteCharacter(ctx, account.ID, gone.GUID); err != nil {
		t.Fatal(err)
	}

	last := gone.GUID
	for range 3 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, p)
		if found, err := s.Account(ctx, "ADA"); err != nil || found != account {
			t.Errorf("found %+v, %v, want %+v", found, err, account)
		}
		if got, ok, err := s.SessionKey(ctx, account.ID); !ok || err != nil || got != key {
			t.Errorf("the key is % x, %v, %v, want % x", got, ok, err, key)
		}
		if got, err := s.Realms(ctx); err != nil || !slices.Equal(got, []store.Realm{realm}) {
			t.Errorf("realms are %+v, %v, want %+v", got, err, realm)
		}
		expectList(t, s, account.ID, kept, saved)
		expectData(t, s, account.ID, kept.GUID, left)
		first, err := s.LeaseItems(ctx, 10)
		if err != nil || first < lastItem+10 {
			t.Errorf("a lease begins with item %d, %v, after ten from %d", first, err, lastItem)
		}
		lastItem = first
		if err := s.SaveCharacter(ctx, saved); !errors.Is(err, store.ErrStale) {
			t.Errorf("save the same version: %v, want %v", err, store.ErrStale)
		}
		if _, err := s.CreateCharacter(ctx, full(account.ID, "MIRELLA")); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("a second MIRELLA: %v, want %v", err, store.ErrNameTaken)
		}
		next := newCharacter(t, s, full(account.ID, "Next"))
		if next.GUID <= last {
			t.Errorf("GUID %d after %d", next.GUID, last)
		}
		last = next.GUID
		if err := s.DeleteCharacter(ctx, account.ID, next.GUID); err != nil {
			t.Fatal(err)
		}
	}
	if other := newAccount(t, s, "BEA"); other <= account.ID {
		t.Errorf("account %d after %d", other, account.ID)
	}
	s.Close()
}

// testOpenTogether lets several processes start at once, where there is nothing yet.
func testOpenTogether(t *testing.T, p Place) {
	var ids [6]uint32
	together(len(ids), func(i int) {
		s, err := p.Open()
		if err != nil {
			t.Errorf("open: %v", err)
			return
		}
		defer s.Close()
		ids[i] = newAccount(t, s, fmt.Sprint("OPENER", i))
	})
	slices.Sort(ids[:])
	if ids[0] == 0 || len(slices.Compact(ids[:])) != len(ids) {
		t.Errorf("the accounts have the IDs %d", ids)
	}
}

func testTwoStores(t *testing.T, p Place) {
	ctx := t.Context()
	a, b := open(t, p), open(t, p)
	defer a.Close()
	defer b.Close()
	ada := newAccount(t, a, "ADA")
	if found, err := b.Account(ctx, "ADA"); err != nil || found.ID != ada {
		t.Errorf("found %+v, %v, want ID %d", found, err, ada)
	}
	if err := b.SetSessionKey(ctx, ada, [40]byte{1}); err != nil {
		t.Error(err)
	}
	if key, ok, err := a.SessionKey(ctx, ada); !ok || err != nil || key != [40]byte{1} {
		t.Errorf("the key is % x, %v, %v", key, ok, err)
	}
	first := newCharacter(t, a, full(ada, "Mirella"))
	second := newCharacter(t, b, full(ada, "Brann"))
	if first.GUID == second.GUID {
		t.Errorf("two characters have the GUID %d", first.GUID)
	}
	if _, err := b.CreateCharacter(ctx, full(ada, "MIRELLA")); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("a second MIRELLA: %v, want %v", err, store.ErrNameTaken)
	}
	first.Version = 5
	if err := b.SaveCharacter(ctx, first); err != nil {
		t.Error(err)
	}
	stale := first
	stale.Version = 4
	if err := a.SaveCharacter(ctx, stale); !errors.Is(err, store.ErrStale) {
		t.Errorf("save version 4 over 5: %v, want %v", err, store.ErrStale)
	}
	if err := a.DeleteCharacter(ctx, ada, second.GUID); err != nil {
		t.Error(err)
	}
	for _, s := range []store.Store{a, b} {
		expectList(t, s, ada, first)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	expectList(t, b, ada, first)
}

// testRacesOfStores has two stores create characters at once: for accounts of their own, for one name, and for the
// last room of one account.
func testRacesOfStores(t *testing.T, p Place) {
	const each = 4 // creators per store
	stores := []store.Store{patient{open(t, p)}, patient{open(t, p)}}
	shared := newAccount(t, stores[0], "SHARED")
	var (
		mu       sync.Mutex
		guids    = make(map[uint64]string)
		won, had atomic.Int32
	)
	keep := func(c store.Character) {
		mu.Lock()
		defer mu.Unlock()
		if other, taken := guids[c.GUID]; taken {
			t.Errorf("%s and %s have the GUID %d", other, c.Name, c.GUID)
		}
		guids[c.GUID] = c.Name
	}
	together(len(stores)*each, func(i int) {
		s := stores[i%len(stores)]
		account := newAccount(t, s, fmt.Sprint("CREATOR", i))
		for n := range store.MaxCharacters - 1 {
			keep(newCharacter(t, s, full(account, name(i*store.MaxCharacters+n))))
		}
		switch c, err := s.CreateCharacter(t.Context(), full(account, "Mirella")); {
		case err == nil:
			keep(c)
			won.Add(1)
		case !errors.Is(err, store.ErrNameTaken):
			t.Errorf("the loser got %v, want %v", err, store.ErrNameTaken)
		}
		for n := range 3 {
			switch c, err := s.CreateCharacter(t.Context(), full(shared, "Shared"+string(rune('a'+i))+string(rune('a'+n)))); {
			case err == nil:
				keep(c)
				had.Add(1)
			case !errors.Is(err, store.ErrTooMany):
				t.Errorf("the loser got %v, want %v", err, store.ErrTooMany)
			}
		}
	})
	if n := won.Load(); n != 1 {
		t.Errorf("%d made the same character, want 1", n)
	}
	if n := had.Load(); n != store.MaxCharacters {
		t.Errorf("made %d characters of one account, want %d", n, store.MaxCharacters)
	}
	for _, s := range stores {
		expectCount(t, s, len(guids))
	}
	for _, s := range stores {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A patient store retries while another has the medium for longer than a call waits, as one on a slow disk may.
type patient struct{ store.Store }

// CreateAccount makes an account in as many tries as it takes.
func (p patient) CreateAccount(ctx context.Context, a store.Account) (store.Account, error) {
	return again(func() (store.Account, error) { return p.Store.CreateAccount(ctx, a) })
}

// CreateCharacter makes a character in as many tries as it takes.
func (p patient) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	return again(func() (store.Character, error) { return p.Store.CreateCharacter(ctx, c) })
}

// again retries until a store is not busy, a hundred times at most.
func again[T any](try func() (T, error)) (made T, err error) {
	for range 100 {
		if made, err = try(); !errors.Is(err, store.ErrBusy) {
			break
		}
	}
	return made, err
}

// testBreak makes the medium unavailable. Every call that needs it returns an error soon, and works again later.
func testBreak(t *testing.T, p Place) {
	s := open(t, p)
	defer s.Close()
	ada := newAccount(t, s, "ADA")
	made := newCharacter(t, s, full(ada, "Mirella"))
	mend := p.Break()
	var wg sync.WaitGroup
	for name, call := range changes(t.Context(), s, made) {
		wg.Go(func() {
			if err := call(); !errors.Is(err, store.ErrBusy) {
				t.Errorf("%s without the medium: %v, want %v", name, err, store.ErrBusy)
			}
		})
	}
	for name, call := range reads(t.Context(), s, made) {
		wg.Go(func() {
			if err := call(); err != nil && !errors.Is(err, store.ErrBusy) {
				t.Errorf("%s without the medium: %v, want %v or nothing", name, err, store.ErrBusy)
			}
		})
	}
	wg.Wait()
	mend()

	for name, call := range reads(t.Context(), s, made) {
		eventually(t, name, call)
	}
	expectList(t, s, ada, made)
	expectCount(t, s, 1)
	if _, err := s.Account(t.Context(), "NEW"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an account that was refused: %v, want %v", err, store.ErrNotFound)
	}
	calls := changes(t.Context(), s, made)
	for _, name := range []string{
		"CreateAccount", "SetSessionKey", "SaveRealm", "CreateCharacter", "SaveCharacter", "UpdateAccount",
		"SaveData", "LeaseItems", "DeleteCharacter",
	} {
		eventually(t, name, calls[name])
	}
}

// eventually repeats a call while the store is busy.
func eventually(t *testing.T, name string, call func() error) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; {
		err := call()
		if err == nil {
			return
		}
		if !errors.Is(err, store.ErrBusy) || time.Now().After(deadline) {
			t.Fatalf("%s when the medium is back: %v", name, err)
		}
	}
}
