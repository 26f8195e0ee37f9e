package content

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"muster/components/defs"
)

// Unix seconds of the dates in the tests, as date -u +%s has them.
const (
	december1  = 1_796_083_200 // 2026-12-01 00:00:00
	december24 = 1_798_113_600 // 2026-12-24 12:00:00
	january6   = 1_799_193_600 // 2027-01-06 00:00:00
)

const eventRows = `
INSERT INTO creature_template (entry, name) VALUES (300, 'Reed Heron');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,300,0,1),(2,300,0,2),(3,300,0,3),(4,300,571,4),(5,300,0,5),(6,300,0,6),(7,999,0,7),(8,300,0,8);
INSERT INTO pool_template VALUES (20,1);
INSERT INTO pool_creature VALUES (5,20,0),(6,20,0);
`

// Events of AzerothCore are on between their dates, again and again, and bring and take away creatures.
func TestGameEvents(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, eventRows+`
CREATE TABLE game_event (eventEntry tinyint unsigned NOT NULL, start_time timestamp NULL DEFAULT NULL, end_time timestamp NULL DEFAULT NULL,
  occurence bigint unsigned NOT NULL DEFAULT '5184000', length bigint unsigned NOT NULL DEFAULT '2592000', holiday int unsigned NOT NULL DEFAULT '0',
  holidayStage tinyint unsigned NOT NULL DEFAULT '0', description varchar(255) DEFAULT NULL, world_event tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (eventEntry));
INSERT INTO game_event (eventEntry, start_time, end_time, occurence, length, holiday, description, world_event) VALUES
(9,'2026-12-24 12:00:00','2027-01-06 00:00:00',1440,120,0,'Lantern Walk',0), (2,'2026-12-01 00:00:00',NULL,10080,60,404,'Market',0),
(4,'2026-12-01 00:00:00',NULL,10080,60,0,'Siege',1), (5,NULL,NULL,0,0,0,'Never',5), (6,'0000-00-00 00:00:00','2027-01-06 00:00:00',60,30,0,'Dateless',0),
(7,'2027-01-06 00:00:00','2027-01-06 00:00:00',60,30,0,'Nought',0), (8,'2026-12-01 00:00:00',NULL,4294967296,1,0,'Aeon',0), (0,'2026-12-01 00:00:00',NULL,60,30,0,'Reserved',0);
INSERT INTO game_event_creature VALUES (2,2), (9,1), (-9,3), (2,1), (4,4), (9,5), (-9,6), (9,7), (33,8);
`)))
	want := []defs.GameEvent{
		{ID: 2, Name: "Market", Holiday: 404, Calendar: defs.Calendar{Start: december1, EveryMin: 10080, ForMin: 60}},
		{ID: 4, Name: "Siege", Calendar: defs.Calendar{ForMin: 60}, World: true},
		{ID: 5, Name: "Never"},
		{ID: 6, Name: "Dateless", Calendar: defs.Calendar{ForMin: 30}},
		{ID: 7, Name: "Nought", Calendar: defs.Calendar{ForMin: 30}},
		{ID: 9, Name: "Lantern Walk", Calendar: defs.Calendar{Start: december24, End: january6, EveryMin: 1440, ForMin: 120}},
	}
	if !reflect.DeepEqual(w.GameEvents, want) {
		t.Errorf("got  %+v\nwant %+v", w.GameEvents, want)
	}
	const lantern, market, siege = 5, 0, 1
	for place, want := range map[uint32][]defs.EventSpawn{
		0: {{Point: 0, Event: market}, {Point: 0, Event: lantern}, {Point: 1, Event: market}, {Point: 2, Event: lantern, Away: true}}, 571: {{Event: siege}},
	} {
		if got := w.Map(place).EventSpawns; !reflect.DeepEqual(got, want) {
			t.Errorf("map %d: got %+v, want %+v", place, got, want)
		}
	}
	if got := w.Map(0).Spawns; len(got) != 4 || got[3].X != 6 {
		t.Errorf("spawn points %+v", got)
	}
	for _, want := range []string{
		"creature 5\n  not 1: it is of a pool, and there during an event only\n  not 1: it is there during an event only, and that is not there\n  not 1: its template",
		"game_event 6\n  in part 3: it has no calendar: it begins and ends with .event start and .event stop\n" +
			"  in part 1: the dates of its holiday are those of the row: no file of a client is read\n" +
			"  not 1: 0 and less are numbers of no event\n  not 1: its times are too large\n",
		"game_event_creature 5\n  not 1: its event is not there\n  not 2: its spawn point is of a pool, which chooses for itself\n  not 1: the creature is not executed\n",
	} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
	known := map[string]bool{w.Digest: true}
	for i, change := range []string{"", "UPDATE game_event SET length = 61 WHERE eventEntry = 2;", "DELETE FROM game_event_creature WHERE guid = 3;"} {
		other := load(t, imported(t, "testdata/azerothcore.sql", dump(t, eventRows+
			"CREATE TABLE game_event (eventEntry int, start_time timestamp, end_time timestamp, occurence bigint, length bigint, description text, PRIMARY KEY (eventEntry));"+
			"INSERT INTO game_event VALUES (2,'2026-12-01 00:00:00',NULL,10080,60,'Market'); INSERT INTO game_event_creature VALUES (2,3);"+change)))
		if known[other.Digest] || len(other.GameEvents) != 1 || len(other.Map(0).EventSpawns) != 1-i/2 {
			t.Errorf("%s: %+v, %+v", change, other.GameEvents, other.Map(0).EventSpawns)
		}
		known[other.Digest] = true
	}
}

