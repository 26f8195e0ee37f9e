package database_test

import (
	"errors"
	"fmt"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
	"muster/loaders/store/database"
)

// An item that another transaction inserts after this one has looked for it is not saved twice: the save fails with
// ErrAgain and leaves nothing. SQLite has one writer, so here a trigger is that other transaction: it inserts the
// item for another character when the first row is written.
//
// Source: docs/adr/0011-a-character-is-a-row.md (an item is with one character).
func TestItemMadeMeanwhile(t *testing.T) {
	const item = 777
	dir := t.TempDir()
	s := open(t, dir)
	ctx := t.Context()
	var both [2]store.Character
	for i := range both {
		a, err := s.CreateAccount(ctx, store.Account{Name: fmt.Sprint("ACCOUNT", i)})
		if err != nil {
			t.Fatal(err)
		}
		both[i], err = s.CreateCharacter(ctx, store.Character{Account: a.ID, Name: [...]string{"Mirella", "Brann"}[i], Race: 1, Class: 1})
		if err != nil {
			t.Fatal(err)
		}
	}
	db := raw(t, dir)
	exec(t, db, fmt.Sprintf(`CREATE TRIGGER meanwhile AFTER UPDATE ON characters WHEN new.guid = %d BEGIN
		INSERT OR IGNORE INTO items (guid, owner) VALUES (%d, %d); END`, both[0].GUID, item, both[1].GUID))
	next := both[0].Clone()
	next.Version++
	next.Items = []life.Item{{GUID: item, Entry: 1, Count: 1, Bag: life.InBody, Slot: 23}}
	if err := s.SaveCharacter(ctx, next); !errors.Is(err, database.ErrAgain) {
		t.Errorf("saved with an item that is another's: %v, want %v", err, database.ErrAgain)
	}
	found, err := s.Character(ctx, both[0].GUID)
	if err != nil || found.Version != both[0].Version || len(found.Items) != 0 {
		t.Errorf("found version %d with %v, %v; want version %d with nothing", found.Version, found.Items, err, both[0].Version)
	}
	exec(t, db, "DROP TRIGGER meanwhile")
	if err := s.SaveCharacter(ctx, next); err != nil {
		t.Error(err)
	}
	if found, err := s.Character(ctx, both[0].GUID); err != nil || found.Version != next.Version || len(found.Items) != 1 {
		t.Errorf("found version %d with %v, %v", found.Version, found.Items, err)
	}
}
