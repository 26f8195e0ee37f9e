package content

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/worlddb"
)

// base is what a database has no rows of: a marker, and a spell that summons.
func base() *defs.World {
	return &defs.World{
		Seed: 1, Marker: 100, Players: defs.Players{MaxLevel: 80},
		Creatures: []defs.Creature{{Entry: 100, Name: "marker"}, {Entry: 105, Name: "wolf"}, {Entry: 106, Name: "hare"}},
		Spells:    []defs.Spell{{ID: 7, Effects: [3]defs.Effect{{Kind: defs.EffectSummon, Misc: 105}, {Kind: defs.EffectHeal, Misc: 105}}}},
		Maps:      []defs.Map{{ID: 3}}, Hubs: []defs.Hub{{Map: 3}},
	}
}

// dump writes SQL to a folder of the test.
func dump(t *testing.T, sql string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world.sql")
	if err := os.WriteFile(path, []byte(sql), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// imported is the file of a world that dumps were read into.
func imported(t *testing.T, paths ...string) string {
	t.Helper()
	c := worlddb.Config{Dir: t.TempDir(), Paths: paths, Strict: true}
	if _, err := worlddb.Import(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(c.Dir, worlddb.File)
}

func load(t *testing.T, at string) *World {
	t.Helper()
	w, err := Load(t.Context(), at, base())
	if err != nil {
		t.Fatal(err)
	}
	counted(t, at, w)
	return w
}

// counted checks that each row of a table is executed or is not, once.
func counted(t *testing.T, at string, w *World) {
	t.Helper()
	src, err := worlddb.OpenSource(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for table, u := range w.Use {
		n, err := src.Count(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		sum := u.Executed
		for _, not := range u.Not {
			sum += not
		}
		if sum != n || u.Executed < 0 {
			t.Errorf("%s: of %d rows %d are executed, and %v are not", table, n, u.Executed, u.Not)
		}
	}
}

// use is what became of the rows, a line for each table and reason.
func use(w *World) string {
	var b strings.Builder
	for _, table := range slices.Sorted(maps.Keys(w.Use)) {
		u := w.Use[table]
		fmt.Fprintf(&b, "%s %d\n", table, u.Executed)
		for _, reason := range slices.Sorted(maps.Keys(u.Part)) {
			fmt.Fprintf(&b, "  in part %d: %s\n", u.Part[reason], reason)
		}
		for _, reason := range slices.Sorted(maps.Keys(u.Not)) {
			fmt.Fprintf(&b, "  not %d: %s\n", u.Not[reason], reason)
		}
	}
	return b.String()
}

// land is the maps without their ground, spawns and paths a line each.
func land(w *World) string {
	var b strings.Builder
	for i := range w.Maps {
		m := &w.Maps[i]
		fmt.Fprintf(&b, "map %d %q %v\n", m.ID, m.Name, m.Half)
		for _, s := range m.Spawns {
			b.WriteString("  " + strings.ReplaceAll(fmt.Sprintf("%+v", s), " Script:0}", "}") + "\n")
		}
		for _, p := range m.Paths {
			fmt.Fprintf(&b, "  %v\n", p.Nodes)
		}
	}
	return b.String()
}

// rows are those of the world of AzerothCore that the tests have in full.
const rows = `
INSERT INTO creature_template (entry, name, subname, minlevel, maxlevel, exp, faction, speed_run, ` + "`rank`" + `, DamageModifier, BaseAttackTime,
  unit_class, type, family, mingold, maxgold, HealthModifier, ExperienceModifier) VALUES
(300, 'Reed Heron', 'the Patient', 4, 6, 0, 7, 1.25, 1, 2, 1500, 1, 1, 4, 5, 9, 1.5, 0.5);
INSERT INTO creature_template (entry, name, minlevel, maxlevel, exp, faction, npcflag, unit_class, type, ManaModifier, flags_extra) VALUES
(301, 'Marsh Ghost', 6, 6, 2, 16, 0, 8, 6, 1.5, 0), (302, 'Ferryman', 6, 6, 0, 35, 3, 1, 7, 1, 0), (303, 'Mouse', 6, 6, 0, 31, 0, 1, 8, 1, 0),
(304, 'Healer', 6, 6, 0, 35, 16385, 1, 7, 1, 0), (305, 'Watchman', 6, 6, 0, 11, 0, 1, 7, 1, 32768), (306, 'Dummy', 6, 6, 0, 14, 0, 1, 10, 1, 128),
(307, 'Pilgrim', 6, 6, 0, 14, 0, 1, 7, 1, 66), (308, 'Bodiless', 6, 6, 0, 14, 0, 1, 7, 1, 0), (309, 'Stranger', 60, 60, 0, 14, 0, 1, 7, 1, 0);
INSERT INTO creature_template_model VALUES (300,0,1001,1,0.25),(300,1,1002,0.5,0.75),(301,0,1003,1,1),(302,0,1003,1,1),(303,0,1003,1,1),
(304,0,1003,1,1),(305,0,1003,1,1),(306,0,1003,1,1),(307,0,1003,1,1),(309,0,1003,1,1);
INSERT INTO creature_model_info VALUES (1002,0.6,2,2);
INSERT INTO creature_classlevelstats VALUES (4,1,99,110,120,0,68,28,1,3.5,4,5),(6,1,141,150,160,0,99,42,1,5,6,7),(6,8,100,200,301,77,50,14,1,1,2,4);
INSERT INTO creature (guid, id1, id2, map, spawnMask, phaseMask, position_x, position_y, position_z, orientation, spawntimesecs, wander_distance, MovementType) VALUES
(9,301,0,571,1,1,0,0,1,-1,3600,0,2),
(7,300,301,0,1,1,10,20,30,1.5,60,5,1), (8,300,0,0,15,3,12,20,31,0,0,5,0), (10,300,0,0,1,1,17060,0,0,0,60,50,1),
(11,300,0,0,2,1,0,0,0,0,60,0,0), (12,300,0,0,1,2,0,0,0,0,60,0,0), (13,999,0,0,1,1,0,0,0,0,60,0,0), (14,308,0,0,1,1,0,0,0,0,60,0,0),
(15,300,0,0,1,1,0,20000,0,0,60,0,0), (16,300,0,0,1,1,0,0,0,0,60,0,0), (18,300,0,0,1,1,1,2,3,0,60,0,0),
(19,301,0,571,1,1,5,5,2,0,60,0,2), (20,302,0,571,1,1,6,6,2,0,60,0,2);
INSERT INTO creature_addon (guid, path_id, mount) VALUES (9,90,0), (20,200,5), (7,0,5);
INSERT INTO creature_template_addon VALUES (301,300), (300,90);
INSERT INTO waypoint_data (id, point, position_x, position_y, position_z, delay, move_type, action) VALUES
(90,3,0,10,3,0,1,0), (90,1,0,0,1,500,0,0), (90,2,10,0,2,1500,0,9), (90,4,0,10,4,250,0,0), (90,5,0,0,1,100,0,0),
(300,1,5,5,2,0,0,0), (300,2,5,9,2,0,0,0), (200,1,6,6,2,0,0,0), (77,1,1,1,1,0,0,0);
INSERT INTO game_event_creature VALUES (3,16), (-3,18);
INSERT INTO playercreateinfo VALUES (1,1,0,12,-8,-9,82,0), (1,2,0,12,-8,-9,82,0), (2,1,1,14,4,5,6,7), (3,1,1,14,40000,5,6,0);
INSERT INTO game_tele VALUES (2,1,2,3,0.5,571,'Marsh'), (1,7,8,9,0,0,'Ferry'), (3,1,1,1,0,530,'Nowhere');
`

func TestAzerothCore(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, rows)))
	if w.Family != worlddb.AzerothCore {
		t.Errorf("family %s", w.Family)
	}
	heron := defs.Creature{
		Entry: 300, Faction: defs.FactionHostile, DisplayID: 1002, Name: "Reed Heron", SubName: "the Patient", MinLevel: 4, MaxLevel: 6,
		Class: 1, Type: 1, Family: 4, Rank: 1, Scale: 0.5, BoundingRadius: 0.3, CombatReach: 1, WalkSpeed: 2.5, RunSpeed: 8.75,
		MinHealth: 149, MaxHealth: 212, AttackTimeMs: 1500, // 99 and 141, times 1.5, rounded up
		MinDamage: 16.5, MaxDamage: 21.75, DamagePerLevel: 4.3125, // (3.5 + 28/14) * 2 * 1.5 s; (1.5*3.5 + 28/14) * 2 * 1.5 s
		Armor: 68, ArmorPerLevel: 15.5, ReactState: defs.Neutral, MinMoney: 5, MaxMoney: 9, XP: 0.5,
	}
	if got := w.Creature(300); got == nil || !reflect.DeepEqual(*got, heron) {
		t.Errorf("got  %+v\nwant %+v", got, &heron)
	}
	ghost := w.Creature(301)
	if ghost.MinHealth != 301 || ghost.Mana != 116 || ghost.MinDamage != 10 || ghost.MaxDamage != 14 { // (4+1)*2 s, (6+1)*2 s
		t.Errorf("%+v", ghost)
	}
	if ghost.BoundingRadius != 0.389 || ghost.CombatReach != 1.5 || ghost.Scale != 1 || ghost.RunSpeed != float32(1.14286*7) {
		t.Errorf("%+v", ghost)
	}
	for _, c := range []struct {
		entry, faction, services uint32
		reactState               defs.ReactState
		call, xp                 float32
	}{
		{301, defs.FactionHostile, 0, defs.Aggressive, 10, 1},
		{302, defs.FactionFriendly, components.NPCGossip, defs.Neutral, 0, 1},
		{303, defs.FactionHostile, 0, defs.Timid, 0, 0},
		{304, defs.FactionFriendly, components.NPCSpiritHealer, defs.Passive, 0, 1},
		{305, defs.FactionFriendly, 0, defs.Guard, 0, 1},
		{306, defs.FactionFriendly, 0, defs.Passive, 0, 1},
		{307, defs.FactionHostile, 0, defs.Neutral, 0, 0},
	} {
		if got := w.Creature(c.entry); got.Faction != c.faction || got.NPCFlags != c.services || got.ReactState != c.reactState || got.CallYards != c.call || got.XP != c.xp {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	if got := w.Creature(309); got.MinHealth != 1 || got.MaxDamage != 0 {
		t.Errorf("without stats: %+v", got)
	}
	if got := w.Creature(308); got != nil {
		t.Errorf("without a model: %+v", got)
	}

	const wantLand = `map 0 "Map 0" 17066
  {Entry:300 X:10 Y:20 Z:30 O:1.5 Wander:5 Path:-1 Look:1 RespawnMs:60000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:300 X:12 Y:20 Z:31 O:0 Wander:0 Path:-1 Look:0 RespawnMs:0 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:300 X:17060 Y:0 Z:0 O:0 Wander:6 Path:-1 Look:0 RespawnMs:60000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:300 X:1 Y:2 Z:3 O:0 Wander:0 Path:-1 Look:0 RespawnMs:60000 Leader:0 BesideYards:0 BesideAngle:0}
map 1 "Map 1" 17066
map 571 "Map 571" 17066
  {Entry:301 X:0 Y:0 Z:1 O:5.2831855 Wander:0 Path:0 Look:0 RespawnMs:3600000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:301 X:5 Y:5 Z:2 O:0 Wander:0 Path:1 Look:0 RespawnMs:60000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:302 X:6 Y:6 Z:2 O:0 Wander:0 Path:-1 Look:1 RespawnMs:60000 Leader:0 BesideYards:0 BesideAngle:0}
  [{0 0 1 600 false 0 0} {10 0 2 1500 false 0 0} {0 10 3 250 true 0 0}]
  [{5 5 2 0 false 0 0} {5 9 2 0 false 0 0}]
`
	if got := land(w); got != wantLand {
		t.Errorf("got\n%s\nwant\n%s", got, wantLand)
	}
	const wantUse = `creature 7
  in part 1: a spawn point has one entry here, the first
  in part 1: it stands: its path is not there, or has one point
  not 1: it is there during an event only, and that is not there
  not 1: its phase mask is without phase 1
  not 1: its spawn mask is without the normal difficulty
  not 2: its template is not there, or is not executed
  not 1: the position is off its map
creature_addon 3
creature_classlevelstats 3
creature_formations 0
creature_model_info 1
creature_template 9
  in part 1: without stats of its level and class: with 1 health
  not 1: the creature has no model
creature_template_addon 2
creature_template_model 9
  not 1: a creature has one model here, the likeliest
game_event_creature 0
  not 2: its event is not there
game_tele 2
  not 1: nothing lives on its map
playercreateinfo 3
  not 1: the position is off its map
pool_creature 0
pool_pool 0
pool_template 0
waypoint_data 8
  in part 1: what the creature does there
  not 1: no creature that is executed walks there
`
	if got := use(w); got != wantUse {
		t.Errorf("got\n%s\nwant\n%s", got, wantUse)
	}

	hubs := []defs.Hub{{Map: 0, X: -8, Y: -9, Z: 82}, {Map: 1, X: 4, Y: 5, Z: 6, O: 7 - 2*math.Pi}}
	starts := []defs.Start{{Race: 1, Class: 1}, {Race: 1, Class: 2}, {Race: 2, Class: 1, Hub: 1}}
	if !slices.Equal(w.Hubs, hubs) || !slices.Equal(w.Starts, starts) {
		t.Errorf("characters begin at %v, %v", w.Hubs, w.Starts)
	}
	if at, ok := w.StartOf(2, 1); !ok || at != hubs[1] {
		t.Errorf("an orc begins at %v, %v", at, ok)
	}
	if _, ok := w.StartOf(2, 2); ok {
		t.Error("a race and class without a row begin somewhere")
	}
	tele := []defs.Teleport{{Name: "Ferry", Hub: defs.Hub{X: 7, Y: 8, Z: 9}}, {Name: "Marsh", Hub: defs.Hub{Map: 571, X: 1, Y: 2, Z: 3, O: 0.5}}}
	if !slices.Equal(w.Teleports, tele) {
		t.Errorf("places with a name %v", w.Teleports)
	}
	if z := w.Map(571).Height(9, 1); z != 2 {
		t.Errorf("the ground near a node is at %v", z)
	}
	if z := w.Map(0).Height(-100, -100); z != 82 {
		t.Errorf("the ground near the start is at %v", z)
	}
}

// Creatures of pools take turns, and those of formations follow their leader.
func TestGroups(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, `
INSERT INTO creature_template (entry, name) VALUES (300, 'Reed Heron');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1),(2,300,0,2),(3,300,0,3),(4,300,0,4),(5,300,0,5),(6,300,0,6),(7,300,1,7),(8,300,1,8),(9,300,0,9),(10,999,0,10);
INSERT INTO pool_template VALUES (20,1),(21,0),(22,9),(23,1),(24,1);
INSERT INTO pool_creature VALUES (1,21,0),(2,21,30),(3,22,0),(7,21,0),(8,24,0),(9,77,0),(10,23,0);
INSERT INTO pool_pool VALUES (21,20,25),(22,20,0),(23,20,0);
INSERT INTO creature_formations VALUES (4,4,0,0,515),(4,5,3,90,515),(4,8,3,90,515),(5,6,3,90,515),(4,11,1,1,1);
`)))
	if got, want := fmt.Sprintf("%+v", w.Map(0).Pools), "[{Limit:1 Members:[{Index:1 Nested:true Chance:25} {Index:2 Nested:true Chance:0}]}"+
		" {Limit:2 Members:[{Index:0 Nested:false Chance:0} {Index:1 Nested:false Chance:30}]} {Limit:1 Members:[{Index:2 Nested:false Chance:0}]}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := fmt.Sprintf("%+v", w.Map(1).Pools), "[{Limit:1 Members:[{Index:0 Nested:false Chance:0}]}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var leaders []string
	for _, s := range w.Map(0).Spawns {
		leaders = append(leaders, fmt.Sprintf("%v: %d %v %.4f", s.X, s.Leader, s.BesideYards, s.BesideAngle))
	}
	if want := []string{"1: 0 0 0.0000", "2: 0 0 0.0000", "3: 0 0 0.0000", "4: 0 0 0.0000", "5: 0 0 0.0000", "6: 5 3 1.5708", "9: 0 0 0.0000"}; !slices.Equal(leaders, want) {
		t.Errorf("got  %q\nwant %q", leaders, want)
	}
	for _, want := range []string{
		"creature 8\n  not 1: its pool is on another map\n  not 1: its template is",
		"creature_formations 2\n  not 1: a creature of the formation is not executed\n  not 1: its leader is on another map\n  not 1: the creature leads others itself\n",
		"pool_creature 4\n  not 2: the creature is not executed\n  not 1: the pool is not there\n",
		"pool_pool 2\n  not 1: nothing of the pool is executed\n", "pool_template 4\n  not 1: nothing of the pool is executed\n",
	} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
}

// What base has and the database has not stays, under entries that the database does not use.
func TestBase(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, rows+"INSERT INTO creature_template (entry, name) VALUES (16777215, 'Last'); INSERT INTO creature_template_model VALUES (16777215,0,1,1,1);")))
	if w.Marker != 16777214 || w.Creature(w.Marker).Name != "marker" {
		t.Errorf("marker %d, %+v", w.Marker, w.Creature(w.Marker))
	}
	wolf := w.Spell(7).Effects[0].Misc
	if wolf != 16777213 || w.Creature(uint32(wolf)).Name != "wolf" || w.Spell(7).Effects[1].Misc != 105 {
		t.Errorf("the spell %+v", w.Spell(7))
	}
	if w.Creature(16777215).Name != "Last" || w.Players.MaxLevel != 80 || w.Map(3) != nil {
		t.Errorf("players %+v, maps %v", w.Players, w.Maps)
	}
	if b := base(); b.Spells[0].Effects[0].Misc != 105 || len(w.Creatures) != 9+1+2 {
		t.Errorf("%d templates, base %+v", len(w.Creatures), b.Spells)
	}
	for i := 1; i < len(w.Creatures); i++ {
		if w.Creatures[i-1].Entry >= w.Creatures[i].Entry {
			t.Errorf("entry %d before %d", w.Creatures[i-1].Entry, w.Creatures[i].Entry)
		}
	}
}