// Events of CMaNGOS have their dates in another table, and some follow a schedule that is not executed.
func TestGameEventsOfCMaNGOS(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, eventRows+`
CREATE TABLE game_event (entry mediumint unsigned NOT NULL, schedule_type int NOT NULL DEFAULT '0', occurence bigint unsigned NOT NULL, length bigint unsigned NOT NULL,
  holiday mediumint unsigned NOT NULL DEFAULT '0', linkedTo mediumint unsigned NOT NULL DEFAULT '0', description varchar(255) DEFAULT NULL, PRIMARY KEY (entry));
CREATE TABLE game_event_time (entry mediumint unsigned NOT NULL, start_time datetime NOT NULL, end_time datetime NOT NULL, PRIMARY KEY (entry));
INSERT INTO game_event VALUES (1,1,1440,120,0,0,'Lantern Walk'), (2,2,40320,10080,374,0,'Faire'), (3,0,60,30,0,0,'Siege');
INSERT INTO game_event_time VALUES (1,'2026-12-24 12:00:00','2027-01-06 00:00:00'), (2,'2026-12-24 12:00:00','2027-01-06 00:00:00');
`)))
	const want = "[{ID:1 Name:Lantern Walk Holiday:0 Calendar:{Start:1798113600 End:1799193600 EveryMin:1440 ForMin:120} World:false After:[] Needs:0}" +
		" {ID:2 Name:Faire Holiday:374 Calendar:{Start:0 End:0 EveryMin:0 ForMin:10080} World:false After:[] Needs:0} {ID:3 Name:Siege Holiday:0 Calendar:{Start:0 End:0 EveryMin:0 ForMin:30} World:false After:[] Needs:0}]"
	if got := fmt.Sprintf("%+v", w.GameEvents); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := use(w); !strings.Contains(got, "game_event 3\n  in part 2: it has no calendar") || !strings.Contains(got, "game_event_time 1\n  not 1: its event follows another schedule\n") {
		t.Error(got)
	}
}

