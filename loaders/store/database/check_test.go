package database_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
	"muster/loaders/store/sqlite"
)

func raw(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// TestCheck makes problems with other tools that this package never makes.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx := t.Context()
	a, err := s.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.LeaseItems(ctx, 2); err != nil {
		t.Fatal(err)
	}
	var made []store.Character
	for i, name := range []string{"Mirella", "Brann"} {
		item := life.Item{GUID: store.ItemHigh | uint64(i+1), Entry: 1, Count: 1, Bag: life.InBody}
		c, err := s.CreateCharacter(ctx, store.Character{
			Account: a.ID, Name: name, Race: 1, Class: 1, Level: 1, Life: life.Life{Items: []life.Item{item}},
		})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, c)
	}
	check := func() (text string) {
		t.Helper()
		if err := s.Check(ctx, func(p store.Problem) { text += p.String() + "\n" }); err != nil {
			t.Error(err)
		}
		return text
	}
	if text := check(); text != "" {
		t.Fatalf("all is well, and it finds\n%s", text)
	}
	db := raw(t, dir)
	for _, c := range []struct{ spoil, mend, want string }{
		{"INSERT INTO item_instance VALUES (7, 1, 99, 1, 0, 255, 0, 0)", "DELETE FROM item_instance WHERE guid = 7",
			"character 99: it has item 0x7, and is not there"},
		{"INSERT INTO item_instance VALUES (7, 1, 1, 1, 0, 255, 1, 0)", "DELETE FROM item_instance WHERE guid = 7",
			"character 1: the GUID of item 0x7 was never given out"},
		{"INSERT INTO item_instance VALUES (0x4000000000000005, 1, 1, 1, 0, 255, 0, 0)", "DELETE FROM item_instance WHERE guid = 0x4000000000000005",
			"character 1: store: a life that cannot be: two items are one, or in one slot"},
		{"UPDATE item_instance SET slot = 0, bag = 3 WHERE owner_guid = 1", "UPDATE item_instance SET bag = 255",
			"character 1: item 0x4000000000000001 is in bag 3, which is not there"},
		{"UPDATE characters SET account = 99 WHERE guid = 1", "UPDATE characters SET account = 1 WHERE guid = 1",
			"account 99, character 1: its account is not there"},
		{"INSERT INTO character_spell VALUES (99, 78), (99, 79)", "DELETE FROM character_spell WHERE guid = 99",
			"character 99: it has 2 spells, and is not there"},
		{"INSERT INTO character_action VALUES (99, 0, 78, 0)", "DELETE FROM character_action WHERE guid = 99",
			"character 99: it has 1 actions, and is not there"},
		{"UPDATE characters SET auras = '[[1,2]]' WHERE guid = 2", "UPDATE characters SET auras = '[]'",
			"character 2: database: a life that is torn, or of a newer muster: a row of 2 numbers, want 11"},
		{"UPDATE characters SET auras = '[[256,1,0,0,0,0,0,0,0,0,0]]' WHERE guid = 2", "UPDATE characters SET auras = '[]'",
			"character 2: database: a life that is torn, or of a newer muster: a row with 256"},
		{"UPDATE characters SET cooldowns = '[[1,2,3]' WHERE guid = 2", "UPDATE characters SET cooldowns = '[]'",
			"character 2: database: a life that is torn"},
		{"INSERT INTO account_data VALUES (1, 99, 5, 0, x'00')", "DELETE FROM account_data",
			"account 1, character 99: it has data 5, and is not there"},
		{"UPDATE characters SET money = 4294967295 WHERE guid = 1", "UPDATE characters SET money = 0 WHERE guid = 1",
			"4294967295 copper"},
		{"UPDATE accounts SET level = 9", "UPDATE accounts SET level = 0", "account 1, character 0: level 9 and expansion 0"},
		{"UPDATE guids SET next = 1 WHERE kind = 'character'", "UPDATE guids SET next = 1001 WHERE kind = 'character'",
			"character 1: its GUID was never given out"},
		{"UPDATE characters SET life = x'0909' WHERE guid = 2", "", "character 2: database: a life that is torn"},
		{"UPDATE characters SET items_revision = -1 WHERE guid = 2", "", "character 2: database: a life that is torn"},
	} {
		exec(t, db, c.spoil)
		if text := check(); !strings.Contains(text, c.want) {
			t.Errorf("after %s it finds\n%s, want\n%s", c.spoil, text, c.want)
		}
		if c.mend != "" {
			exec(t, db, c.mend)
		} else {
			exec(t, db, "UPDATE characters SET items_revision = 0, life = x'' WHERE guid = 2")
		}
		if text := check(); text != "" {
			t.Fatalf("after %s and mending it finds\n%s", c.spoil, text)
		}
	}

	// One torn character keeps no other from being saved.
	exec(t, db, "UPDATE characters SET items_revision = -1 WHERE guid = 2")
	for i := range made {
		made[i].Version++
	}
	each, err := s.SaveCharacters(ctx, made)
	if err != nil || each[0] != nil || each[1] == nil || errors.Is(each[1], store.ErrStale) {
		t.Errorf("save both: %v, %v", each, err)
	}
}