// The same rows give the same definitions, in whatever order they were read and wherever they are kept; one other value gives others.
func TestDigest(t *testing.T) {
	var lines []string
	for _, statement := range strings.SplitAfter(rows, ";") {
		lines = append([]string{statement}, lines...)
	}
	url := cluster.URL(t)
	paths := []string{"testdata/azerothcore.sql", dump(t, rows)}
	if _, err := worlddb.Import(t.Context(), worlddb.Config{URL: url, Paths: paths}); err != nil {
		t.Fatal(err)
	}
	one := load(t, imported(t, paths...))
	if len(one.Digest) != 64 {
		t.Errorf("digest %q", one.Digest)
	}
	for _, at := range []string{imported(t, paths[0], dump(t, strings.Join(lines, ""))), url} {
		if two := load(t, at); two.Digest != one.Digest || land(two) != land(one) || use(two) != use(one) {
			t.Errorf("%s: digest %s, want %s", at, two.Digest, one.Digest)
		}
	}
	if other := load(t, imported(t, paths[0], dump(t, rows+"UPDATE waypoint_data SET delay = 7 WHERE id = 300;"))); other.Digest == one.Digest {
		t.Error("another pause gives the same digest")
	}
}

// TrinityCore has models in the template, one entry for each spawn point, and paths of templates.
const trinity = `
CREATE TABLE trinity_string (entry int unsigned NOT NULL, PRIMARY KEY (entry));
CREATE TABLE creature_template (entry int unsigned NOT NULL, modelid1 int unsigned NOT NULL DEFAULT '0', modelid2 int unsigned NOT NULL DEFAULT '0',
  modelid3 int unsigned NOT NULL DEFAULT '0', modelid4 int unsigned NOT NULL DEFAULT '0', name varchar(100) NOT NULL, subname varchar(100) DEFAULT NULL,
  minlevel tinyint unsigned NOT NULL, maxlevel tinyint unsigned NOT NULL, exp smallint NOT NULL DEFAULT '0', faction smallint unsigned NOT NULL,
  speed_walk float NOT NULL DEFAULT '1', speed_run float NOT NULL DEFAULT '1.14286', scale float NOT NULL DEFAULT '1', BaseAttackTime int unsigned NOT NULL DEFAULT '0',
  unit_class tinyint unsigned NOT NULL DEFAULT '0', type tinyint unsigned NOT NULL DEFAULT '0', HealthModifier float NOT NULL DEFAULT '1', PRIMARY KEY (entry));
CREATE TABLE creature_classlevelstats (level tinyint NOT NULL, class tinyint NOT NULL, basehp0 smallint unsigned NOT NULL, basehp1 smallint unsigned NOT NULL,
  basehp2 smallint unsigned NOT NULL, basemana smallint unsigned NOT NULL, basearmor smallint unsigned NOT NULL, attackpower smallint unsigned NOT NULL,
  damage_base float NOT NULL, damage_exp1 float NOT NULL, damage_exp2 float NOT NULL, PRIMARY KEY (level, class));
CREATE TABLE creature (guid int unsigned NOT NULL, id int unsigned NOT NULL, map smallint unsigned NOT NULL, spawnMask tinyint unsigned NOT NULL DEFAULT '1',
  phaseMask int unsigned NOT NULL DEFAULT '1', position_x float NOT NULL, position_y float NOT NULL, position_z float NOT NULL, orientation float NOT NULL,
  spawntimesecs int unsigned NOT NULL DEFAULT '120', wander_distance float NOT NULL DEFAULT '0', MovementType tinyint unsigned NOT NULL DEFAULT '0',
  StringId varchar(64) DEFAULT NULL, PRIMARY KEY (guid));
CREATE TABLE creature_template_addon (entry int unsigned NOT NULL, path_id int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (entry));
CREATE TABLE waypoint_data (id int unsigned NOT NULL, point int unsigned NOT NULL, position_x float NOT NULL, position_y float NOT NULL, position_z float NOT NULL,
  delay int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (id, point));
INSERT INTO creature_template (entry, modelid2, modelid3, name, minlevel, maxlevel, exp, faction, speed_walk, scale, BaseAttackTime, unit_class, type, HealthModifier)
  VALUES (40, 11, 12, 'Tin Soldier', 3, 3, 1, 14, 0, 2, 0, 0, 9, 2);
INSERT INTO creature_classlevelstats VALUES (3,1,70,80,90,0,30,7,2,4,6);
INSERT INTO creature (guid, id, map, position_x, position_y, position_z, orientation, MovementType) VALUES (5,40,1,1,1,9,0,2);
INSERT INTO creature_template_addon VALUES (40,400);
INSERT INTO waypoint_data VALUES (400,1,1,1,9,0),(400,2,8,1,9,2000);
`