// Events have game objects, services, looks and wares of their own, and world events wait for each other.
func TestEventTables(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/gameobjects.sql", dump(t, eventRows+`
DELETE FROM gameobject; DELETE FROM gameobject_addon; DELETE FROM game_event_gameobject; DELETE FROM pool_gameobject;
INSERT INTO item_template (entry, class, name, displayid, BuyPrice, stackable) VALUES (31, 0, 'Reed Cake', 902, 25, 20);
INSERT INTO gameobject_template (entry, type, displayId, name) VALUES (501, 10, 8, 'Lantern');
INSERT INTO gameobject (guid, id, map, position_x) VALUES (1,501,0,1),(2,501,0,2),(3,501,0,3);
CREATE TABLE game_event (eventEntry int, start_time timestamp NULL, end_time timestamp NULL, occurence bigint, length bigint, description text, world_event int, PRIMARY KEY (eventEntry));
INSERT INTO game_event VALUES (2,'2026-12-01 00:00:00',NULL,10080,60,'Market',0),(5,NULL,NULL,0,10,'Muster',1),(6,NULL,NULL,0,20,'March',2),(7,NULL,NULL,0,20,'Inner',5);
INSERT INTO game_event_gameobject VALUES (2,1),(-2,2),(5,2),(2,99),(66,3);
CREATE TABLE game_event_prerequisite (eventEntry int, prerequisite_event int, PRIMARY KEY (eventEntry, prerequisite_event));
INSERT INTO game_event_prerequisite VALUES (6,5),(6,2),(2,5),(6,99);
CREATE TABLE game_event_condition (eventEntry int, condition_id int, req_num float, PRIMARY KEY (eventEntry, condition_id));
INSERT INTO game_event_condition VALUES (6,1,10),(6,2,2.5),(5,1,0),(7,1,1);
CREATE TABLE game_event_npcflag (eventEntry int, guid int, npcflag int, PRIMARY KEY (guid, eventEntry));
INSERT INTO game_event_npcflag VALUES (2,1,129),(2,2,8320),(2,3,8192),(9,1,1),(2,77,1);
CREATE TABLE creature_equip_template (CreatureID int, ID int, ItemID1 int, ItemID2 int, ItemID3 int, PRIMARY KEY (CreatureID, ID));
INSERT INTO creature_equip_template VALUES (300,2,31,0,0);
CREATE TABLE game_event_model_equip (eventEntry int, guid int, modelid int, equipment_id int, PRIMARY KEY (guid));
INSERT INTO game_event_model_equip VALUES (2,1,88,2),(5,4,89,0),(5,3,0,0);
CREATE TABLE game_event_npc_vendor (eventEntry int, guid int, slot int, item int, maxcount int, incrtime int, ExtendedCost int, PRIMARY KEY (guid, item));
INSERT INTO game_event_npc_vendor VALUES (2,1,0,31,4,60,0),(2,2,0,32,0,0,0),(2,3,0,31,0,0,5),(2,4,0,31,4,0,0);
`)))
	wantEvents := []defs.GameEvent{
		{ID: 2, Name: "Market", Calendar: defs.Calendar{Start: december1, EveryMin: 10080, ForMin: 60}},
		{ID: 5, Name: "Muster", Calendar: defs.Calendar{ForMin: 10}, World: true},
		{ID: 6, Name: "March", Calendar: defs.Calendar{ForMin: 20}, World: true, After: []uint32{2, 5}, Needs: 13},
		{ID: 7, Name: "Inner", Calendar: defs.Calendar{ForMin: 20}},
	}
	if !reflect.DeepEqual(w.GameEvents, wantEvents) {
		t.Errorf("got  %+v\nwant %+v", w.GameEvents, wantEvents)
	}
	m := w.Map(0)
	if want := []defs.EventSpawn{{Point: 0, Event: 0}, {Point: 1, Event: 0, Away: true}, {Point: 1, Event: 1}}; !reflect.DeepEqual(m.EventObjects, want) || len(m.Objects) != 2 {
		t.Errorf("game objects of events: %+v of %d", m.EventObjects, len(m.Objects))
	}
	if want := []defs.EventLook{
		{Point: 0, Event: 0, NPCFlags: 129, Display: 88, Armed: true, Items: [3]uint32{31}}, {Point: 1, Event: 0, NPCFlags: 128},
	}; !reflect.DeepEqual(m.EventLooks, want) {
		t.Errorf("looks %+v", m.EventLooks)
	}
	if want := []defs.EventLook{{Point: 0, Event: 1, Display: 89}}; !reflect.DeepEqual(w.Map(571).EventLooks, want) {
		t.Errorf("looks %+v", w.Map(571).EventLooks)
	}
	if want := []defs.EventWare{{Entry: 300, VendorItem: defs.VendorItem{Item: 31, Max: 4, RestockSec: 60}}}; !reflect.DeepEqual(w.EventWares, want) {
		t.Errorf("wares %+v", w.EventWares)
	}
	for _, want := range []string{
		"gameobject 2\n  not 1: it is there during an event only, and that is not there\n",
		"game_event_gameobject 3\n  not 1: its event is not there\n  not 1: the game object is not executed\n",
		"game_event_prerequisite 2\n  in part 1: what its event waits for is no world event: it begins with .event start alone\n  not 1: its event is no world event\n  not 1: its event is not there\n",
		"game_event_condition 3\n  in part 2: only quests count for it, and quests are not executed: its event lasts until .event stop\n  not 1: its event is no world event\n",
		"game_event_npcflag 2\n  in part 1: services that are not executed\n  not 1: its event is not there\n  not 1: its services are not executed\n  not 1: the creature is not executed\n",
		"game_event_model_equip 2\n  not 1: it changes nothing\n",
		"game_event_npc_vendor 1\n  not 1: it costs other things than money\n  not 1: it has a limit and no time after which there is more, or the reverse\n  not 1: its item is not there\n",
	} {
		if got := use(w); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
}

// Pools are there during events, or at all other times, if they lie in no other pool.
//
// Source: GameEventMgr::GameEventSpawn and PoolMgr::LoadFromDB, AzerothCore.
func TestEventPools(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, eventRows+`
CREATE TABLE game_event (eventEntry int NOT NULL, description text, PRIMARY KEY (eventEntry)); INSERT INTO game_event VALUES (2,'Market'), (9,'Walk');
CREATE TABLE game_event_pool (eventEntry int NOT NULL, pool_entry int NOT NULL, PRIMARY KEY (eventEntry, pool_entry));
INSERT INTO game_event_pool VALUES (9,20), (-2,20), (9,21), (9,22), (44,23), (9,77);
INSERT INTO pool_template VALUES (21,1), (22,1), (23,1), (24,1);
INSERT INTO pool_creature VALUES (1,21,0), (2,23,0), (3,24,0);
INSERT INTO pool_pool VALUES (21,24,0);
`)))
	m := w.Map(0)
	want := []defs.EventSpawn{{Point: 0, Event: 0, Away: true}, {Point: 0, Event: 1}}
	if !reflect.DeepEqual(m.EventPools, want) || len(m.Pools) != 3 {
		t.Errorf("%+v of %+v, want %+v", m.EventPools, m.Pools, want)
	}
	const wantUse = `game_event_pool 2
  not 1: its event is not there
  not 1: its pool lies in another, which chooses
  not 1: no creature of the pool is executed
  not 1: the pool is not there
`
	if got := usedOf(w, "game_event_pool"); got != wantUse {
		t.Errorf("%s", got)
	}
	if got := use(w); !strings.Contains(got, "  not 1: its pool is there during an event only, and that is not there\n") {
		t.Error(got)
	}
}
