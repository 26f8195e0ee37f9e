package content

import (
	"reflect"
	"slices"
	"testing"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// placeRows are a town on map 0 and a dungeon, map 36, that an area leads into and another out of.
const placeRows = `
INSERT INTO creature_template (entry, name, faction, type) VALUES (800, 'Pier Gull', 7, 8);
INSERT INTO creature_template_model VALUES (800,0,1003,1,1);
INSERT INTO creature (guid, id1, map) VALUES (1,800,0), (2,800,36), (3,800,43);
INSERT INTO playercreateinfo VALUES (1,1,0,12,0,0,0,0);
`

// What the use of some tables is.
func usedOf(w *World, tables ...string) string {
	kept := make(map[string]*worlddb.TableUse)
	for _, table := range tables {
		if u := w.Use[table]; u != nil {
			kept[table] = u
		}
	}
	return use(&World{Use: kept})
}

// Areas are spheres and boxes that lead to other maps; a map that one leads out of, and that instance_template has, is a dungeon.
func TestAreas(t *testing.T) {
	const rows = `
CREATE TABLE areatrigger_teleport (ID int unsigned NOT NULL, Name text, target_map smallint unsigned NOT NULL, target_position_x float NOT NULL, target_position_y float NOT NULL,
  target_position_z float NOT NULL, target_orientation float NOT NULL, PRIMARY KEY (ID));
CREATE TABLE instance_template (map smallint unsigned NOT NULL, parent smallint unsigned NOT NULL, PRIMARY KEY (map));
INSERT INTO areatrigger_teleport VALUES (78,'In',36,-16,-383,61,2), (119,'Out',0,-11,1680,24,4), (120,'Unknown place',0,0,0,0,0), (121,'Unknown map',571,0,0,0,0), (122,'Off',0,1e9,0,0,0), (123,'To itself',43,0,0,0,0);
INSERT INTO instance_template VALUES (36,0), (43,1), (33,0);
`
	const fields = "(entry int unsigned NOT NULL, map int NOT NULL, x float NOT NULL, y float NOT NULL, z float NOT NULL, radius float NOT NULL, length float NOT NULL, width float NOT NULL, height float NOT NULL, orientation float NOT NULL, PRIMARY KEY (entry));"
	const areas = " VALUES (78,0,-11,1666,24,0,6,8,10,1.5), (119,36,-14,-394,62,4,0,0,0,0), (121,0,0,0,0,5,0,0,0,0), (122,0,0,0,0,5,0,0,0,0), (123,43,0,0,0,5,0,0,0,0), (124,571,0,0,0,5,0,0,0,0), (125,0,0,0,0,0,1,0,1,0), (126,0,0,0,0,9,0,0,0,0);"
	for table, sql := range map[string]string{
		"areatrigger": "CREATE TABLE areatrigger " + fields + "INSERT INTO areatrigger" + areas,
		"areatrigger_dbc": `CREATE TABLE areatrigger_dbc (ID int NOT NULL, ContinentID int NOT NULL, X float NOT NULL, Y float NOT NULL, Z float NOT NULL, Radius float NOT NULL,
  Box_Length float NOT NULL, Box_Width float NOT NULL, Box_Height float NOT NULL, Box_Yaw float NOT NULL, PRIMARY KEY (ID)); INSERT INTO areatrigger_dbc` + areas,
	} {
		w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, placeRows+rows+sql)))
		want := []defs.Trigger{
			{ID: 78, X: -11, Y: 1666, Z: 24, Box: defs.Box{Length: 6, Width: 8, Height: 10, O: 1.5}, To: defs.Hub{Map: 36, X: -16, Y: -383, Z: 61, O: 2}},
			{ID: 119, Map: 36, X: -14, Y: -394, Z: 62, Radius: 4, To: defs.Hub{X: -11, Y: 1680, Z: 24, O: 4}},
			{ID: 123, Map: 43, Radius: 5, To: defs.Hub{Map: 43}},
		}
		if !reflect.DeepEqual(w.Triggers, want) {
			t.Errorf("%s: got  %+v\nwant %+v", table, w.Triggers, want)
		}
		if m := w.Map(36); !m.Instanced || m.Exit != want[1].To || w.Map(0).Instanced || w.Map(43).Instanced {
			t.Errorf("%s: %+v", table, m)
		}
		wantUse := table + ` 3
  not 3: it leads nowhere, and has no script that is executed
  not 1: nothing lives on its map
  not 1: the area has no size
areatrigger_teleport 3
  not 1: nothing lives on the map that it leads to
  not 1: the position is off its map
  not 1: where the area is, is not known: a file of the client says it
instance_template 1
  not 1: no area leads out of it to a map that is no dungeon: all players that enter it meet
  not 1: nothing lives on its map
`
		if got := usedOf(w, table, "areatrigger_teleport", "instance_template"); got != wantUse {
			t.Errorf("got\n%s\nwant\n%s", got, wantUse)
		}
	}
}