func TestTrinityCore(t *testing.T) {
	w := load(t, imported(t, dump(t, trinity)))
	soldier := defs.Creature{
		Entry: 40, Faction: defs.FactionHostile, DisplayID: 11, Name: "Tin Soldier", MinLevel: 3, MaxLevel: 3, Class: 1, Type: 9,
		Scale: 2, BoundingRadius: 0.778, CombatReach: 3, WalkSpeed: 2.5, RunSpeed: 8.00002, MinHealth: 160, MaxHealth: 160, AttackTimeMs: 2000,
		MinDamage: 9, MaxDamage: 13, Armor: 30, ReactState: defs.Aggressive, CallYards: 10, XP: 1, // (4 + 7/14) * 2 s, (6 + 7/14) * 2 s
	}
	if got := w.Creature(40); w.Family != worlddb.TrinityCore || !reflect.DeepEqual(*got, soldier) {
		t.Errorf("%s: got %+v\nwant %+v", w.Family, got, &soldier)
	}
	const want = `map 1 "Map 1" 17066
  {Entry:40 X:1 Y:1 Z:9 O:0 Wander:0 Path:0 Look:0 RespawnMs:120000 Leader:0 BesideYards:0 BesideAngle:0}
  [{1 1 9 0 false 0 0} {8 1 9 2000 false 0 0}]
`
	if got := land(w); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if want := []defs.Hub{{Map: 1, X: 1, Y: 1, Z: 9}}; !slices.Equal(w.Hubs, want) {
		t.Errorf("without start positions characters begin at %v, want %v", w.Hubs, want)
	}
}

