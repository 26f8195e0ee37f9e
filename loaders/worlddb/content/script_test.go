package content

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components/defs"
)

const scriptedRows = `
INSERT INTO creature_template (entry, name, AIName) VALUES (300, 'Reed Heron', 'SmartAI'), (301, 'Otter', ''), (302, 'Newt', 'SmartAI');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1),(301,0,1002,1,1),(302,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1),(2,302,0,2),(3,300,571,3);
INSERT INTO smart_scripts (entryorguid, source_type, id, link, event_type, event_phase_mask, event_chance, event_flags, event_param1, event_param2, event_param3, event_param4,
  event_param5, event_param6, action_type, action_param1, action_param2, target_type, target_param1, target_x, comment) VALUES
(300,0,0,0, 0,2,50,512, 1000,2000,3000,4000,0,0, 11,7,2, 2,0, 0,'Heron - In Combat - Cast'),
(300,0,1,2, 4,0,100,0, 0,0,0,0,0,0, 1,3,0, 1,0, 0,'Heron - On Aggro - Say'),
(300,0,2,3, 61,0,100,0, 0,0,0,0,0,0, 22,1,0, 1,0, 0,'Heron - On Link - Phase'),
(300,0,3,0, 61,0,100,0, 0,0,0,0,0,0, 45,1,2, 10,3, 0,'Heron - On Link - Set Data'),
(300,0,4,0, 9,0,100,0, 100,200,0,0,5,30, 5,16,0, 8,0, 7.5,'Heron - Range - Emote'),
(300,0,5,6, 19,0,100,0, 0,0,0,0,0,0, 1,0,0, 1,0, 0,'Heron - Quest'),
(300,0,6,0, 61,0,100,0, 0,0,0,0,0,0, 1,0,0, 1,0, 0,'Heron - Link of a refused row'),
(300,0,7,0, 6,0,100,0, 0,0,0,0,0,0, 11,999,0, 1,0, 0,'Heron - Unknown spell'),
(300,0,8,0, 6,0,100,4, 0,0,0,0,0,0, 1,0,0, 1,0, 0,'Heron - Heroic'),
(300,0,9,0, 6,0,100,128, 0,0,0,0,0,0, 1,0,0, 1,0, 0,'Heron - Debug'),
(300,0,10,0, 6,0,100,0, 0,0,0,0,0,0, 80,30000,0, 1,0, 0,'Heron - List'),
(300,0,11,0, 6,0,100,0, 0,0,0,0,0,0, 80,30001,0, 1,0, 0,'Heron - No list'),
(300,0,12,0, 6,0,100,0, 0,0,0,0,0,0, 2,11,0, 1,0, 0,'Heron - Under a condition'),
(300,0,13,0, 6,0,100,0, 0,0,0,0,0,0, 1,0,0, 22,0, 0,'Heron - Vehicle'),
(300,0,14,0, 6,0,100,0, 0,0,0,0,0,0, 6,0,0, 1,0, 0,'Heron - Fail quest'),
(301,0,0,0, 6,0,100,0, 0,0,0,0,0,0, 1,0,0, 1,0, 0,'Otter - without SmartAI'),
(-2,0,0,0, 25,0,100,0, 0,0,0,0,0,0, 2,11,0, 1,0, 0,'Newt of a spawn point'),
(-9,0,0,0, 25,0,100,0, 0,0,0,0,0,0, 2,11,0, 1,0, 0,'Nobody'),
(500,1,0,0, 70,0,100,0, 2,0,0,0,0,0, 45,0,1, 1,0, 0,'A game object'),
(30000,9,0,0, 0,0,100,0, 500,600,0,0,0,0, 41,0,0, 1,0, 0,'List - Despawn'),
(30000,9,1,0, 1,0,100,0, 500,600,0,0,0,0, 41,0,0, 1,0, 0,'List - another event'),
(300,0,15,0, 6,0,100,0, 0,0,0,0,0,0, 80,30002,0, 1,0, 0,'Heron - List without a row that is executed'),
(30002,9,0,0, 0,0,100,0, 0,0,0,0,0,0, 6,0,0, 1,0, 0,'List - Fail quest');
INSERT INTO conditions VALUES (22,13,300,31), (15,1,2,3);
INSERT INTO creature_text (CreatureID, GroupID, ID, Text, Type, Probability, Emote, Sound, BroadcastTextId) VALUES
(300,3,1,'Second',14,25,0,0,0), (300,3,0,'First',12,75,5,8,0), (300,1,0,'Hidden',16,0,0,0,6), (300,2,0,'',12,0,0,0,0), (300,4,0,'Odd',13,0,0,0,0), (999,0,0,'None',12,0,0,0,0);
INSERT INTO broadcast_text VALUES (6,'%s croaks.',''), (7,'Unsaid','');
`