// Ghosts appear at graveyards that a zone has, of their side, in the tables of AzerothCore and of CMaNGOS.
func TestGraveyards(t *testing.T) {
	for _, names := range [][3]string{{"game_graveyard", "graveyard_zone", "GhostZone"}, {"world_safe_locs", "game_graveyard_zone", "ghost_zone"}} {
		w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, placeRows+`
CREATE TABLE `+names[0]+` (ID int NOT NULL, Map int NOT NULL, x float NOT NULL, y float NOT NULL, z float NOT NULL, PRIMARY KEY (ID));
CREATE TABLE `+names[1]+` (ID int NOT NULL, `+names[2]+` int NOT NULL, Faction int NOT NULL, PRIMARY KEY (ID, `+names[2]+`));
INSERT INTO `+names[0]+` VALUES (3,0,10,0,0), (4,0,20,0,0), (5,0,30,0,0), (6,0,0,0,0), (7,571,0,0,0), (8,0,1e9,0,0);
INSERT INTO `+names[1]+` VALUES (3,12,0), (3,40,469), (4,12,67), (5,12,469), (5,40,67), (7,12,0), (99,12,0), (6,12,35), (8,12,0);
`)))
		want := []defs.Graveyard{{ID: 3, Hub: defs.Hub{X: 10}}, {ID: 4, Hub: defs.Hub{X: 20}, Sides: defs.Horde}, {ID: 5, Hub: defs.Hub{X: 30}}}
		if !slices.Equal(w.Graveyards, want) {
			t.Errorf("%s: %+v", names[0], w.Graveyards)
		}
		links := names[1] + ` 5
  not 1: it is for a faction that is no side
  not 3: its graveyard is not there, or is not executed
`
		graves := names[0] + ` 3
  not 1: no zone has it
  not 1: nothing lives on its map
  not 1: the position is off its map
`
		if got := usedOf(w, names[0]) + usedOf(w, names[1]); got != graves+links {
			t.Errorf("got\n%s\nwant\n%s", got, graves+links)
		}
	}
}