// A later TrinityCore has paths in waypoint_path_node, and members of pools in one table.
func TestTrinityCoreLater(t *testing.T) {
	w := load(t, imported(t, dump(t, trinity+`
CREATE TABLE creature_addon (guid int unsigned NOT NULL, PathId int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (guid));
CREATE TABLE waypoint_path_node (PathId int unsigned NOT NULL, NodeId int unsigned NOT NULL, PositionX float NOT NULL, PositionY float NOT NULL,
  PositionZ float NOT NULL, Orientation float DEFAULT NULL, Delay int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (PathId, NodeId));
CREATE TABLE pool_template (entry int unsigned NOT NULL, max_limit int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (entry));
CREATE TABLE pool_members (type smallint unsigned NOT NULL, spawnId int unsigned NOT NULL, poolSpawnId int unsigned NOT NULL, chance float NOT NULL DEFAULT '0', PRIMARY KEY (type, spawnId));
INSERT INTO creature (guid, id, map, position_x, position_y, position_z, orientation, spawntimesecs, MovementType) VALUES (6,40,1,2,1,9,0,30,2);
INSERT INTO creature_addon VALUES (6,70);
INSERT INTO waypoint_path_node VALUES (70,0,2,1,9,NULL,250),(70,1,2,5,9,NULL,0),(71,0,1,1,1,NULL,0);
INSERT INTO pool_template VALUES (1,1),(2,1);
INSERT INTO pool_members VALUES (0,5,1,0),(0,6,1,40),(1,5,1,0),(2,1,2,0);
`)))
	const want = `map 1 "Map 1" 17066
  {Entry:40 X:1 Y:1 Z:9 O:0 Wander:0 Path:0 Look:0 RespawnMs:120000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:40 X:2 Y:1 Z:9 O:0 Wander:0 Path:1 Look:0 RespawnMs:30000 Leader:0 BesideYards:0 BesideAngle:0}
  [{1 1 9 0 false 0 0} {8 1 9 2000 false 0 0}]
  [{2 1 9 250 false 0 0} {2 5 9 0 false 0 0}]
`
	if got := land(w); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := fmt.Sprint(w.Map(1).Pools), "[{1 [{0 false 0} {1 false 40}]} {1 [{0 true 0}]}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := use(w); !strings.Contains(got, "pool_members 3\n  not 1: the game object is not executed\n") || !strings.Contains(got, "waypoint_path_node 2\n  not 1: no creature") {
		t.Error(got)
	}
}