// Rows of SmartAI become scripts of templates and of spawn points. A row of which anything is not executed is refused as a whole, with a reason.
func TestScripts(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, scriptedRows)))
	heron, newt := w.Creature(300), &w.Map(0).Spawns[1]
	if heron.Script == 0 || w.Creature(301).Script != 0 || w.Creature(302).Script != 0 || newt.Script == 0 || w.Map(0).Spawns[0].Script != 0 {
		t.Fatalf("scripts of templates %d, %d, %d, of a spawn point %d", heron.Script, w.Creature(301).Script, w.Creature(302).Script, newt.Script)
	}
	want := []defs.ScriptRow{
		{ID: 0, Event: 0, Phases: 2, Chance: 50, Flags: 0x200, When: [6]uint32{1000, 2000, 3000, 4000}, Action: 11, Do: [6]uint32{7, 2}, Target: 2},
		{ID: 1, Next: 3, Event: 4, Chance: 100, Action: 1, Do: [6]uint32{3}, Target: 1},
		{ID: 2, Next: 4, Event: 61, Chance: 100, Action: 22, Do: [6]uint32{1}, Target: 1},
		{ID: 3, Event: 61, Chance: 100, Action: 45, Do: [6]uint32{1, 2}, Target: 10, Of: [4]uint32{1, 571}},
		{ID: 4, Event: 9, Chance: 100, Flags: defs.ScriptOnce, When: [6]uint32{5, 30, 0, 0, 100, 200}, Action: 5, Do: [6]uint32{16}, Target: 8, At: [4]float32{7.5}},
		{ID: 10, Event: 6, Chance: 100, Action: 80, Do: [6]uint32{30000}, Target: 1},
	}
	if got := w.World.Scripts[heron.Script-1].Rows; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := w.World.Scripts[newt.Script-1].Rows; len(got) != 1 || got[0].Action != defs.ScriptSetFaction || got[0].Do[0] != defs.FactionFriendly {
		t.Errorf("%+v", got)
	}
	if i, ok := w.ScriptList(30000); !ok || len(w.ScriptLists[i].Rows) != 1 || w.ScriptLists[i].Rows[0].When != [6]uint32{500, 600} {
		t.Errorf("%+v", w.ScriptLists)
	}
	var refused strings.Builder
	for _, r := range w.Scripts.Refused {
		fmt.Fprintf(&refused, "%d %d %d: %s\n", r.Of, r.Source, r.ID, r.Why)
	}
	const wantRefused = `-9 0 0: the creature is not executed
300 0 5: events of this kind are not executed
300 0 6: no row that is executed links to it
300 0 7: its spell is not there: spells are those of muster
300 0 8: it is of another difficulty than the normal one
300 0 9: it happens in debug builds only
300 0 11: its timed action list is not there
300 0 12: it depends on a condition that is not executed
300 0 13: targets of this kind are not executed
300 0 14: actions of this kind are not executed
300 0 15: no row of its timed action list is executed
301 0 0: the AIName of its template is not SmartAI
500 1 0: its template is not there, or is not executed
30000 9 1: rows of timed action lists have event 0
30002 9 0: actions of this kind are not executed
`
	if refused.String() != wantRefused {
		t.Errorf("%s", refused.String())
	}
	if u := w.Scripts; u.Loaded != 23 || u.Executed != 8 || u.Kinds["event"][61] != (ByKind{3, 2}) || u.Kinds["action"][1] != (ByKind{7, 1}) || u.Kinds["target"][10] != (ByKind{1, 1}) {
		t.Errorf("%d of %d, %v", u.Executed, u.Loaded, u.Kinds)
	}
	texts := defs.Texts{
		{Entry: 300, Group: 1, Lines: []defs.TextLine{{Text: "%s croaks.", Type: 16}}},
		{Entry: 300, Group: 3, Lines: []defs.TextLine{{Text: "First", Type: 12, Chance: 75, Emote: 5, Sound: 8}, {Text: "Second", Type: 14, Chance: 25}}},
	}
	if !reflect.DeepEqual(w.Texts, texts) {
		t.Errorf("%+v", w.Texts)
	}
	if w.Texts.Of(300, 3) == nil || w.Texts.Of(300, 2) != nil || w.Texts.Of(301, 3) != nil {
		t.Error("groups are not found")
	}
	for _, want := range []string{
		"smart_scripts 8\n", "\n  not 1: its spell is not there",
		"creature_text 3\n  in part 1: its sound is not played\n  not 1: it is empty\n  not 1: its template is not there, or is not executed\n  not 1: texts of this type are not executed\n",
		"broadcast_text 1\n  not 1: no menu and no creature that is executed says it\n",
	} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
}

