package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"muster/loaders/store"
)

func testRaceForAccount(t *testing.T, s store.Store) {
	var made atomic.Int32
	together(8, func(i int) {
		a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA", Salt: [32]byte{byte(i + 1)}})
		switch {
		case err == nil:
			made.Add(1)
			if found, err := s.Account(t.Context(), "ADA"); err != nil || found != a {
				t.Errorf("found %+v, %v, want %+v", found, err, a)
			}
		case !errors.Is(err, store.ErrAccountExists):
			t.Errorf("the loser got %v, want %v", err, store.ErrAccountExists)
		}
	})
	if n := made.Load(); n != 1 {
		t.Errorf("%d of 8 made the same account, want 1", n)
	}
}

func testRaceForName(t *testing.T, s store.Store) {
	var accounts [8]uint32
	for i := range accounts {
		accounts[i] = newAccount(t, s, fmt.Sprint("RACER", i))
	}
	var made atomic.Int32
	together(len(accounts), func(i int) {
		switch _, err := s.CreateCharacter(t.Context(), full(accounts[i], "Mirella")); {
		case err == nil:
			made.Add(1)
		case !errors.Is(err, store.ErrNameTaken):
			t.Errorf("the loser got %v, want %v", err, store.ErrNameTaken)
		}
	})
	if n := made.Load(); n != 1 {
		t.Errorf("%d of %d made the same character, want 1", n, len(accounts))
	}
	expectCount(t, s, 1)
}

func testRaceForRoom(t *testing.T, s store.Store) {
	ada := newAccount(t, s, "ADA")
	var made atomic.Int32
	together(store.MaxCharacters+6, func(i int) {
		switch _, err := s.CreateCharacter(t.Context(), full(ada, name(i))); {
		case err == nil:
			made.Add(1)
		case !errors.Is(err, store.ErrTooMany):
			t.Errorf("the loser got %v, want %v", err, store.ErrTooMany)
		}
	})
	if n := made.Load(); n != store.MaxCharacters {
		t.Errorf("made %d characters of one account, want %d", n, store.MaxCharacters)
	}
	expectCount(t, s, store.MaxCharacters)
}

func testRaceOfSaves(t *testing.T, s store.Store) {
	made := newCharacter(t, s, full(newAccount(t, s, "ADA"), "Mirella"))
	together(8, func(i int) {
		for version := uint64(2); version <= 20; version++ {
			c := made
			c.Version, c.Zone, c.X = version, uint32(version), float32(version)
			if err := s.SaveCharacter(t.Context(), c); err != nil && !errors.Is(err, store.ErrStale) {
				t.Errorf("save version %d: %v", version, err)
			}
		}
	})
	want := made
	want.Version, want.Zone, want.X = 20, 20, 20
	if found, err := s.Character(t.Context(), made.GUID); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}
}

// testCrowd uses many accounts at once, each as if it were alone.
func testCrowd(t *testing.T, s store.Store) {
	const crowd = 16
	var left [crowd][]store.Character
	together(crowd, func(i int) {
		ctx := t.Context()
		account := newAccount(t, s, fmt.Sprint("CROWD", i))
		for round := range 10 {
			key := [40]byte{byte(i), byte(round)}
			if err := s.SetSessionKey(ctx, account, key); err != nil {
				t.Error(err)
			}
			if got, ok, err := s.SessionKey(ctx, account); !ok || err != nil || got != key {
				t.Errorf("the key is % x, %v, %v, want % x", got, ok, err, key)
			}
			c := newCharacter(t, s, full(account, name(i*10+round)))
			c.Version, c.Level = 2, uint8(round)
			if err := s.SaveCharacter(ctx, c); err != nil {
				t.Error(err)
			}
			left[i] = append(left[i], c)
			if round%2 == 0 {
				continue
			}
			if err := s.DeleteCharacter(ctx, account, left[i][0].GUID); err != nil {
				t.Error(err)
			}
			left[i] = left[i][1:]
			expectList(t, s, account, left[i]...)
		}
	})
	guids := make(map[uint64]bool)
	for i := range left {
		for _, c := range left[i] {
			guids[c.GUID] = true
		}
	}
	if len(guids) != crowd*5 {
		t.Errorf("%d characters have %d GUIDs", crowd*5, len(guids))
	}
	expectCount(t, s, crowd*5)
}

// together runs n calls at once and waits for all.
func together(n int, call func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			call(i)
		})
	}
	close(start)
	wg.Wait()
}
