//go:build long

package main

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/components/life"
	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/journal"
)

// A sick store takes no saves, as one that is away.
type sick struct{ store.Store }

func (sick) SaveCharacters(context.Context, []store.Character) ([]error, error) {
	return nil, store.ErrBusy
}

// TestRestartWithFullJournal starts the program where 100,000 characters are stored, of which a server before it has left
// as many in its journal as that holds. It must be ready in three seconds, and find all of them.
func TestRestartWithFullJournal(t *testing.T) {
	const characters = 100_000
	k := keeps(t, pgtest.New(t))["sqlite"]
	k.t = t
	below, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	all := make([]store.Character, characters)
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() {
			for a := w; a < characters/10; a += 64 {
				account, err := below.CreateAccount(ctx, store.Account{Name: fmt.Sprint("FULL", a)})
				if err != nil {
					t.Error(err)
					return
				}
				for i := range 10 {
					n := a*10 + i
					name := []byte("Full")
					for rest := n; len(name) < 12; rest /= 20 {
						name = append(name, "bcdfghjklmnpqrstvwxz"[rest%20], 'a')
					}
					all[n], err = below.CreateCharacter(ctx, store.Character{
						Account: account.ID, Name: string(name), Race: 1, Class: 1, Level: 1, Life: life.Life{Begun: true},
					})
					if err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	j, _, err := journal.Open(ctx, sick{below}, journal.Config{
		Dir: k.journal, Drain: time.Nanosecond, MaxBytes: 128 << 20, // of which it fills half before it begins anew
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		c := &all[i]
		before := c.Version
		c.Version, c.X, c.MoneyCopper = before+1, float32(i), uint32(i)
		for n := range 60 {
			c.Spells = append(c.Spells, uint32(n+1))
		}
		j.Save([]store.Snapshot{{Character: *c, Since: before, Lists: life.All}}, nil)
	}
	eventually(t, "the journal is written", func() bool { return j.Stats().Bytes > 40<<20 })
	size := j.Stats()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	s := k.serve()
	t.Logf("%d characters and %d MiB of journal: ready after %v", characters, size.Bytes>>20, s.took)
	if s.took > 3*time.Second {
		t.Errorf("ready after %v, want 3 s", s.took)
	}
	s.stop(syscall.SIGTERM, 1)
	st := k.take()
	defer st.Close()
	for i := 0; i < characters; i += 997 {
		if c, err := st.Character(ctx, all[i].GUID); err != nil || c.Version != all[i].Version || c.MoneyCopper != uint32(i) {
			t.Fatalf("character %d is %+v, %v", i, c, err)
		}
	}
}
