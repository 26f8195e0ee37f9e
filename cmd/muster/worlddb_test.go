package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/loaders/worlddb"
	"muster/net/protocol/msg"
)

// inventWorld writes a dump of a small world of AzerothCore, of invented rows: a folder with its tables, and 120 creatures on three maps,
// most of them around the place where human warriors begin, some of which walk a path.
func inventWorld(t *testing.T) string {
	t.Helper()
	tables, err := os.ReadFile("../../loaders/worlddb/content/testdata/azerothcore.sql")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	rows.WriteString(`
INSERT INTO creature_template (entry, name, subname, minlevel, maxlevel, faction, unit_class, type, mingold, maxgold) VALUES
(7001, 'Thorn Boar', NULL, 1, 2, 7, 1, 1, 0, 0), (7002, 'Thicket Rogue', NULL, 1, 2, 7, 1, 7, 2, 5), (7003, 'Marigold Bell', 'Beekeeper', 9, 9, 35, 1, 7, 0, 0),
(7004, 'Dust Jackal', NULL, 2, 3, 14, 1, 1, 0, 0), (7005, 'Hill Giant', NULL, 20, 22, 14, 1, 5, 0, 0);
UPDATE creature_template SET DamageModifier = 0.4;
INSERT INTO creature_template_model VALUES (7001,0,51,1,1),(7002,0,52,1,1),(7003,0,53,1,1),(7004,0,54,0.8,1),(7005,0,55,2,1);
INSERT INTO creature_model_info VALUES (51,0.3,1,2),(52,0.3,1.5,0),(53,0.3,1.5,1),(54,0.4,1.2,2),(55,0.5,2,2);
INSERT INTO playercreateinfo VALUES (1,1,0,12,-100,200,30,0),(2,1,1,14,5,6,7,1),(1,8,0,12,-100,200,30,0);
INSERT INTO game_tele VALUES (1,300,300,12,0,1,'Windmill');
`)
	for level := 1; level <= 22; level++ {
		fmt.Fprintf(&rows, "INSERT INTO creature_classlevelstats VALUES (%d,1,%d,%d,%d,0,%d,%d,1,%d,%[2]d,%[2]d);\n",
			level, 40+14*level, 40+14*level, 40+14*level, 10*level, 10+4*level, 1+level)
	}
	const spawn = "INSERT INTO creature (guid, id1, map, position_x, position_y, position_z, orientation, spawntimesecs, wander_distance, MovementType) VALUES "
	guid := 0
	add := func(entry, place int, x, y, z, wander float64, movement int) {
		guid++
		fmt.Fprintf(&rows, spawn+"(%d,%d,%d,%g,%g,%g,0,5,%g,%d);\n", guid, entry, place, x, y, z, wander, movement)
	}
	add(7003, 0, -90, 200, 30, 0, 0)
	for i := range 60 { // in rings around the start
		sin, cos := math.Sincos(float64(i))
		far := float64(14 + i)
		add(7001+i%2, 0, -100+math.Round(far*cos), 200+math.Round(far*sin), 30, 4, 1)
	}
	for i := range 24 {
		x, y := -160+float64(5*i), 290.0
		add(7004, 0, x, y, 31, 0, 2)
		fmt.Fprintf(&rows, "INSERT INTO creature_addon (guid, path_id) VALUES (%d,%[1]d0);\n", guid)
		for n, at := range [][2]float64{{x, y}, {x + 20, y}, {x + 20, y + 15}, {x, y + 15}} {
			fmt.Fprintf(&rows, "INSERT INTO waypoint_data (id, point, position_x, position_y, position_z, delay) VALUES (%d0,%d,%g,%g,31,%d);\n",
				guid, n+1, at[0], at[1], 1000*(n%2))
		}
	}
	for i := range 20 {
		add(7001, 1, 5+float64(7*i), 6, 7, 5, 1)
		if i < 15 {
			add(7005, 571, float64(40*i), 0, 100, 10, 1)
		}
	}
	dir := t.TempDir()
	for name, sql := range map[string]string{"1_tables.sql": string(tables), "2_rows.sql": rows.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// importWorld is the file of an invented world.
func importWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	code, stdout, stderr := execute(t, nil, "world", "import", "--strict", "--data", dir, inventWorld(t))
	if code != exitOK || !strings.Contains(stdout, "\n0 rows and statements are not used, 0 kinds of references dangle") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	return filepath.Join(dir, worlddb.File)
}

// An imported world is served: a human warrior begins where the database says, and sees the creature that is there, at its place, with
// its level, and its name when it asks. What becomes of the rows is in the log and in the report.
func TestWorldDB(t *testing.T) {
	t.Parallel()
	file := importWorld(t)
	s := serve(t, "--ephemeral", "--world-db", file)
	v := visit(t, s, "READER")
	v.create("Reader")
	g := newPlain(0, 1, func(uint32, ...any) {})
	v.reads = g.hear
	if at := v.enter(); at.Map != 0 || at.Position.X != -100 || at.Position.Y != 200 || at.Position.Z != 30 {
		t.Errorf("a human warrior begins at %+v", at)
	}
	const entryField = 0x3 // OBJECT_FIELD_ENTRY
	var bell *thing
	for bell == nil {
		v.pings++
		v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
		v.await(msg.OpPong, new(msg.Pong))
		for _, o := range g.things {
			if o.fields[entryField] == 7003 {
				bell = o
			}
		}
	}
	if bell.at != (spot{-90, 200, 30, 0}) || bell.fields[plainLevel] != 9 || bell.fields[plainMaxHealth] != 40+14*9 || bell.fields[plainFaction] != 35 {
		t.Errorf("it is at %+v, with %v", bell.at, bell.fields)
	}
	v.say(msg.OpCreatureQuery, &msg.EntryQuery{Entry: 7003, GUID: bell.guid})
	var m msg.CreatureQueryResponse
	if v.await(msg.OpCreatureQueryResponse, &m); m.Name != "Marigold Bell" || m.SubName != "Beekeeper" || m.Display[0] != 53 {
		t.Errorf("it is %+v", m)
	}
	if code, stdout, stderr := execute(t, nil, "ctl", "--socket", s.socket, "lookup", "teleport", "Windmill"); code != exitOK || !strings.Contains(stdout, "Windmill") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	s.stop(syscall.SIGTERM, 1)
	if log := s.stderr(); !strings.Contains(log, `msg="world is loaded" family=AzerothCore maps=3 templates=7 spawns=120 paths=24 digest=`) {
		t.Error(log)
	}

	_, stdout, _ := execute(t, nil, "world", "report", "--json", "--data", filepath.Dir(file))
	var r worlddb.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	executed := make(map[string]int64)
	for _, table := range r.Tables {
		executed[table.Table] = table.Executed
	}
	if executed["creature"] != 120 || executed["waypoint_data"] != 96 || executed["creature_template"] != 5 || executed["game_event_creature"] != 0 {
		t.Errorf("%s", stdout)
	}
	if _, stdout, _ = execute(t, nil, "world", "report", "--data", filepath.Dir(file)); !strings.Contains(stdout, "\nexecuted by serve --world-db: 281 of 281 rows; 0 are of") {
		t.Error(stdout)
	}
	code, _, stderr := execute(t, nil, "serve", "--ephemeral", "--world-db", filepath.Join(t.TempDir(), "none.db"))
	if code != exitFailure || !strings.Contains(stderr, "--world-db: worlddb: there is no imported world") {
		t.Errorf("without a world: exit code %d\n%s", code, stderr)
	}
}

// Clients walk and fight in an imported world, on all of whose maps time goes on, and what it sends breaks no rule. What was recorded is
// replayed with the same world, and with no other.
func TestSwarmInWorldDB(t *testing.T) {
	waits(t)
	file, recordings := importWorld(t), filepath.Join(t.TempDir(), "recordings")
	s := serve(t, "--ephemeral", "--world-db", file, "--record", recordings)
	swarms(t, s, swarm.Config{Prefix: "WALKER", Clients: 20, Behaviour: swarm.Walk, Duration: time.Second})
	done := func(h *swarm.Harvest) bool { return h.Kills.Total > 0 && h.Bodies.Total > 0 }
	if r := grind(t, s, 10, 10*time.Minute, done); !done(r.Harvest) {
		t.Errorf("%+v", r.Harvest)
	}
	s.stop(syscall.SIGTERM, 1)

	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--world-db", file}, exitOK, "map 571: "},
		{nil, exitFailure, "it was recorded with --world-db"},
		{[]string{"--world-db", filepath.Dir(importOther(t))}, exitFailure, "is another world than that of the recording"},
	} {
		code, stdout, stderr := execute(t, nil, append([]string{"replay", recordings}, c.args...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}

// importOther is the file of the invented world with one row less.
func importOther(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	less := filepath.Join(dir, "less.sql")
	if err := os.WriteFile(less, []byte("DELETE FROM creature WHERE guid = 1;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := execute(t, nil, "world", "import", "--data", dir, inventWorld(t), less); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	return filepath.Join(dir, worlddb.File)
}
