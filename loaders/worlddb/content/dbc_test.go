package content

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"muster/components/defs"
	"muster/loaders/dbc"
)

// What a database does not say comes from files of a client, if there are some: places of areas, reactions of factions, and names of maps. What it says counts.
func TestFilesOfClient(t *testing.T) {
	at := imported(t, "testdata/azerothcore.sql", dump(t, `
INSERT INTO creature_template (entry, name, faction) VALUES (300, 'Reed Heron', 900), (301, 'Reed Snake', 901);
INSERT INTO creature_template_model VALUES (300,0,1002,1,1),(301,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1),(2,301,571,2);
CREATE TABLE factiontemplate_dbc (ID int, FriendGroup int, EnemyGroup int, PRIMARY KEY (ID));
INSERT INTO factiontemplate_dbc VALUES (901,0,1);
CREATE TABLE areatrigger (entry int, map int, x float, y float, z float, radius float, length float, width float, height float, orientation float, PRIMARY KEY (entry));
INSERT INTO areatrigger VALUES (8,0,1,1,1,9,0,0,0,0);
CREATE TABLE areatrigger_teleport (ID int, target_map int, target_position_x float, target_position_y float, target_position_z float, target_orientation float, PRIMARY KEY (ID));
INSERT INTO areatrigger_teleport VALUES (7,571,1,2,3,0),(8,571,1,2,3,0),(9,571,1,2,3,0);
`))
	dir := t.TempDir()
	for name, text := range map[string]string{
		"AreaTrigger.csv":     "ID,ContinentID,X,Y,Z,Radius,Box_Length,Box_Width,Box_Height,Box_Yaw\n7,0,10,20,30,0,4,5,6,0.5\n8,0,50,50,50,1,0,0,0,0\n9,530,1,1,1,1,0,0,0,0\n10,0,1,1,1,1,0,0,0,0\n",
		"FactionTemplate.csv": "ID,FriendGroup,EnemyGroup\n900,1,0\n901,1,0\n",
		"Map.csv":             "ID,MapName_lang\n571,Reedland\n1,Nowhere\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	without := load(t, at)
	w, err := LoadWith(t.Context(), at, base(), dir)
	if err != nil {
		t.Fatal(err)
	}
	to := defs.Hub{Map: 571, X: 1, Y: 2, Z: 3}
	want := []defs.Trigger{{ID: 7, X: 10, Y: 20, Z: 30, Box: defs.Box{Length: 4, Width: 5, Height: 6, O: 0.5}, To: to}, {ID: 8, X: 1, Y: 1, Z: 1, Radius: 9, To: to}}
	if got := w.Triggers[len(w.Triggers)-2:]; !reflect.DeepEqual(got, want) {
		t.Errorf("areas %+v", w.Triggers)
	}
	if n := w.Use["areatrigger_teleport"]; n.Executed != 2 || n.Not[noArea] != 1 || without.Use["areatrigger_teleport"].Executed != 1 {
		t.Errorf("%+v with files, %+v without", n, without.Use["areatrigger_teleport"])
	}
	for _, c := range []struct {
		w     *World
		entry uint32
		want  uint32
	}{{w, 300, defs.FactionFriendly}, {w, 301, defs.FactionHostile}, {without, 300, defs.FactionHostile}, {without, 301, defs.FactionHostile}} {
		if got := c.w.Creature(c.entry).Faction; got != c.want {
			t.Errorf("creature %d has faction %d, want %d", c.entry, got, c.want)
		}
	}
	if w.Map(571).Name != "Reedland" || w.Map(0).Name != "Map 0" || w.Digest == without.Digest {
		t.Errorf("maps %q and %q, digests %s and %s", w.Map(571).Name, w.Map(0).Name, w.Digest, without.Digest)
	}
	if err := os.WriteFile(filepath.Join(dir, "Map.dbc"), []byte("WDBC"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadWith(t.Context(), at, base(), dir); !errors.Is(err, dbc.ErrFormat) {
		t.Errorf("a malformed file: %v", err)
	}
}
