package content

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
)

const eventAIRows = `
DELETE FROM smart_scripts; DROP TABLE smart_scripts;
INSERT INTO creature_template (entry, name, AIName) VALUES (300, 'Reed Heron', 'EventAI'), (301, 'Otter', ''), (302, 'Newt', 'EventAI');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1),(301,0,1002,1,1),(302,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1),(2,302,0,2);
CREATE TABLE creature_ai_texts (entry INT NOT NULL, content_default TEXT, sound INT, type INT, language INT, emote INT, PRIMARY KEY (entry));
INSERT INTO creature_ai_texts VALUES (-1,'Caw!',8,0,0,5), (-2,'Caw?',0,1,0,0), (-3,'All of you!',0,6,0,0);
CREATE TABLE creature_ai_scripts (id INT UNSIGNED NOT NULL, creature_id INT, event_type INT, event_inverse_phase_mask INT, event_chance INT, event_flags INT,
  event_param1 INT, event_param2 INT, event_param3 INT, event_param4 INT, action1_type INT, action1_param1 INT, action1_param2 INT, action1_param3 INT,
  action2_type INT, action2_param1 INT, action2_param2 INT, action2_param3 INT, action3_type INT, action3_param1 INT, action3_param2 INT, action3_param3 INT,
  comment TEXT, PRIMARY KEY (id));
INSERT INTO creature_ai_scripts VALUES
(1,300, 0,0,50,1025, 1000,2000,3000,4000, 11,7,1,2, 0,0,0,0, 0,0,0,0, 'Heron - Cast'),
(2,300, 4,0,100,0, 0,0,0,0, 1,-1,-2,0, 22,1,0,0, 39,20,0,0, 'Heron - Aggro'),
(3,300, 2,1,100,0, 15,5,0,0, 25,0,0,0, 0,0,0,0, 0,0,0,0, 'Heron - Flee in all phases but 0'),
(4,300, 8,0,100,1, 0,-1,0,0, 23,-1,0,0, 0,0,0,0, 0,0,0,0, 'Heron - Spell Hit'),
(5,300, 30,0,100,0, 5,0,0,0, 25,0,0,0, 0,0,0,0, 0,0,0,0, 'Heron - AI event'),
(6,300, 6,0,100,0, 0,0,0,0, 37,0,0,0, 53,1,0,0, 0,0,0,0, 'Heron - Relay'),
(7,300, 6,0,100,32, 0,0,0,0, 37,0,0,0, 24,0,0,0, 0,0,0,0, 'Heron - One of two'),
(8,300, 6,0,100,0, 0,0,0,0, 1,-3,0,0, 0,0,0,0, 0,0,0,0, 'Heron - Zone yell'),
(9,300, 6,0,100,0, 0,0,0,0, 37,0,0,0, 11,999,0,0, 0,0,0,0, 'Heron - Unknown spell'),
(10,300, 6,4294967295,100,0, 0,0,0,0, 37,0,0,0, 0,0,0,0, 0,0,0,0, 'Heron - Never'),
(11,300, 6,0,100,0, 0,0,0,0, 55,17,0,0, 0,0,0,0, 0,0,0,0, 'Heron - Target'),
(12,301, 6,0,100,0, 0,0,0,0, 37,0,0,0, 0,0,0,0, 0,0,0,0, 'Otter'),
(13,-2, 7,0,100,3, 0,0,0,0, 13,-50,4,0, 0,0,0,0, 0,0,0,0, 'Newt of a spawn point');
`

// Rows of EventAI become scripts where they mean the same, with phases above 0; others are refused as a whole, and counted by kind.
//
// Source: CreatureEventAI.h, CMaNGOS at 0ca17bc.
func TestEventAI(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, strings.ReplaceAll(eventAIRows, "4294967295", "2147483647"))))
	heron, newt := w.Creature(300), &w.Map(0).Spawns[1]
	if heron.Script == 0 || w.Creature(301).Script != 0 || newt.Script == 0 {
		t.Fatalf("scripts of templates %d and %d, of a spawn point %d", heron.Script, w.Creature(301).Script, newt.Script)
	}
	const all = 0xFFF
	want := []defs.ScriptRow{
		{ID: 0, Event: 25, Chance: 100, Action: 22, Do: [6]uint32{1}, Target: 1},
		{ID: 1, Event: 0, Phases: all, Chance: 50, When: [6]uint32{1000, 2000, 3000, 4000}, Action: 11, Do: [6]uint32{7, 2}, Target: 2},
		{ID: 2, Next: 4, Event: 4, Phases: all, Chance: 100, Flags: defs.ScriptOnce, Action: 1, Target: 7},
		{ID: 3, Next: 5, Event: 61, Chance: 100, Action: 22, Do: [6]uint32{2}, Target: 1},
		{ID: 4, Event: 61, Chance: 100, Action: 39, Do: [6]uint32{20}, Target: 1},
		{ID: 5, Event: 2, Phases: all - 1, Chance: 100, Flags: defs.ScriptOnce, When: [6]uint32{5, 15}, Action: 25, Target: 1},
		{ID: 6, Event: 8, Phases: all, Chance: 100, Action: 23, Do: [6]uint32{0, 1}, Target: 1},
	}
	if got := w.World.Scripts[heron.Script-1].Rows; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	want = []defs.ScriptRow{{Event: 7, Chance: 100, Flags: defs.ScriptNormal, Action: 13, Do: [6]uint32{0, 50}, Target: 5}}
	if got := w.World.Scripts[newt.Script-1].Rows; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	texts := defs.Texts{{Entry: 300, Lines: []defs.TextLine{{Text: "Caw!", Type: 12, Emote: 5, Sound: 8}, {Text: "Caw?", Type: 14}}}}
	if !reflect.DeepEqual(w.Texts, texts) {
		t.Errorf("%+v", w.Texts)
	}
	var refused strings.Builder
	for _, r := range w.Scripts.Refused {
		fmt.Fprintf(&refused, "%d %d: %s\n", r.Of, r.ID, r.Why)
	}
	const wantRefused = `300 5: events of this kind are not executed
300 6: it has an action of a kind that is not executed
300 7: one of its actions is executed, and not all
300 8: its text is not in creature_ai_texts, or of a type that is not executed
300 9: its spell is not there: spells are those of muster
300 10: it happens in a phase above 11
300 11: it has a target of a kind that is not executed
301 12: the AIName of its template is not SmartAI
`
	if refused.String() != wantRefused {
		t.Errorf("%s", refused.String())
	}
	if u := w.Scripts; u.Table != "creature_ai_scripts" || u.Loaded != 13 || u.Executed != 5 || u.Kinds["event"][6] != (ByKind{7, 0}) || u.Kinds["action1"][11] != (ByKind{1, 1}) || u.Kinds["action3"][0] != (ByKind{12, 4}) {
		t.Errorf("%s: %d of %d, %v", u.Table, u.Executed, u.Loaded, u.Kinds)
	}
	if got := use(w); !strings.Contains(got, "creature_ai_scripts 5\n") {
		t.Error(got)
	}
}
