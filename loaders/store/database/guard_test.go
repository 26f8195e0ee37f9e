package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
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
		INSERT OR IGNORE INTO item_instance VALUES (%d, 1, %d, 1, 0, 255, 23, 0); END`, both[0].GUID, item, both[1].GUID))
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

// A save writes no row of an item, a spell or an action that has not changed, and one row of one that has, also when another
// process has written them.
func TestRowsOfSave(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx := t.Context()
	a, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	c := store.Character{Account: a.ID, Name: "Mirella", Race: 1, Class: 1}
	for slot := range uint8(5) {
		c.Spells = append(c.Spells, 300+uint32(slot))
		c.Actions = append(c.Actions, life.Action{Button: slot, Packed: 400})
		c.Items = append(c.Items, life.Item{GUID: 100 + uint64(slot), Entry: 1, Count: 1, Bag: life.InBody, Slot: slot})
	}
	if c, err = s.CreateCharacter(ctx, c); err != nil {
		t.Fatal(err)
	}
	db := raw(t, dir)
	exec(t, db, `CREATE TABLE touched (what TEXT)`)
	for _, change := range []struct{ kind, row string }{{"INSERT", "new"}, {"UPDATE", "new"}, {"DELETE", "old"}} {
		for table, key := range map[string]string{"item_instance": "guid", "character_spell": "spell", "character_action": "button"} {
			exec(t, db, fmt.Sprintf(`CREATE TRIGGER on_%[1]s_%[2]s AFTER %[1]s ON %[2]s BEGIN
				INSERT INTO touched VALUES ('%[1]s ' || %[3]s.%[4]s); END`, change.kind, table, change.row, key))
		}
	}
	for _, step := range []struct {
		what   string
		change func()
		want   string
	}{
		{"no row", func() { c.XP++ }, ""},
		{"auras and cooldowns", func() {
			c.Auras, c.Cooldowns = []life.Aura{{Spell: 1, LeftMs: 5}}, []life.Cooldown{{Spell: 1, LeftMs: 5}}
		}, ""},
		{"a spell is new, and one is lost", func() { c.Spells = []uint32{300, 301, 303, 304, 305} }, "DELETE 302,INSERT 305"},
		{"one action is another, one is gone, and one is new", func() {
			c.Actions = []life.Action{{Button: 0, Packed: 400}, {Button: 1, Packed: 401}, {Button: 2, Packed: 1<<24 | 400}, {Button: 4, Packed: 400}, {Button: 143, Packed: 7}}
		}, "DELETE 3,INSERT 143,UPDATE 1,UPDATE 2"},
		{"the count of one", func() { c.Items[2].Count = 9 }, "UPDATE 102"},
		{"the place of two", func() { c.Items[0].Slot, c.Items[1].Slot = 1, 0 }, "UPDATE 100,UPDATE 101"},
		{"another process", func() { s = open(t, dir) }, ""},
		{"one is new", func() {
			c.Items = append(c.Items, life.Item{GUID: 200, Entry: 1, Count: 1, Bag: life.InBody, Slot: 9})
		}, "INSERT 200"},
		{"one is lost", func() { c.Items = c.Items[1:] }, "DELETE 101"},
	} {
		step.change()
		c.Version++
		c.Items = slices.Clone(c.Items)
		store.SortItems(c.Items)
		if err := s.SaveCharacter(ctx, c); err != nil {
			t.Fatal(err)
		}
		var got sql.NullString
		err := db.QueryRow("SELECT group_concat(what, ',') FROM (SELECT what FROM touched ORDER BY what)").Scan(&got)
		if err != nil || got.String != step.want {
			t.Errorf("%s: it has touched %q, %v, want %q", step.what, got.String, err, step.want)
		}
		exec(t, db, "DELETE FROM touched")
		if found, err := s.Character(ctx, c.GUID); err != nil || !reflect.DeepEqual(found, c) {
			t.Errorf("%s: it is %+v, %v, want %+v", step.what, found, err, c)
		}
	}
}

// A batch that fails after it has written rows leaves none of them, and is saved as a whole later.
func TestFailedBatch(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx := t.Context()
	a, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	var both []store.Character
	for i, name := range []string{"Mirella", "Brann"} {
		c := store.Character{Account: a.ID, Name: name, Race: 1, Class: 1}
		c.Items = []life.Item{{GUID: uint64(100 + i), Entry: 1, Count: 1, Bag: life.InBody}}
		if c, err = s.CreateCharacter(ctx, c); err != nil {
			t.Fatal(err)
		}
		both = append(both, c)
	}
	before := slices.Clone(both)
	for i := range both {
		both[i] = both[i].Clone()
		both[i].Version++
	}
	both[0].Items[0].Count = 7
	both[1].Items = append(both[1].Items, life.Item{GUID: 200, Entry: 1, Count: 1, Bag: life.InBody, Slot: 1})
	db := raw(t, dir)
	exec(t, db, "CREATE TRIGGER failing BEFORE INSERT ON item_instance BEGIN SELECT RAISE(ABORT, 'full'); END")
	expect := func(want []store.Character) {
		t.Helper()
		for i := range want {
			found, err := s.Character(ctx, want[i].GUID)
			if err != nil || found.Version != want[i].Version || !slices.Equal(found.Items, want[i].Items) {
				t.Errorf("%s is of version %d with %+v, %v, want %d with %+v",
					found.Name, found.Version, found.Items, err, want[i].Version, want[i].Items)
			}
		}
	}
	if _, err := s.SaveCharacters(ctx, both); err == nil {
		t.Error("a batch is saved whose items are refused")
	}
	expect(before)
	exec(t, db, "DROP TRIGGER failing")
	if each, err := s.SaveCharacters(ctx, both); err != nil || each[0] != nil || each[1] != nil {
		t.Error(each, err)
	}
	expect(both)
}
