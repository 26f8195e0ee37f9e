package content

import (
	"reflect"
	"testing"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// lootRows have bodies and a chest with loot in the columns of AzerothCore and TrinityCore, and a row for each reason that one is not executed.
const lootRows = `
DROP TABLE conditions;
CREATE TABLE conditions (SourceTypeOrReferenceId int NOT NULL, SourceGroup int NOT NULL, SourceEntry int NOT NULL, SourceId int NOT NULL, ElseGroup int NOT NULL,
  ConditionTypeOrReference int NOT NULL, ConditionTarget int NOT NULL, ConditionValue1 int NOT NULL, ConditionValue2 int NOT NULL, ConditionValue3 int NOT NULL, NegativeCondition int NOT NULL,
  PRIMARY KEY (SourceTypeOrReferenceId, SourceGroup, SourceEntry, SourceId, ElseGroup, ConditionTypeOrReference));
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, unit_class, type, lootid) VALUES (700, 'Silt Crab', 5, 5, 14, 1, 1, 70), (701, 'Bare Crab', 5, 5, 14, 1, 1, 71);
INSERT INTO creature_template_model VALUES (700,0,1003,1,1), (701,0,1003,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,700,0,1), (2,701,0,1);
INSERT INTO item_template (entry, class, name, displayid, stackable) VALUES (31, 0, 'Claw', 901, 5), (32, 0, 'Shell', 902, 1), (33, 0, 'Pearl', 903, 1), (34, 0, 'Note', 904, 1);
INSERT INTO gameobject_template (entry, type, displayId, name, Data0, Data1, Data2, Data3) VALUES (501, 3, 259, 'Tin Box', 57, 50, 60, 1), (502, 3, 259, 'Bare Box', 57, 51, 60, 1);
INSERT INTO conditions VALUES (1,70,32,0,0, 15,0,1,0,0,0), (1,70,34,0,0, 8,0,77,0,0,0), (10,9,31,0,0, 27,0,5,3,0,0);
`

// What the rows become: loot of bodies, of chests and what both refer to.
func wantLoots(conditions bool) []defs.Loot {
	all := []defs.Loot{
		{ID: 1, Entries: []defs.LootEntry{
			{Item: 31, Chance: 80, Min: 1, Max: 4},
			{Item: 32, Group: 1, Chance: 25, Min: 1, Max: 1},
			{Item: 33, Group: 1, Min: 1, Max: 1, Quest: true},
			{Reference: 2, Only: 2, Chance: 12.5, Min: 3, Max: 3},
		}},
		{ID: 2, Entries: []defs.LootEntry{{Item: 31, Group: 2, Min: 1, Max: 1}, {Item: 32, Group: 2, Min: 1, Max: 1}}},
		{ID: 3, Entries: []defs.LootEntry{{Item: 33, Chance: 100, Min: 2, Max: 2}}},
	}
	if conditions {
		all[0].Entries[1].Conditions, all[1].Entries[0].Conditions = 1, 2
	}
	return all
}

func TestLoots(t *testing.T) {
	const columns = "(Entry int unsigned NOT NULL, Item int unsigned NOT NULL, Reference int NOT NULL, Chance float NOT NULL, QuestRequired tinyint NOT NULL, LootMode smallint unsigned NOT NULL, GroupId tinyint unsigned NOT NULL, MinCount tinyint unsigned NOT NULL, MaxCount tinyint unsigned NOT NULL, PRIMARY KEY (Entry, Item, Reference, GroupId));"
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/gameobjects.sql", "testdata/vendors.sql", dump(t, lootRows+
		"CREATE TABLE creature_loot_template "+columns+"CREATE TABLE gameobject_loot_template "+columns+"CREATE TABLE reference_loot_template "+columns+`
INSERT INTO creature_loot_template VALUES (70,31,0,80,0,1,0,1,4), (70,32,0,25,0,1,1,1,1), (70,33,0,0,1,1,1,1,1), (70,34,0,100,0,1,2,1,1), (70,9,-9,12.5,0,1,2,1,3),
(70,32,0,5,1,1,0,1,1), (70,31,0,5,0,2,3,1,1), (70,31,0,5,0,1,17,1,1), (70,31,8,0,0,1,3,1,1), (70,31,0,5,0,1,4,0,1), (70,99,0,5,0,1,5,1,1), (70,40,8,9,0,1,6,1,1), (72,31,0,5,0,1,0,1,1);
INSERT INTO gameobject_loot_template VALUES (50,33,0,100,0,1,0,2,1);
INSERT INTO reference_loot_template VALUES (9,31,0,0,0,1,2,1,1), (9,32,0,0,0,1,2,1,1), (11,31,0,5,0,1,0,1,1);
`)))
	if want := wantLoots(true); !reflect.DeepEqual(w.Loots, want) {
		t.Errorf("got  %+v\nwant %+v", w.Loots, want)
	}
	if w.Creature(700).LootID != 1 || w.Creature(701).LootID != 0 || w.GameObject(501).LootID != 3 || w.GameObject(502).LootID != 0 {
		t.Errorf("loot of bodies %d, %d and chests %d, %d", w.Creature(700).LootID, w.Creature(701).LootID, w.GameObject(501).LootID, w.GameObject(502).LootID)
	}
	conditions := []defs.Conditions{{{Kind: defs.ConditionClass, Value: [3]uint32{1}}}, {{Kind: defs.ConditionLevel, Value: [3]uint32{5, 3}}}}
	if !reflect.DeepEqual(w.Conditions, conditions) {
		t.Errorf("conditions %+v", w.Conditions)
	}
	const wantUse = `creature_loot_template 3
  not 1: it depends on a condition that is not executed
  not 1: it has no chance of its own, and no group to share one
  not 2: it is for players on a quest, and there are no quests
  not 1: its counts are not from 1 to 255
  not 1: its group is not from 0 to 16
  not 1: its item is not there
  not 1: its loot mode is not the normal one
  not 1: no body and no chest that is executed has it
  not 1: the table that it refers to is not there, or has nothing
gameobject_loot_template 1
reference_loot_template 2
  not 1: no body and no chest that is executed has it
`
	kept := make(map[string]*worlddb.TableUse)
	for _, kind := range []lootTable{creatureLoot, objectLoot, referenceLoot} {
		kept[kind.table] = w.Use[kind.table]
	}
	if got := use(&World{Use: kept}); got != wantUse {
		t.Errorf("got\n%s\nwant\n%s", got, wantUse)
	}
}

