package journal

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// A below is a store that outlives journals, and can be unavailable.
type below struct {
	*store.Memory
	away  atomic.Bool
	saves atomic.Int64
}

func newBelow() *below { return &below{Memory: store.NewMemory(store.MemoryConfig{})} }

func (b *below) Close() error { return nil }

func (b *below) SaveCharacters(ctx context.Context, list []store.Character) ([]error, error) {
	if b.away.Load() {
		return nil, store.ErrBusy
	}
	b.saves.Add(int64(len(list)))
	return b.Memory.SaveCharacters(ctx, list)
}

func (b *below) Character(ctx context.Context, guid uint64) (store.Character, error) {
	if b.away.Load() {
		return store.Character{}, store.ErrBusy
	}
	return b.Memory.Character(ctx, guid)
}

// characters creates characters, each of an account of its own, named in letters.
func (b *below) characters(t testing.TB, n int) []store.Character {
	t.Helper()
	list := make([]store.Character, n)
	for i := range list {
		a, err := b.CreateAccount(t.Context(), store.Account{Name: fmt.Sprint("ACCOUNT", i)})
		if err != nil {
			t.Fatal(err)
		}
		name := []byte("Aaaaa")
		for k, rest := 1, i; rest > 0; k, rest = k+1, rest/26 {
			name[k] = byte('a' + rest%26)
		}
		list[i], err = b.CreateCharacter(t.Context(), store.Character{Account: a.ID, Name: string(name), Race: 1, Class: 1, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func open(t testing.TB, b *below, d *disk, change func(*Config)) (*Journal, Report) {
	t.Helper()
	c := Config{FS: d}
	if change != nil {
		change(&c)
	}
	j, r, err := Open(t.Context(), b, c)
	if err != nil {
		t.Fatal(err)
	}
	return j, r
}

// step returns a character some moments later, with a snapshot of what is new.
func step(c *store.Character, lists life.Set) store.Snapshot {
	since := c.Version
	c.Version++
	c.X = float32(c.Version)
	c.XP++
	if lists&life.Spells != 0 {
		c.Spells = append([]uint32(nil), append(c.Spells, uint32(c.Version))...)
	}
	return store.Snapshot{Character: *c, Since: since, Lists: lists}
}

// expect checks a character.
func expect(t testing.TB, s store.Store, want store.Character) {
	t.Helper()
	got, err := s.Character(t.Context(), want.GUID)
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want.Clone()) {
		t.Errorf("found %+v, %v\n want %+v", got, err, want)
	}
}
