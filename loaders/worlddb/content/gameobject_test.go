package content

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// objectRows are game objects of AzerothCore: one of each that is executed, and one for each reason that one is not.
const objectRows = `
INSERT INTO creature_template (entry, name) VALUES (300, 'Reed Heron');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map) VALUES (1,300,0),(2,300,571);
INSERT INTO gameobject_template (entry, type, displayId, name, IconName, castBarCaption, unk1, size, Data0, Data1, Data2, Data3, Data23) VALUES
(500,0,31,'Lock Gate','Point','Opening','x',1.5,1,-7,3000,0,9), (501,3,259,'Tin Box','','','',0,57,501,60,1,0), (502,11,7,'Lift','','','',1,0,0,0,0,0),
(503,15,7,'Ferry','','','',1,0,0,0,0,0), (504,36,7,'Nothing','','','',1,0,0,0,0,0), (505,8,7,'Fire','','','',1,4,10,0,1,0), (506,3,8,'Purse','','','',1,0,0,0,0,0);
INSERT INTO gameobject_template_addon VALUES (500,114,16,1,2), (506,0,4,20,10);
INSERT INTO gameobject (guid, id, map, spawnMask, phaseMask, position_x, position_y, position_z, orientation, rotation0, rotation1, rotation2, rotation3, spawntimesecs, animprogress, state) VALUES
(60001,500,0,1,1,10,20,30,1,0,0,0.6,0.8,120,255,1), (60002,501,571,1,1,1,2,3,2,0,0,0,0,30,100,0), (60003,500,0,1,1,10,21,30,-1,0,0,2,0,0,100,7),
(60004,502,0,1,1,0,0,0,0,0,0,0,1,0,0,1), (60005,777,0,1,1,0,0,0,0,0,0,0,1,0,0,1), (60006,500,0,2,1,0,0,0,0,0,0,0,1,0,0,1),
(60007,500,0,1,2,0,0,0,0,0,0,0,1,0,0,1), (60008,500,0,1,1,20000,0,0,0,0,0,0,1,0,0,1), (60009,500,530,1,1,0,0,0,0,0,0,0,1,0,0,1),
(60010,500,0,1,1,0,0,0,0,0,0,0,1,-25,0,1), (60011,505,0,1,1,0,0,0,0,0,0,0,1,0,0,1), (60012,500,0,1,1,0,0,0,0,0,0,0,1,0,0,1),
(60013,500,0,1,1,0,0,0,0,0,0,0,1,0,0,1), (60014,500,0,1,1,5,5,5,0,0,0,0,1,0,0,1), (60015,500,0,1,1,0,0,0,0,0,0,0,1,0,0,1);
INSERT INTO gameobject_addon VALUES (60001,0,0,0.6,0.8), (60004,0,0,0,1);
INSERT INTO pool_template VALUES (1,1), (2,0), (3,1), (4,1);
INSERT INTO pool_creature VALUES (1,4,0);
INSERT INTO pool_gameobject VALUES (60012,1,0), (60014,2,30), (60015,4,0), (60016,3,0), (60017,77,0);
INSERT INTO pool_pool VALUES (2,1,0);
CREATE TABLE linked_respawn (guid int NOT NULL, linkedGuid int NOT NULL, linkType int NOT NULL, PRIMARY KEY (guid, linkType));
INSERT INTO linked_respawn VALUES (1,60001,1), (60001,60003,2), (60001,1,3), (60003,1,3), (60003,60004,2), (60004,1,4);
INSERT INTO game_event_gameobject VALUES (3,60013), (-3,60001);
`