// CMaNGOS has other names, stats in creature_template_classlevelstats or in the template, and paths by GUID or entry.
const mangos = `
CREATE TABLE creature_template (Entry mediumint unsigned NOT NULL, Name char(100) NOT NULL, SubName char(100) DEFAULT NULL, MinLevel tinyint unsigned NOT NULL,
  MaxLevel tinyint unsigned NOT NULL, DisplayId1 mediumint unsigned NOT NULL DEFAULT '0', Faction smallint unsigned NOT NULL, Scale float NOT NULL DEFAULT '1',
  CreatureType tinyint unsigned NOT NULL DEFAULT '0', NpcFlags int unsigned NOT NULL DEFAULT '0', UnitFlags int unsigned NOT NULL DEFAULT '0',
  ExtraFlags int unsigned NOT NULL DEFAULT '0', SpeedWalk float NOT NULL DEFAULT '1', SpeedRun float NOT NULL DEFAULT '1', UnitClass tinyint unsigned NOT NULL DEFAULT '1',
  Expansion tinyint NOT NULL DEFAULT '-1', HealthMultiplier float NOT NULL DEFAULT '1', PowerMultiplier float NOT NULL DEFAULT '1', DamageMultiplier float NOT NULL DEFAULT '1',
  DamageVariance float NOT NULL DEFAULT '1', ArmorMultiplier float NOT NULL DEFAULT '1', MinLevelHealth int unsigned NOT NULL DEFAULT '0',
  MaxLevelHealth int unsigned NOT NULL DEFAULT '0', MinLevelMana int unsigned NOT NULL DEFAULT '0', MinMeleeDmg float NOT NULL DEFAULT '0',
  MaxMeleeDmg float NOT NULL DEFAULT '0', Armor int unsigned NOT NULL DEFAULT '0', MeleeBaseAttackTime int unsigned NOT NULL DEFAULT '0',
  MinLootGold int unsigned NOT NULL DEFAULT '0', MaxLootGold int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (Entry));
CREATE TABLE creature_template_classlevelstats (Level tinyint NOT NULL, Class tinyint NOT NULL, BaseHealthExp0 mediumint unsigned NOT NULL,
  BaseHealthExp1 mediumint unsigned NOT NULL, BaseHealthExp2 mediumint unsigned NOT NULL, BaseMana mediumint unsigned NOT NULL, BaseDamageExp0 float NOT NULL,
  BaseDamageExp1 float NOT NULL, BaseDamageExp2 float NOT NULL, BaseMeleeAttackPower float NOT NULL, BaseArmor mediumint unsigned NOT NULL, PRIMARY KEY (Level, Class));
CREATE TABLE creature (guid int unsigned NOT NULL, id mediumint unsigned NOT NULL DEFAULT '0', map smallint unsigned NOT NULL DEFAULT '0',
  spawnMask tinyint unsigned NOT NULL DEFAULT '1', phaseMask smallint unsigned NOT NULL DEFAULT '1', position_x decimal(40,20) NOT NULL,
  position_y decimal(40,20) NOT NULL, position_z decimal(40,20) NOT NULL, orientation decimal(40,20) NOT NULL, spawntimesecsmin int unsigned NOT NULL DEFAULT '120',
  spawntimesecsmax int unsigned NOT NULL DEFAULT '120', spawndist float NOT NULL DEFAULT '5', MovementType tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (guid));
CREATE TABLE creature_spawn_entry (guid int unsigned NOT NULL, entry mediumint unsigned NOT NULL, PRIMARY KEY (guid, entry));
CREATE TABLE creature_movement (Id int unsigned NOT NULL, Point mediumint unsigned NOT NULL, PositionX float NOT NULL, PositionY float NOT NULL, PositionZ float NOT NULL,
  Orientation float NOT NULL, WaitTime int unsigned NOT NULL DEFAULT '0', ScriptId mediumint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (Id, Point));
CREATE TABLE creature_movement_template (Entry mediumint unsigned NOT NULL, PathId int unsigned NOT NULL DEFAULT '0', Point mediumint unsigned NOT NULL,
  PositionX float NOT NULL, PositionY float NOT NULL, PositionZ float NOT NULL, WaitTime int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (Entry, PathId, Point));
INSERT INTO creature_template (Entry, Name, MinLevel, MaxLevel, DisplayId1, Faction, CreatureType, UnitClass, Expansion, HealthMultiplier, DamageMultiplier, DamageVariance, MeleeBaseAttackTime, MinLootGold, MaxLootGold, ExtraFlags)
  VALUES (60,'Moss Crab',2,2,21,14,1,1,2,1.5,2,0.5,1000,1,2,66);
INSERT INTO creature_template (Entry, Name, MinLevel, MaxLevel, DisplayId1, Faction, CreatureType, MinLevelHealth, MaxLevelHealth, MinLevelMana, MinMeleeDmg, MaxMeleeDmg, Armor)
  VALUES (61,'Old Crab',5,7,21,35,1,100,130,20,3,4,12);
INSERT INTO creature_template_classlevelstats VALUES (2,1,50,60,71,9,1,2,3,28,21),(5,1,50,60,71,9,1,2,3,28,21),(7,1,50,60,71,9,1,2,3,28,21);
INSERT INTO creature (guid, id, map, position_x, position_y, position_z, orientation, spawntimesecsmin, spawntimesecsmax, MovementType) VALUES
  (1,60,0,1.5,2,3,0,30,60,1), (2,0,0,2.5,2,3,0,30,60,2), (3,61,0,3.5,2,3,0,30,60,2), (4,60,0,4.5,2,3,0,30,60,0);
INSERT INTO creature_spawn_entry VALUES (2,61),(2,60);
INSERT INTO creature_movement VALUES (3,1,3.5,2,3,100,0,0),(3,2,3.5,9,3,100,700,0);
INSERT INTO creature_movement_template VALUES (60,0,1,2.5,2,3,0),(60,0,2,2.5,7,3,0),(60,1,1,0,0,0,0);
`

