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
		{ID: 4, Name: "Siege", Calendar: defs.Calendar{ForMin: 60}},
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
		"game_event 6\n  in part 4: it has no calendar: it begins and ends with .event start and .event stop\n" +
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
	const want = "[{ID:1 Name:Lantern Walk Holiday:0 Calendar:{Start:1798113600 End:1799193600 EveryMin:1440 ForMin:120}}" +
		" {ID:2 Name:Faire Holiday:374 Calendar:{Start:0 End:0 EveryMin:0 ForMin:10080}} {ID:3 Name:Siege Holiday:0 Calendar:{Start:0 End:0 EveryMin:0 ForMin:30}}]"
	if got := fmt.Sprintf("%+v", w.GameEvents); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := use(w); !strings.Contains(got, "game_event 3\n  in part 2: it has no calendar") || !strings.Contains(got, "game_event_time 1\n  not 1: its event follows another schedule\n") {
		t.Error(got)
	}
}