// What a faction does that a script sets follows from its row, as that of a template, and without one from the default table.
func TestScriptFactions(t *testing.T) {
	const rows = `
INSERT INTO creature_template (entry, name, AIName) VALUES (300, 'Reed Heron', 'SmartAI');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1);
INSERT INTO smart_scripts (entryorguid, source_type, id, link, event_type, event_param1, action_type, action_param1, target_type, comment) VALUES
(300,0,0,0, 6,0, 2,84, 1,''), (300,0,1,0, 6,0, 2,11, 1,''), (300,0,2,0, 6,0, 2,7, 1,''), (300,0,3,0, 6,0, 2,0, 1,''),
(300,0,4,0, 64,1, 2,35, 1,''), (300,0,5,0, 64,2, 2,35, 1,''), (300,0,6,0, 62,7, 2,35, 1,'');`
	const factions = `
CREATE TABLE factiontemplate_dbc (ID int, Faction int, Flags int, FactionGroup int, FriendGroup int, EnemyGroup int, PRIMARY KEY (ID));
INSERT INTO factiontemplate_dbc VALUES (84,1,0,2,2,4), (11,1,0,8,0,1);`
	const hostile, friendly = defs.FactionHostile, defs.FactionFriendly
	for sql, want := range map[string][]uint32{
		rows:            {hostile, friendly, hostile, 0, friendly, friendly},
		rows + factions: {friendly, hostile, hostile, 0, friendly, friendly},
	} {
		w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, sql)))
		var got []uint32
		for _, r := range w.World.Scripts[w.Creature(300).Script-1].Rows {
			got = append(got, r.Do[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("factions %v, want %v", got, want)
		}
		if r := w.Scripts.Refused; len(r) != 1 || r[0].ID != 5 {
			t.Errorf("refused: %+v", r)
		}
	}
}