func TestCMaNGOS(t *testing.T) {
	w := load(t, imported(t, dump(t, mangos)))
	crab := defs.Creature{
		Entry: 60, Faction: defs.FactionHostile, DisplayID: 21, Name: "Moss Crab", MinLevel: 2, MaxLevel: 2, Class: 1, Type: 1,
		Scale: 1, BoundingRadius: 0.389, CombatReach: 1.5, WalkSpeed: 2.5, RunSpeed: 7, MinHealth: 106, MaxHealth: 106, Mana: 9, AttackTimeMs: 1000,
		MinDamage: 7, MaxDamage: 8.5, Armor: 21, ReactState: defs.Aggressive, CallYards: 10, XP: 1, MinMoney: 1, MaxMoney: 2, // (3*0.5 + 28/14) * 2, (3*0.5*1.5 + 28/14) * 2
	}
	if got := w.Creature(60); w.Family != worlddb.CMaNGOS || !reflect.DeepEqual(*got, crab) {
		t.Errorf("%s: got %+v\nwant %+v", w.Family, got, &crab)
	}
	if c := w.Creature(61); c.MinHealth != 100 || c.MaxHealth != 130 || c.Mana != 20 || c.MinDamage != 3 || c.MaxDamage != 4 || c.Armor != 12 || c.ReactState != defs.Neutral {
		t.Errorf("without an expansion: %+v", c)
	}
	const want = `map 0 "Map 0" 17066
  {Entry:60 X:1.5 Y:2 Z:3 O:0 Wander:5 Path:-1 Look:0 RespawnMs:30000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:60 X:2.5 Y:2 Z:3 O:0 Wander:0 Path:0 Look:0 RespawnMs:30000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:61 X:3.5 Y:2 Z:3 O:0 Wander:0 Path:1 Look:0 RespawnMs:30000 Leader:0 BesideYards:0 BesideAngle:0}
  {Entry:60 X:4.5 Y:2 Z:3 O:0 Wander:0 Path:-1 Look:0 RespawnMs:30000 Leader:0 BesideYards:0 BesideAngle:0}
  [{2.5 2 3 0 false 0 0} {2.5 7 3 0 false 0 0}]
  [{3.5 2 3 0 false 0 0} {3.5 9 3 700 false 0 0}]
`
	if got := land(w); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := use(w); !strings.Contains(got, "creature_movement_template 2\n  not 1: no creature") || !strings.Contains(got, "creature_spawn_entry 1\n  not 1: a spawn point has one entry") {
		t.Error(got)
	}
}

