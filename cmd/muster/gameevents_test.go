package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/loaders/worlddb"
)

// eventRows add to the invented world a fair that begins at noon, and a siege that begins on request. The 60 creatures around the start are
// there except during the siege, and the jackals behind them during one of the two only.
const eventRows = `
CREATE TABLE game_event (eventEntry tinyint unsigned NOT NULL, start_time timestamp NULL DEFAULT NULL, end_time timestamp NULL DEFAULT NULL,
  occurence bigint unsigned NOT NULL, length bigint unsigned NOT NULL, description varchar(255) DEFAULT NULL, world_event tinyint unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (eventEntry));
INSERT INTO game_event VALUES (3,'2026-12-24 12:00:00','2027-01-06 00:00:00',1440,120,'Lantern Fair',0), (8,NULL,NULL,0,0,'Siege',5);
`

// eventTableRows add a lantern, which events bring and take away, tables of what creatures show and sell during events, and a world event that follows
// another.
const eventTableRows = `
DELETE FROM gameobject; DELETE FROM gameobject_addon; DELETE FROM game_event_gameobject;
INSERT INTO gameobject_template (entry, type, displayId, name) VALUES (70001, 10, 8, 'Lantern');
INSERT INTO game_event VALUES (9,NULL,NULL,0,0,'Rising',1), (10,NULL,NULL,0,1,'Feast',1);
CREATE TABLE game_event_prerequisite (eventEntry int, prerequisite_event int, PRIMARY KEY (eventEntry, prerequisite_event));
INSERT INTO game_event_prerequisite VALUES (10,9);
CREATE TABLE game_event_npcflag (eventEntry int, guid int, npcflag int, PRIMARY KEY (guid, eventEntry));
CREATE TABLE game_event_model_equip (eventEntry int, guid int, modelid int, equipment_id int, PRIMARY KEY (guid));
`

// Game events begin by their calendar and on request, and end, while clients walk among the creatures that come and go: what they are sent
// breaks no rule. It is told, logged and counted, and a recording of it runs again to the same digests.
func TestGameEventUnderSwarm(t *testing.T) {
	waits(t)
	dir, rows := t.TempDir(), new(strings.Builder)
	rows.WriteString(eventRows)
	for guid := 2; guid <= 61; guid++ {
		fmt.Fprintf(rows, "INSERT INTO game_event_creature VALUES (-8,%d);\n", guid)
	}
	for guid := 62; guid <= 85; guid++ {
		fmt.Fprintf(rows, "INSERT INTO game_event_creature VALUES (3,%d),(8,%[1]d);\n", guid)
	}
	objects, err := os.ReadFile("../../loaders/worlddb/content/testdata/gameobjects.sql")
	if err != nil {
		t.Fatal(err)
	}
	rows.Write(objects)
	rows.WriteString(eventTableRows)
	for guid := 2; guid <= 31; guid++ { // what half of the creatures around the start show
		fmt.Fprintf(rows, "INSERT INTO game_event_model_equip VALUES (3,%d,55,0);\nINSERT INTO game_event_npcflag VALUES (8,%[1]d,1);\n", guid)
		fmt.Fprintf(rows, "INSERT INTO gameobject (guid, id, map, position_x, position_y, position_z) VALUES (%d,70001,0,%d,%d,30);\nINSERT INTO game_event_gameobject VALUES (%d,%d);\n",
			80000+guid, -130+2*guid, 170+3*guid, []int{3, -3, 8}[guid%3], 80000+guid)
	}
	more := filepath.Join(dir, "events.sql")
	if err := os.WriteFile(more, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := execute(t, nil, "world", "import", "--strict", "--data", dir, inventWorld(t), more); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	file, recordings := filepath.Join(dir, worlddb.File), filepath.Join(dir, "recordings")
	s := serve(t, "--ephemeral", "--world-db", file, "--record", recordings, "--date", "2026-12-24T11:59:59Z")
	s.told("wait=1ms") // what happens from now on is kept
	const clients = 100
	done := make(chan struct{})
	go func() {
		defer close(done)
		swarms(t, s, swarm.Config{Prefix: "VISITOR", Clients: clients, Behaviour: swarm.Walk, Duration: 3 * time.Second})
	}()
	if h := s.first("event_begin", ""); h.Event != 3 || h.Map == nil {
		t.Errorf("the beginning is %+v", h)
	}
	say := func(line string, want ...string) {
		t.Helper()
		got := s.must("POST", "/api/console", fmt.Sprintf(`{"line":%q}`, line))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %s, want %s", line, got, part)
			}
		}
	}
	say("event start 9", "Rising begins.")
	say("event info 10", "10 - Feast is on.", "It begins after event 9.")
	for range 4 {
		say("event start 8", `"ok":true,"lines":["Siege begins."]`)
		say("event activelist", `"3 - Lantern Fair","8 - Siege","10 - Feast","3 game events are on."`)
		say("event stop 8", `"ok":true,"lines":["Siege ends."]`)
	}
	say("event stop 3", `"ok":true,"lines":["Lantern Fair ends."]`)
	say("event stop 3", `"ok":false`)
	<-done
	say("server debug", "gameevent.begun")
	s.stop(syscall.SIGTERM, 1)
	for _, want := range []string{`msg="game event begins" event=3 name="Lantern Fair" map=0`, `msg="game event ends" event=8 name=Siege map=0`} {
		if log := s.stderr(); !strings.Contains(log, want) {
			t.Errorf("%s\nlacks %s", log, want)
		}
	}
	code, stdout, stderr := execute(t, nil, "replay", recordings, "--world-db", file)
	if code != exitOK || !strings.Contains(stdout, "map 0: ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := execute(t, nil, "serve", "--ephemeral", "--date", "1969-12-24T11:59:59Z"); code != exitUsage || !strings.Contains(stderr, "--date is not before 1970") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
