package content

import (
	"reflect"
	"testing"

	"muster/components/defs"
)

// Characters begin with spells and buttons of their race and class, in the tables of AzerothCore and of older databases; a button for what is not there is not
// one.
func TestStartSpellsAndActions(t *testing.T) {
	const actions = `
INSERT INTO item_template (entry, name) VALUES (25, 'Reed Knife');
CREATE TABLE playercreateinfo_action (race int NOT NULL, class int NOT NULL, button int NOT NULL, action int NOT NULL, type int NOT NULL, PRIMARY KEY (race, class, button));
INSERT INTO playercreateinfo_action VALUES (1,2,0,7,0), (1,2,11,25,128), (1,2,1,99,0), (1,2,2,99,128), (1,2,3,5,64), (1,2,144,7,0), (0,2,4,7,0);
`
	for table, sql := range map[string]string{
		"playercreateinfo_spell_custom": "CREATE TABLE playercreateinfo_spell_custom (racemask int unsigned NOT NULL, classmask bigint unsigned NOT NULL, Spell int NOT NULL, Note text, PRIMARY KEY (racemask, classmask, Spell));" +
			"INSERT INTO playercreateinfo_spell_custom VALUES (0,0,7,''), (1,2,7,''), (1,2,99,''), (1,4294967296,7,'');",
		"playercreateinfo_spell": "CREATE TABLE playercreateinfo_spell (race int NOT NULL, class int NOT NULL, Spell int NOT NULL, Note text, PRIMARY KEY (race, class, Spell));" +
			"INSERT INTO playercreateinfo_spell VALUES (0,0,7,''), (1,2,7,''), (1,2,99,''), (-1,2,7,'');",
	} {
		w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", dump(t, placeRows+actions+sql)))
		want := []defs.StartSpell{{Spell: 7}, {Races: 1, Classes: 2, Spell: 7}}
		if !reflect.DeepEqual(w.StartSpells, want) {
			t.Errorf("%s: %+v", table, w.StartSpells)
		}
		buttons := []defs.StartAction{{Race: 1, Class: 2, Button: 0, Packed: 7}, {Race: 1, Class: 2, Button: 11, Packed: 25 | 0x80<<24}}
		if !reflect.DeepEqual(w.StartActions, buttons) {
			t.Errorf("%s: %+v", table, w.StartActions)
		}
		for _, of := range []struct {
			race, class uint8
			want        int
		}{{1, 2, 2}, {1, 1, 1}, {2, 2, 1}} {
			if got := w.StartSpellsOf(nil, of.race, of.class); len(got) != of.want {
				t.Errorf("%s: %+v: %v", table, of, got)
			}
		}
		wantUse := table + ` 2
  not 1: its spell is not there: spells are those of muster
  not 1: there is no race or class of that number
`
		if got := usedOf(w, table); got != wantUse {
			t.Errorf("%s", got)
		}
		const wantActions = `playercreateinfo_action 2
  not 1: it is a macro or an equipment, which are of a client
  not 1: its item is not there
  not 1: its spell is not there: spells are those of muster
  not 1: there is no race or class of that number
  not 1: there is no such button, or no such action
`
		if got := usedOf(w, "playercreateinfo_action"); got != wantActions {
			t.Errorf("%s", got)
		}
	}
}