// No figure of the highest level is below that of the lowest, no most below its least, and no health is 0.
func TestFiguresAscend(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, `
INSERT INTO creature_template (entry, name, minlevel, maxlevel, unit_class, BaseAttackTime, HealthModifier) VALUES
(310, 'Newt', 10, 11, 1, 1000, 1), (311, 'Toad', 11, 12, 1, 1000, 1), (312, 'Shade', 10, 10, 1, 1000, 0), (313, 'Eft', 11, 10, 1, 1000, 1),
(314, 'Wisp', 20, 20, 1, 1000, 1);
INSERT INTO creature_template_model VALUES (310,0,1,1,1),(311,0,1,1,1),(312,0,1,1,1),(313,0,1,1,1),(314,0,1,1,1);
INSERT INTO creature_classlevelstats VALUES (10,1,500,600,700,0,80,14,1,3,4,5),(12,1,550,650,750,0,90,28,1,4,5,6),(20,1,9,9,9,0,0,14,1,-3,0,0);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,310,0,1);
`)))
	for _, c := range []struct {
		entry, minHealth, maxHealth   uint32
		minLevel, maxLevel            uint8
		least, most, perLevel, armour float32
	}{
		{310, 500, 500, 10, 11, 4, 5.5, 0, 0}, // level 11 has no row: 3 + 14/14, 1.5*3 + 14/14
		{311, 1, 550, 11, 12, 0, 0, 7, 90},    // nor here: (4 + 28/14 + 1.5*4 + 28/14) / 2
		{312, 1, 1, 10, 10, 4, 5.5, 0, 0},     // no health
		{313, 1, 1, 11, 11, 0, 0, 0, 0},       // its levels are the wrong way round
		{314, 9, 9, 20, 20, 0, 0, 0, 0},       // -3 + 14/14 is negative, and so is the most
	} {
		got := w.Creature(c.entry)
		if got.MinHealth != c.minHealth || got.MaxHealth != c.maxHealth || got.MinLevel != c.minLevel || got.MaxLevel != c.maxLevel ||
			got.MinDamage != c.least || got.MaxDamage != c.most || got.DamagePerLevel != c.perLevel || got.ArmorPerLevel != c.armour {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
	w = load(t, imported(t, dump(t, mangos+`UPDATE creature_template SET MaxLevelHealth = 0, MaxMeleeDmg = 2 WHERE Entry = 61;`)))
	if c := w.Creature(61); c.MinHealth != 100 || c.MaxHealth != 100 || c.MinDamage != 3 || c.MaxDamage != 3 {
		t.Errorf("with the default of MaxLevelHealth: %+v", c)
	}
}

// A value that is out of bounds counts as bad, and has the default in its place, and not the whole world is refused; 0 means the default.
func TestBounds(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, `
INSERT INTO creature_template (entry, name, speed_walk, speed_run, DamageModifier, HealthModifier, ExperienceModifier) VALUES
(320, 'Swift', 1, 1e38, 1, 1, 1), (321, 'Slow', 1e-300, 0.01, 1, 1, 1), (322, 'Still', 0, 100, 1, 1, 1), (323, 'Back', -1, 1, 1e38, 1e38, 1e38),
(324, 'Vast', 1, 1, 1, 1, 1);
ALTER TABLE creature_template ADD scale float NOT NULL DEFAULT '1';
UPDATE creature_template SET scale = 50 WHERE entry = 324;
INSERT INTO creature_template_model VALUES (320,0,1,1e30,1),(321,0,1,1e-30,1),(322,0,1,0,1),(323,0,2,1,1),(324,0,1,50,1);
INSERT INTO creature_model_info VALUES (1,1e38,0,0),(2,1e-300,1e30,0);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,320,0,1);
`)))
	for _, c := range []struct {
		entry                           uint32
		walk, run, scale, radius, reach float32
	}{
		{320, 2.5, 8.00002, 1, 0.389, 1.5}, {321, 2.5, 0.07, 1, 0.389, 1.5}, {322, 2.5, 700, 1, 0.389, 1.5}, {323, 2.5, 7, 1, 0.389, 1.5},
		{324, 2.5, 7, 100, 38.9, 150},
	} {
		got := w.Creature(c.entry)
		if got.WalkSpeed != c.walk || got.RunSpeed != c.run || got.Scale != c.scale || got.BoundingRadius != c.radius || got.CombatReach != c.reach {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
	for _, want := range []string{
		"in part 1: its running speed is not from 0.01 to 100: with 1.14286\n", "in part 2: its walking speed is not from 0.01 to 100: with 1\n",
		"in part 2: its scale is not from 0.01 to 100: with 1\n",
		"in part 2: its bounding radius is not from 0.001 to 1000: with 0.389\n", "in part 1: its combat reach is not from 0.001 to 1000: with 1.5\n",
	} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
}

// A product is rounded before something is added, also where one instruction could do both. The literals are what Python computes, which rounds each.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		family              worlddb.Family
		power, damage       float64
		variance            float64
		wantLeast, wantMost float64
	}{
		{worlddb.CMaNGOS, 1, 1.64, 1.3, 2.2034285714285717, 3.269428571428572},
		{worlddb.AzerothCore, 15, 1.78, 1.3, 3.1728571428571426, 4.062857142857142},
	} {
		stats := levelStats{{1, 1}: {Power: c.power, Damage0: c.damage}}
		f, ok := stats.at(&templateRow{Class: 1, AttackMs: 1000, Variance: c.variance, Damage: 1}, 1, c.family)
		if !ok || f.least != c.wantLeast || f.most != c.wantMost {
			t.Errorf("%s: from %v to %v, want %v and %v", c.family, f.least, f.most, c.wantLeast, c.wantMost)
		}
	}
}

// What cannot be loaded is an error that says why.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]error{filepath.Join(dir, "none.db"): worlddb.ErrNoWorld, dir: worlddb.ErrNoWorld, empty: worlddb.ErrNoWorld} {
		if _, err := Load(t.Context(), at, base()); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", at, err, want)
		}
	}
	text := dump(t, strings.Repeat("this is no database\n", 1000))
	if _, err := Load(t.Context(), text, base()); err == nil || !strings.Contains(err.Error(), "not a database") {
		t.Errorf("a text: %v", err)
	}
	w, err := Load(t.Context(), imported(t, "testdata/azerothcore.sql"), base())
	if !errors.Is(err, ErrEmpty) || w == nil || w.Use["creature"] == nil {
		t.Errorf("a world without rows: %+v, %v", w, err)
	}
	w, err = Load(t.Context(), imported(t, dump(t, "CREATE TABLE creature (guid int, id1 int, map int, position_x float); INSERT INTO creature VALUES (1,1,1,1),(2,1,1,1);")), base())
	if !errors.Is(err, ErrEmpty) || w.Use["creature"].Not["the table has no column position_y"] != 2 {
		t.Errorf("a world without y: %+v, %v", w, err)
	}
}