// TestOlderSchema finds the data of the first migration.
func TestOlderSchema(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	db := raw(t, dir)
	for _, statement := range []string{
		"DROP VIEW character_inventory", "DROP VIEW character_aura", "DROP VIEW character_spell_cooldown", "DROP TABLE item_instance", "DROP TABLE item_gone",
		"DROP TABLE character_spell", "DROP TABLE character_action",
		"DROP INDEX characters_name", "ALTER TABLE characters DROP COLUMN realm", "CREATE UNIQUE INDEX characters_name ON characters (lower(name))",
		"ALTER TABLE characters DROP COLUMN auras", "ALTER TABLE characters DROP COLUMN cooldowns", "DROP TABLE account_data", "ALTER TABLE accounts DROP COLUMN ban_reason",
		"ALTER TABLE characters DROP COLUMN begun", "ALTER TABLE characters DROP COLUMN xp",
		"ALTER TABLE characters DROP COLUMN money", "ALTER TABLE characters DROP COLUMN health",
		"ALTER TABLE characters DROP COLUMN played", "ALTER TABLE characters DROP COLUMN level_played",
		"ALTER TABLE characters DROP COLUMN saved", "ALTER TABLE characters DROP COLUMN life",
		"ALTER TABLE characters DROP COLUMN items_revision", "DELETE FROM guids WHERE kind <> 'character'",
		"DELETE FROM goose_db_version WHERE version_id > 1",
		`INSERT INTO accounts (id, name, salt, verifier, level, expansion, locked, ban_end, failed_logins, last_address)
			VALUES (41, 'ADA', zeroblob(32), zeroblob(32), 1, 2, 0, 0, 0, '')`,
		`INSERT INTO characters VALUES (7, 41, 'Mirella', 1, 1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 1.5, 2, 3, 0, 6)`,
		"UPDATE guids SET next = 1001",
	} {
		exec(t, db, statement)
	}
	s := open(t, dir)
	want := store.Character{GUID: 7, Account: 41, Name: "Mirella", Race: 1, Class: 1, Level: 9, X: 1.5, Y: 2, Z: 3, Version: 6}
	if got, err := s.Characters(t.Context(), 41); err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("found %+v, %v, want %+v", got, err, want)
	}
	if a, err := s.CreateAccount(t.Context(), store.Account{Name: "BEA"}); a.ID != 42 || err != nil {
		t.Errorf("the next account has ID %d, %v", a.ID, err)
	}
	if first, err := s.LeaseItems(t.Context(), 1); first != store.FirstItem || err != nil {
		t.Errorf("the first item is %d, %v", first, err)
	}
	want.Version, want.Life = 7, life.Life{Begun: true, Spells: []uint32{5}}
	if err := s.SaveCharacter(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Character(t.Context(), 7); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("found %+v, %v, want %+v", got, err, want)
	}
}