// Older databases and CMaNGOS have quests, chances, references and counts in columns that they share.
func TestPackedLoots(t *testing.T) {
	const columns = "(entry int unsigned NOT NULL, item int unsigned NOT NULL, ChanceOrQuestChance float NOT NULL, groupid tinyint unsigned NOT NULL, mincountOrRef int NOT NULL, maxcount tinyint unsigned NOT NULL, condition_id int NOT NULL DEFAULT 0, PRIMARY KEY (entry, item, groupid));"
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/gameobjects.sql", "testdata/vendors.sql", dump(t, lootRows+`DELETE FROM conditions;
CREATE TABLE creature_loot_template `+columns+"CREATE TABLE gameobject_loot_template "+columns+"CREATE TABLE reference_loot_template "+columns+`
INSERT INTO creature_loot_template VALUES (70,31,80,0,1,4,0), (70,32,25,1,1,1,0), (70,33,-5,1,1,1,0), (70,9,12.5,2,-9,3,0), (70,34,5,0,1,1,44);
INSERT INTO gameobject_loot_template VALUES (50,33,100,0,2,1,0);
INSERT INTO reference_loot_template VALUES (9,31,0,2,1,1,0), (9,32,0,2,1,1,0);
`)))
	want := wantLoots(false)
	want[0].Entries[2].Chance = 5
	if !reflect.DeepEqual(w.Loots, want) {
		t.Errorf("got  %+v\nwant %+v", w.Loots, want)
	}
	if u := w.Use["creature_loot_template"]; u.Executed != 3 || u.Not[noCondition] != 1 || u.Not[questLoot] != 1 {
		t.Errorf("%+v", u)
	}
}
