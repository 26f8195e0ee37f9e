package content

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
)

const areaScriptRows = scriptedRows + `
CREATE TABLE areatrigger (entry int unsigned NOT NULL, map int NOT NULL, x float NOT NULL, y float NOT NULL, z float NOT NULL, radius float NOT NULL, length float NOT NULL,
  width float NOT NULL, height float NOT NULL, orientation float NOT NULL, PRIMARY KEY (entry));
INSERT INTO areatrigger VALUES (78,0,1,2,3,5,0,0,0,0), (79,0,1,2,3,6,0,0,0,0), (80,0,1,2,3,7,0,0,0,0), (81,0,1,2,3,8,0,0,0,0);
CREATE TABLE areatrigger_scripts (entry int unsigned NOT NULL, ScriptName char(64) NOT NULL, PRIMARY KEY (entry));
INSERT INTO areatrigger_scripts VALUES (78,'SmartTrigger'), (79,'at_marsh'), (80,'SmartTrigger'), (99,'SmartTrigger');
INSERT INTO smart_scripts (entryorguid, source_type, id, link, event_type, event_param1, action_type, action_param1, action_param2, target_type, target_param1, target_param2, comment) VALUES
(78,2,0,1, 46,0, 45,1,2, 10,3,300,'Area - Set Data'), (78,2,1,0, 61,0, 5,16,0, 7,0,0,'Area - Emote'), (78,2,2,0, 46,79, 5,16,0, 7,0,0,'Another area'),
(78,2,3,0, 25,0, 5,16,0, 7,0,0,'Another event'), (78,2,4,0, 46,78, 5,16,0, 1,0,0,'Itself'), (78,2,5,0, 46,78, 69,0,0, 19,0,0,'Move'), (78,2,6,0, 46,78, 1,0,0, 7,0,0,'A player talks'),
(78,2,7,0, 46,78, 1,0,0, 19,300,0,'A creature talks'), (79,2,0,0, 46,0, 5,16,0, 7,0,0,'Code'), (80,2,0,0, 46,0, 64,1,0, 7,0,0,'Stores'), (99,2,0,0, 46,0, 5,16,0, 7,0,0,'No area'),
(300,0,20,0, 46,0, 5,16,0, 1,0,0,'Of a creature');
`

// Areas have scripts that areatrigger_scripts says are rows of smart_scripts. A row that needs a creature that has the script is refused.
//
// Source: SmartTrigger and SmartScript::ProcessAction, AzerothCore.
func TestAreaScripts(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, areaScriptRows)))
	if len(w.Triggers) != 1 || w.Trigger(78) == nil || w.Trigger(78).Radius != 5 || w.Trigger(78).To != (defs.Hub{}) {
		t.Fatalf("%+v", w.Triggers)
	}
	want := []defs.ScriptRow{
		{ID: 0, Next: 2, Event: 46, Chance: 100, Action: 45, Do: [6]uint32{1, 2}, Target: 10, Of: [4]uint32{1, 571}},
		{ID: 1, Event: 61, Chance: 100, Action: 5, Do: [6]uint32{16}, Target: 7},
		{ID: 7, Event: 46, Chance: 100, When: [6]uint32{78}, Action: 1, Target: 19, Of: [4]uint32{300}},
	}
	if got := w.World.Scripts[w.Trigger(78).Script-1].Rows; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	var refused strings.Builder
	for _, r := range w.Scripts.Refused {
		if r.Source == 2 || r.Event == 46 {
			fmt.Fprintf(&refused, "%d %d: %s\n", r.Of, r.ID, r.Why)
		}
	}
	const wantRefused = `300 20: scripts of this source have no such event
78 2: it is for another area
78 3: scripts of this source have no such event
78 4: its target is one that creatures have
78 5: its action is one of creatures
78 6: no creature talks
79 0: areatrigger_scripts does not say that the area has SmartTrigger
80 0: its action is one of creatures
99 0: where the area is, is not known: a file of the client says it
`
	if refused.String() != wantRefused {
		t.Errorf("%s", refused.String())
	}
	const wantUse = `areatrigger 1
  not 3: it leads nowhere, and has no script that is executed
areatrigger_scripts 1
  not 1: its script is code of another server
  not 1: no row of its script is executed
  not 1: where the area is, is not known: a file of the client says it
`
	if got := usedOf(w, "areatrigger", "areatrigger_scripts"); got != wantUse {
		t.Errorf("got\n%s\nwant\n%s", got, wantUse)
	}
}

// A row of an area that is refused once it is read again is named; an area that is new counts from the next start.
func TestAreaScriptsAreReloaded(t *testing.T) {
	world := func(more string) *World {
		return load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, areaScriptRows+more)))
	}
	was := world("")
	for more, want := range map[string]string{
		"UPDATE smart_scripts SET action_param1 = 17 WHERE entryorguid = 78 AND id = 1;":                 "<nil>",
		"UPDATE smart_scripts SET action_type = 6 WHERE entryorguid = 78 AND id = 7;":                    "rows are not executed that were, or are new: smart_scripts 78/2/7: actions of this kind are not executed",
		"UPDATE smart_scripts SET action_type = 5, action_param1 = 1 WHERE entryorguid = 80 AND id = 0;": "there are other areas than when the world was loaded: they count from the next start",
	} {
		if err := world(more).Replaces(was, defs.PartScripts); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", more, err, want)
		}
	}
}