// Characters begin with items of their race and class, in stacks.
func TestStartItems(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", dump(t, placeRows+`
INSERT INTO item_template (entry, name, stackable) VALUES (31, 'Crumb', 20), (32, 'Token', 1);
CREATE TABLE playercreateinfo_item (race tinyint unsigned NOT NULL, class tinyint unsigned NOT NULL, itemid int unsigned NOT NULL, amount int NOT NULL DEFAULT '1', Note text, PRIMARY KEY (race, class, itemid));
INSERT INTO playercreateinfo_item VALUES (0,0,32,1,''), (1,4,31,45,''), (1,5,32,99,''), (1,6,33,1,''), (0,8,31,-1,'');
`)))
	if got, want := w.StartItemsOf(nil, 1, 4), []defs.Stack{{Entry: 32, Count: 1}, {Entry: 31, Count: 20}, {Entry: 31, Count: 20}, {Entry: 31, Count: 5}}; !slices.Equal(got, want) {
		t.Errorf("a rogue begins with %v, want %v", got, want)
	}
	if got := w.StartItemsOf(nil, 1, 5); len(got) != defs.MaxStartItems || len(w.StartItemsOf(nil, 2, 8)) != 1 {
		t.Errorf("a priest begins with %v", got)
	}
	const want = `playercreateinfo_item 3
  in part 1: as many as there is room for
  not 1: it takes an item away that a file of the client gives
  not 1: its item is not there
`
	if got := usedOf(w, "playercreateinfo_item"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Characters are as their race, class and level are in the tables of AzerothCore, and in those of TrinityCore and CMaNGOS; what these do not have is
// as in the base.
func TestLevels(t *testing.T) {
	const bare = `CREATE TABLE player_xp_for_level (LEVEL tinyint unsigned NOT NULL, EXPERIENCE int unsigned NOT NULL, PRIMARY KEY (LEVEL));
INSERT INTO player_xp_for_level VALUES (1,390), (2,900), (0,1), (200,1);
`
	for family, sql := range map[string]string{
		"AzerothCore": `CREATE TABLE player_class_stats (Class tinyint unsigned NOT NULL, Level tinyint unsigned NOT NULL, BaseHP int NOT NULL, BaseMana int NOT NULL, Strength int NOT NULL, Agility int NOT NULL,
  Stamina int NOT NULL, Intellect int NOT NULL, Spirit int NOT NULL, PRIMARY KEY (Class, Level));
CREATE TABLE player_race_stats (Race tinyint unsigned NOT NULL, Strength int NOT NULL, Agility int NOT NULL, Stamina int NOT NULL, Intellect int NOT NULL, Spirit int NOT NULL, PRIMARY KEY (Race));
INSERT INTO player_class_stats VALUES (1,1,20,0,23,20,22,20,20), (1,2,29,0,24,21,23,20,20), (1,200,1,1,1,1,1,1,1), (10,1,1,1,1,1,1,1,1);
INSERT INTO player_race_stats VALUES (1,0,0,0,0,0), (2,3,-3,1,-4,2);
`,
		"TrinityCore": `CREATE TABLE player_classlevelstats (class int NOT NULL, level int NOT NULL, basehp int NOT NULL, basemana int NOT NULL, PRIMARY KEY (class, level));
CREATE TABLE player_levelstats (race int NOT NULL, class int NOT NULL, level int NOT NULL, str int NOT NULL, agi int NOT NULL, sta int NOT NULL, inte int NOT NULL, spi int NOT NULL, PRIMARY KEY (race, class, level));
INSERT INTO player_classlevelstats VALUES (1,1,20,0), (1,2,29,0), (1,200,1,1), (10,1,1,1);
INSERT INTO player_levelstats VALUES (1,1,1,23,20,22,20,20), (1,1,2,24,21,23,20,20), (2,1,1,26,17,23,16,22), (2,1,3,1,1,1,1,1), (0,1,1,1,1,1,1,1);
`,
	} {
		w := new(defs.World)
		*w = *base()
		w.Players = defs.Players{MaxLevel: 80, NextXP: make([]uint32, 80)}
		w.Players.Classes[1].Health, w.Players.Classes[1].Stats[0] = defs.Growth{First: 42, PerLevel: 18}, defs.Growth{First: 7}
		at := imported(t, "testdata/azerothcore.sql", dump(t, placeRows+bare+sql))
		got, err := Load(t.Context(), at, w)
		if err != nil {
			t.Fatal(err)
		}
		counted(t, at, got)
		p := &got.Players
		for _, c := range []struct {
			race  uint8
			level uint32
			want  defs.LevelStats
		}{
			{1, 1, defs.LevelStats{Health: 20, Stats: [5]float32{23, 20, 22, 20, 20}}},
			{1, 2, defs.LevelStats{Health: 29, Stats: [5]float32{24, 21, 23, 20, 20}}},
			{2, 1, defs.LevelStats{Health: 20, Stats: [5]float32{26, 17, 23, 16, 22}}},
			{2, 3, defs.LevelStats{Health: 78, Stats: [5]float32{7}}}, // of the base
		} {
			if got := p.Base(c.race, 1, c.level); got != c.want {
				t.Errorf("%s: race %d, level %d: %+v, want %+v", family, c.race, c.level, got, c.want)
			}
		}
		if p.NextXP[1] != 390 || p.NextXP[2] != 900 || p.NextXP[3] != 0 || w.Players.NextXP[1] != 0 {
			t.Errorf("%s: %v", family, p.NextXP[:4])
		}
		if u := got.Use["player_xp_for_level"]; u.Executed != 2 || u.Not[noLevel] != 2 {
			t.Errorf("%s: %+v", family, u)
		}
	}
}
