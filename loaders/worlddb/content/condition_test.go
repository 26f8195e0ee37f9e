package content

import (
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
)

// Conditions that refer to others have them in their places, each group with each; sides are masks of races, and masks of spawns and phases are decided at
// once. What refers to itself, to nothing, or by its opposite is refused.
func TestConditionReferences(t *testing.T) {
	const rows = `
CREATE TABLE creature_loot_template (Entry int NOT NULL, Item int NOT NULL, Chance float NOT NULL, PRIMARY KEY (Entry, Item));
INSERT INTO creature_loot_template VALUES (70,31,100), (70,32,100), (70,33,100), (70,34,100), (70,35,100), (70,36,100), (70,37,100);
INSERT INTO item_template (entry, name) VALUES (35, 'Scale'), (36, 'Fin'), (37, 'Eye');
DELETE FROM conditions;
INSERT INTO conditions VALUES (1,70,31,0,0, 6,0,469,0,0,0), (1,70,31,0,0, -5,0,0,0,0,0), (1,70,31,0,3, 6,0,67,0,0,1),
(-5,0,0,0,0, 15,0,1,0,0,0), (-5,0,0,0,0, 20,0,0,0,0,0), (-5,0,0,0,1, -6,0,0,0,0,0), (-6,0,0,0,0, 27,0,10,3,0,0),
(1,70,32,0,0, 19,0,1,0,0,0), (1,70,32,0,0, 26,0,2,0,0,0), (1,70,32,0,1, 19,0,2,0,0,1),
(1,70,33,0,0, -7,0,0,0,0,0), (-7,0,0,0,0, -7,0,0,0,0,0), (1,70,34,0,0, -5,0,0,0,0,1), (1,70,35,0,0, -9,0,0,0,0,0), (1,70,36,0,0, 6,0,5,0,0,0);
`
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/gameobjects.sql", "testdata/vendors.sql", dump(t, strings.ReplaceAll(lootRows, "ElseGroup, ConditionTypeOrReference));", "ElseGroup, ConditionTypeOrReference, ConditionValue1));")+rows)))
	const alliance, horde = 1 | 4 | 8 | 64 | 1024, 2 | 16 | 32 | 128 | 512
	race := func(group uint32, not bool, mask uint32) defs.Condition {
		return defs.Condition{Group: group, Kind: defs.ConditionRace, Not: not, Value: [3]uint32{mask}}
	}
	want := []defs.Conditions{
		{
			{Kind: defs.ConditionClass, Value: [3]uint32{1}}, {Kind: defs.ConditionGender}, race(0, false, alliance),
			{Group: 1, Kind: defs.ConditionLevel, Value: [3]uint32{10, 3}}, race(1, false, alliance),
			race(2, true, horde),
		},
		{{Kind: defs.ConditionAlways}, {Kind: defs.ConditionAlways, Not: true}, {Group: 1, Kind: defs.ConditionAlways}},
	}
	if !reflect.DeepEqual(w.Conditions, want) {
		t.Errorf("got  %+v\nwant %+v", w.Conditions, want)
	}
	if u := w.Use["creature_loot_template"]; u.Executed != 3 || u.Not[noCondition] != 4 {
		t.Errorf("%+v", u)
	}
	if u := w.Use["conditions"]; u.Executed != 10 || u.Not["what depends on it is not executed"] != 5 {
		t.Errorf("%+v", u)
	}
}

// Creatures have the resistances of their templates, in a table of their own or in columns.
func TestResistances(t *testing.T) {
	for name, sql := range map[string]string{
		"a table": `CREATE TABLE creature_template_resistance (CreatureID int NOT NULL, School int NOT NULL, Resistance int NOT NULL, PRIMARY KEY (CreatureID, School));
INSERT INTO creature_template_resistance VALUES (700,2,150), (700,4,-20), (700,7,1), (799,2,1);`,
		"columns": `ALTER TABLE creature_template ADD COLUMN resistance2 int NOT NULL DEFAULT '0', ADD COLUMN resistance4 int NOT NULL DEFAULT '0';
UPDATE creature_template SET resistance2 = 150, resistance4 = -20 WHERE entry = 700;`,
		"columns of CMaNGOS": `ALTER TABLE creature_template ADD COLUMN ResistanceFire int NOT NULL DEFAULT '0', ADD COLUMN ResistanceFrost int NOT NULL DEFAULT '0';
UPDATE creature_template SET ResistanceFire = 150, ResistanceFrost = -20 WHERE entry = 700;`,
	} {
		w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/gameobjects.sql", "testdata/vendors.sql", dump(t, lootRows+sql)))
		if got := w.Creature(700).Resistances; got != [7]int32{2: 150, 4: -20} || w.Creature(701).Resistances != [7]int32{} {
			t.Errorf("%s: %v", name, got)
		}
		if u := w.Use["creature_template_resistance"]; u != nil && (u.Executed != 2 || len(u.Not) != 2) {
			t.Errorf("%+v", u)
		}
	}
}