func TestGameObjects(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/gameobjects.sql", dump(t, objectRows)))
	wantKinds := []defs.GameObject{
		{
			Entry: 500, Type: defs.ObjectDoor, DisplayID: 31, Name: "Lock Gate", Icon: "Point", Caption: "Opening", Extra: "x", Size: 1.5,
			Data: [24]uint32{0: 1, 1: 0xFFFFFFF9, 2: 3000, 23: 9}, Faction: 114, Flags: 16,
		},
		{Entry: 501, Type: defs.ObjectChest, DisplayID: 259, Name: "Tin Box", Size: 1, Data: [24]uint32{57, 501, 60, 1}},
		{Entry: 505, Type: defs.ObjectSpellFocus, DisplayID: 7, Name: "Fire", Size: 1, Data: [24]uint32{4, 10, 0, 1}},
		{Entry: 506, Type: defs.ObjectChest, DisplayID: 8, Name: "Purse", Size: 1, Flags: 4, MinMoney: 20, MaxMoney: 20},
	}
	if !reflect.DeepEqual(w.GameObjects, wantKinds) {
		t.Errorf("got  %+v\nwant %+v", w.GameObjects, wantKinds)
	}
	turned := func(o float64) [4]float32 {
		return [4]float32{2: float32(math.Sin(o / 2)), 3: float32(math.Cos(o / 2))}
	}
	want := []defs.ObjectSpawn{
		{ID: 60001, Entry: 500, X: 10, Y: 20, Z: 30, O: 1, Rotation: [4]float32{2: 0.6, 3: 0.8}, Parent: [4]float32{2: 0.6, 3: 0.8}, State: 1, Progress: 255, RespawnMs: 120_000},
		{ID: 60003, Entry: 500, X: 10, Y: 21, Z: 30, O: 2*math.Pi - 1, Rotation: [4]float32{2: 1}, Parent: [4]float32{3: 1}, State: 1, Progress: 100},
		{ID: 60012, Entry: 500, Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, State: 1},
		{ID: 60014, Entry: 500, X: 5, Y: 5, Z: 5, Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, State: 1},
	}
	if got := w.Map(0).Objects; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	pools := []defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Index: 2}, {Index: 1, Nested: true}}}, {Limit: 1, Members: []defs.PoolMember{{Index: 3, Chance: 30}}}}
	if got := w.Map(0).ObjectPools; !reflect.DeepEqual(got, pools) {
		t.Errorf("got %+v, want %+v", got, pools)
	}
	object := defs.ObjectPoint
	if got, want := w.Map(0).Links, []defs.RespawnLink{{Of: 0, To: object(0)}, {Of: object(0), To: 0}, {Of: object(1), To: 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	want = []defs.ObjectSpawn{{ID: 60002, Entry: 501, X: 1, Y: 2, Z: 3, O: 2, Rotation: turned(2), Parent: [4]float32{3: 1}, Progress: 100, RespawnMs: 30_000}}
	if got := w.Map(571).Objects; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if w.Map(530) != nil {
		t.Error("a map has nothing but game objects")
	}
	for _, want := range []string{`
game_event_gameobject 0
  not 2: its event is not there
`, `
gameobject 5
  not 1: clients do not see it
  not 1: it is there during an event only, and that is not there
  not 1: it spawns at the request of a script only
  not 1: its phase mask is without phase 1
  not 1: its pool has creatures, too
  not 1: its spawn mask is without the normal difficulty
  not 2: its template is not there, or is not executed
  not 1: nothing lives on its map
  not 1: the position is off its map
gameobject_addon 1
  not 1: the game object is not executed
gameobject_template 4
  not 1: clients end on its type
  not 2: transports are not executed
gameobject_template_addon 2
`, `
linked_respawn 3
  not 1: another row links the same
  not 1: no link is of this kind
  not 1: what it links is not executed
playercreateinfo 0
pool_creature 1
pool_gameobject 2
  not 2: the game object is not executed
  not 1: the pool is not there
pool_pool 1
pool_template 3
  not 1: nothing of the pool is executed
`} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

// The other families have the same rows under other names, and in CMaNGOS what a template has besides is in it.
func TestGameObjectsOfOthers(t *testing.T) {
	for family, sql := range map[worlddb.Family]string{
		worlddb.TrinityCore: trinity + `
CREATE TABLE gameobject_template (entry int unsigned NOT NULL, type tinyint unsigned NOT NULL, displayId int unsigned NOT NULL, name varchar(100) NOT NULL,
  IconName varchar(100) NOT NULL DEFAULT '', size float NOT NULL DEFAULT '1', Data0 int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (entry));
CREATE TABLE gameobject_template_addon (entry int unsigned NOT NULL, faction smallint unsigned NOT NULL, flags int unsigned NOT NULL, mingold int unsigned NOT NULL,
  maxgold int unsigned NOT NULL, PRIMARY KEY (entry));
CREATE TABLE gameobject (guid int unsigned NOT NULL, id int unsigned NOT NULL, map smallint unsigned NOT NULL, position_x float NOT NULL, position_y float NOT NULL,
  position_z float NOT NULL, orientation float NOT NULL, rotation0 float NOT NULL, rotation1 float NOT NULL, rotation2 float NOT NULL, rotation3 float NOT NULL,
  spawntimesecs int NOT NULL, animprogress tinyint unsigned NOT NULL, state tinyint unsigned NOT NULL, StringId varchar(64) DEFAULT NULL, PRIMARY KEY (guid));
CREATE TABLE pool_template (entry int unsigned NOT NULL, max_limit int unsigned NOT NULL, PRIMARY KEY (entry));
INSERT INTO pool_template VALUES (1,1);
CREATE TABLE pool_members (type smallint unsigned NOT NULL, spawnId int unsigned NOT NULL, poolSpawnId int unsigned NOT NULL, chance float NOT NULL DEFAULT '0', PRIMARY KEY (type, spawnId));
INSERT INTO gameobject_template VALUES (70,3,12,'Hamper','',1,5);
INSERT INTO gameobject_template_addon VALUES (70,35,4,1,9);
INSERT INTO gameobject VALUES (8,70,1,1,2,3,0,0,0,0,1,60,100,1,NULL), (9,70,1,1,2,3,0,0,0,0,1,60,100,1,NULL);
INSERT INTO pool_members VALUES (1,9,1,0);
`,
		worlddb.CMaNGOS: mangos + `
CREATE TABLE gameobject_template (entry mediumint unsigned NOT NULL, type tinyint unsigned NOT NULL, displayId mediumint unsigned NOT NULL, name varchar(100) NOT NULL,
  faction smallint unsigned NOT NULL, flags int unsigned NOT NULL, size float NOT NULL DEFAULT '1', data0 int unsigned NOT NULL DEFAULT '0',
  mingold mediumint unsigned NOT NULL, maxgold mediumint unsigned NOT NULL, PRIMARY KEY (entry));
CREATE TABLE gameobject (guid int unsigned NOT NULL, id mediumint unsigned NOT NULL, map smallint unsigned NOT NULL, position_x float NOT NULL, position_y float NOT NULL,
  position_z float NOT NULL, orientation float NOT NULL, rotation0 float NOT NULL, rotation1 float NOT NULL, rotation2 float NOT NULL, rotation3 float NOT NULL,
  spawntimesecsmin int NOT NULL, spawntimesecsmax int NOT NULL, PRIMARY KEY (guid));
INSERT INTO gameobject_template VALUES (70,3,12,'Hamper',35,4,1,5,1,9);
INSERT INTO gameobject VALUES (8,70,0,1,2,3,0,0,0,0,1,60,90);
`,
	} {
		c := worlddb.Config{Dir: t.TempDir(), Paths: []string{dump(t, sql)}, Strict: true}
		if _, err := worlddb.Import(t.Context(), c); err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		w := load(t, c.Dir)
		hamper := defs.GameObject{
			Entry: 70, Type: defs.ObjectChest, DisplayID: 12, Name: "Hamper", Size: 1, Data: [24]uint32{5}, Faction: 35, Flags: 4, MinMoney: 1, MaxMoney: 9,
		}
		if w.Family != family || len(w.GameObjects) != 1 || w.GameObjects[0] != hamper {
			t.Errorf("%s: got %+v", w.Family, w.GameObjects)
		}
		at := defs.ObjectSpawn{ID: 8, Entry: 70, X: 1, Y: 2, Z: 3, Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, State: 1, Progress: 100, RespawnMs: 60_000}
		var all []defs.ObjectSpawn
		var pools []defs.Pool
		for i := range w.Maps {
			all, pools = append(all, w.Maps[i].Objects...), append(pools, w.Maps[i].ObjectPools...)
		}
		want, wantPools := []defs.ObjectSpawn{at}, []defs.Pool(nil)
		if family == worlddb.TrinityCore {
			pooled := at
			pooled.ID = 9
			want, wantPools = append(want, pooled), []defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Index: 1}}}}
		}
		if !reflect.DeepEqual(all, want) || !reflect.DeepEqual(pools, wantPools) {
			t.Errorf("%s: got %+v, %+v, want %+v, %+v", family, all, pools, want, wantPools)
		}
	}
}
