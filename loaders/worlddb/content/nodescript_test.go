package content

import (
	"reflect"
	"testing"

	"muster/components/defs"
)

// What happens at nodes of paths is what actions of SmartAI do to the creature that walks there, each after its delay. Commands that need a player, and
// rows that no node names, are not executed.
//
// Source: ScriptCommands, ObjectMgr.h, and Map::ScriptsProcess, AzerothCore.
func TestNodeScripts(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, `
INSERT INTO creature_template (entry, name) VALUES (300, 'Reed Heron');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x, MovementType) VALUES (91,300,0,1,2);
INSERT INTO creature_addon (guid, path_id) VALUES (91, 910);
ALTER TABLE waypoint_data ADD COLUMN action_chance smallint NOT NULL DEFAULT 100;
INSERT INTO waypoint_data (id, point, position_x, position_y, position_z, action, action_chance) VALUES (910,1,1,0,0,5,100), (910,2,9,0,0,6,40), (910,3,9,9,0,7,100), (910,4,1,9,0,5,0), (911,1,0,0,0,8,100);
CREATE TABLE broadcast_text (ID int NOT NULL, MaleText text, FemaleText text, LanguageID int NOT NULL DEFAULT 0, PRIMARY KEY (ID));
INSERT INTO broadcast_text VALUES (40,'Low water.','',7), (41,'','High water.',0);
CREATE TABLE waypoint_scripts (id int unsigned NOT NULL, delay int NOT NULL DEFAULT 0, command int NOT NULL, datalong int unsigned NOT NULL DEFAULT 0, datalong2 int unsigned NOT NULL DEFAULT 0,
  dataint int NOT NULL DEFAULT 0, x float NOT NULL DEFAULT 0, y float NOT NULL DEFAULT 0, z float NOT NULL DEFAULT 0, o float NOT NULL DEFAULT 0, guid int NOT NULL, PRIMARY KEY (guid));
INSERT INTO waypoint_scripts VALUES
(5,3,1,16,0,0,0,0,0,0,1), (5,0,0,1,0,40,0,0,0,0,2), (5,0,30,0,0,0,0,0,0,1.5,3), (5,1,0,0,0,41,0,0,0,0,4), (6,0,1,10,1,0,0,0,0,0,5), (6,0,3,0,900,0,4,5,6,0,6), (6,0,3,0,0,0,4,5,6,0,33), (6,0,0,0,1,40,0,0,0,0,34), (6,0,16,33,4,0,0,0,0,0,35),
(6,0,4,59,256,0,0,0,0,0,7), (6,0,5,60,4,0,0,0,0,0,8), (6,0,4,82,1,0,0,0,0,0,9), (6,0,5,82,1,0,0,0,0,0,10), (6,0,10,300,5000,0,7,8,9,0,11), (6,0,14,7,1,0,0,0,0,0,12),
(6,0,15,7,1,1,0,0,0,0,13), (6,0,16,33,2,0,0,0,0,0,14), (6,0,32,88,0,0,0,0,0,0,15), (6,0,22,0,0,0,0,0,0,0,16), (6,9,18,250,0,0,0,0,0,0,17), (6,0,6,1,1,0,1,2,3,0.5,36), (6,0,6,1,1,0,99999,2,3,0,37), (6,0,35,1,7,0,0,0,0,0,38), (6,0,35,0,7,0,0,0,0,0,39), (6,0,35,2,7,5,0,0,0,0,40), (6,0,11,5,0,0,0,0,0,0,41),
(7,0,0,4,0,40,0,0,0,0,20), (7,0,0,0,0,99,0,0,0,0,21), (7,0,6,1,0,0,0,0,0,0,22), (7,0,4,3,1,0,0,0,0,0,23), (7,0,10,999,0,0,0,0,0,0,24), (7,0,14,7,0,0,0,0,0,0,25), (7,0,15,7,4,0,0,0,0,0,26),
(7,0,16,33,1,0,0,0,0,0,27), (7,0,30,1,0,0,0,0,0,0,28), (7,0,22,0,0,1,0,0,0,0,29), (7,0,15,999,1,0,0,0,0,0,30), (8,0,1,16,0,0,0,0,0,0,31), (7,-1,1,16,0,0,0,0,0,0,32);
`)))
	self, position := defs.ScriptSelf, defs.ScriptPosition
	want := []defs.NodeScript{
		{Rows: []defs.ScriptRow{
			{Action: defs.ScriptTalk, Do: [6]uint32{40<<2 | 1}, Target: self}, {Action: defs.ScriptSetOrientation, Target: position, At: [4]float32{0, 0, 0, 1.5}},
			{When: [6]uint32{1000}, Action: defs.ScriptTalk, Do: [6]uint32{41 << 2}, Target: self}, {When: [6]uint32{3000}, Action: defs.ScriptEmote, Do: [6]uint32{16}, Target: self},
		}},
		{Rows: []defs.ScriptRow{
			{Action: defs.ScriptSetEmoteState, Do: [6]uint32{10}, Target: self}, {Action: defs.ScriptMoveToPosition, Target: position, At: [4]float32{4, 5, 6}},
			{Action: defs.ScriptSetUnitFlags, Do: [6]uint32{256}, Target: self}, {Action: defs.ScriptRemoveUnitFlags, Do: [6]uint32{4, 1}, Target: self},
			{Action: defs.ScriptAddNPCFlags, Do: [6]uint32{1}, Target: self}, {Action: defs.ScriptRemoveNPCFlags, Do: [6]uint32{1}, Target: self},
			{Action: defs.ScriptSummonCreature, Do: [6]uint32{300, 1, 5000}, Target: position, At: [4]float32{7, 8, 9}}, {Action: defs.ScriptRemoveAuras, Do: [6]uint32{7}, Target: self},
			{Action: defs.ScriptSelfCast, Do: [6]uint32{7, 2}, Target: self}, {Action: defs.ScriptSound, Do: [6]uint32{33, 0, 1}, Target: self},
			{Action: defs.ScriptMorph, Do: [6]uint32{0, 88}, Target: self}, {Action: defs.ScriptDie, Target: self},
			{Action: defs.ScriptTeleport, Do: [6]uint32{defs.ScriptSameMap}, Target: self, At: [4]float32{4, 5, 6}},
			{Action: defs.ScriptTeleport, Do: [6]uint32{defs.ScriptSameMap}, Target: self, At: [4]float32{1, 2, 3, 0.5}},
			{Action: defs.ScriptRandomMove, Do: [6]uint32{7}, Target: self}, {Action: defs.ScriptRandomMove, Target: self},
			{When: [6]uint32{9000}, Action: defs.ScriptForceDespawn, Do: [6]uint32{250}, Target: self},
		}},
		{Rows: []defs.ScriptRow{{Action: defs.ScriptEmote, Do: [6]uint32{16}, Target: self}}},
	}
	if !reflect.DeepEqual(w.NodeScripts, want) {
		t.Errorf("got  %+v\nwant %+v", w.NodeScripts, want)
	}
	nodes := []defs.Node{{X: 1, Script: 1, Chance: 100}, {X: 9, Script: 2, Chance: 40}, {X: 9, Y: 9}, {X: 1, Y: 9}}
	if m := w.Map(0); !reflect.DeepEqual(m.Paths[m.Spawns[len(m.Spawns)-1].Path].Nodes, nodes) {
		t.Errorf("%+v", m.Paths)
	}
	texts := defs.Texts{{Group: 40<<2 | 1, Lines: []defs.TextLine{{Text: "Low water.", Type: 14, Language: 7}}}, {Group: 41 << 2, Lines: []defs.TextLine{{Text: "High water.", Type: 12}}}}
	if !reflect.DeepEqual(w.Texts, texts) {
		t.Errorf("%+v", w.Texts)
	}
	const wantUse = `broadcast_text 2
waypoint_data 4
  in part 2: what the creature does there
  not 1: no creature that is executed walks there
waypoint_scripts 21
  in part 1: it walks or runs, however long that takes
  not 1: a number of it is out of range
  not 1: commands of this kind are not executed
  not 1: it changes a field that is not executed
  not 1: it leaves no corpse
  not 8: it needs a player or another creature
  not 1: it walks another path
  not 1: its spell is not there: spells are those of muster
  not 1: its text is not there
  not 1: no node that a creature walks to names it
  not 1: the creature that it summons is not there, or is not executed
  not 1: the position is off its map
`
	if got := usedOf(w, "broadcast_text", "waypoint_data", "waypoint_scripts"); got != wantUse {
		t.Errorf("got\n%s\nwant\n%s", got, wantUse)
	}
}