// Rows that have creatures go somewhere name paths of waypoints and of waypoint_data; those whose path is not there are refused.
func TestScriptMoves(t *testing.T) {
	const rows = `
CREATE TABLE waypoints (entry int, pointid int, position_x float, position_y float, position_z float, PRIMARY KEY (entry, pointid));
INSERT INTO waypoints VALUES (70,1,1,2,3), (70,2,4,5,6), (71,1,1,2,3), (72,2,1,2,3), (70,4,9,9,9);
INSERT INTO waypoint_data (id, point, position_x, position_y, position_z, delay) VALUES (80,1,1,1,1,500), (80,2,2,2,2,0), (81,1,3,3,3,0);
INSERT INTO creature_template (entry, name, AIName) VALUES (300, 'Reed Heron', 'SmartAI');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1);
INSERT INTO smart_scripts (entryorguid, source_type, id, event_type, event_param1, event_param2, action_type, action_param1, action_param2, action_param3, action_param4, action_param5, action_param6, target_type, target_x, comment) VALUES
(300,0,0, 6,0,0, 53,%d,70,1,0,9,1, 7,0,''), (300,0,1, 6,0,0, 53,0,71,0,8,0,0, 7,0,''), (300,0,2, 6,0,0, 53,0,72,0,0,0,0, 7,0,''),
(300,0,3, 40,2,70, 54,500,0,0,0,0,0, 1,0,''), (300,0,4, 58,0,70, 55,1,0,1,0,0,0, 1,0,''), (300,0,5, 57,0,70, 55,1,7,1,0,0,0, 1,0,''),
(300,0,6, 34,8,3, 69,4,0,0,0,0,0, 8,7.5,''), (300,0,7, 34,2,3, 69,4,0,0,0,0,0, 8,7.5,''), (300,0,8, 6,0,0, 69,4,1,0,0,0,0, 8,7.5,''),
(300,0,9, 109,0,80, 232,80,1,0,0,0,0, 1,0,''), (300,0,10, 108,1,0, 232,80,0,1,0,0,0, 1,0,''), (300,0,11, 6,0,0, 65,0,0,0,0,0,0, 1,0,''), (300,0,12, 6,0,0, 59,1,0,0,0,0,0, 1,0,'');`
	for forced, runs := range map[int]uint32{1: 1, 0: 0, 2: 1} { // with 2 in the table 1 is to walk, 2 to run
		w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, fmt.Sprintf(rows, forced))))
		var got []string
		for _, r := range w.World.Scripts[w.Creature(300).Script-1].Rows {
			got = append(got, fmt.Sprint(r.ID, r.Event, r.Action, r.Do))
		}
		want := []string{
			fmt.Sprintf("0 6 53 [%d 1 1 0 9 1]", runs), "3 40 54 [500 0 0 0 0 0]", "4 58 55 [1 0 1 0 0 0]", "6 34 69 [4 0 0 0 0 0]", "9 109 232 [2 1 0 0 0 0]",
			"11 6 65 [0 0 0 0 0 0]", "12 6 59 [1 0 0 0 0 0]",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if want := []defs.ScriptPath{
			{ID: 70, Nodes: []defs.Node{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}}}, {ID: 80, Patrols: true, Nodes: []defs.Node{{X: 1, Y: 1, Z: 1, PauseMs: 500}, {X: 2, Y: 2, Z: 2}}},
		}; !reflect.DeepEqual(w.ScriptPaths, want) {
			t.Errorf("%+v", w.ScriptPaths)
		}
		var refused []string
		for _, r := range w.Scripts.Refused {
			refused = append(refused, fmt.Sprintf("%d: %s", r.ID, r.Why))
		}
		if want := []string{
			"1: it belongs to a quest, and quests are not executed", "2: its path is not there", "5: it belongs to a quest, and quests are not executed",
			"7: it is for a movement of another kind than to a point", "8: it moves on a transport, in combat, or into reach", "10: its path is not there",
		}; !slices.Equal(refused, want) {
			t.Errorf("%q", refused)
		}
		for _, want := range []string{
			"waypoints 2\n  not 2: its number does not follow that of another node\n  not 1: no creature that is executed walks there\n",
			"waypoint_data 2\n  not 1: no creature that is executed walks there\n",
		} {
			if got := use(w); !strings.Contains(got, want) {
				t.Errorf("%s\nlacks %q", got, want)
			}
		}
	}
}
