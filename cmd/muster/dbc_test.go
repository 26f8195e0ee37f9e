package main

import (
	endian "encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"muster/loaders/worlddb"
	"muster/net/protocol/msg"
)

// A player of an imported world is taken elsewhere by an area of which only a file of the client says where it is. Without the file the report has its row as
// not executed; a malformed one ends the start with its name.
func TestFilesOfClient(t *testing.T) {
	t.Parallel()
	dir, into, files := t.TempDir(), t.TempDir(), t.TempDir()
	tables, err := os.ReadFile("../../loaders/worlddb/content/testdata/azerothcore.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "world.sql")
	if err := os.WriteFile(path, append(tables, `
INSERT INTO creature_template (entry, name, faction) VALUES (7101, 'Juniper Oakes', 35);
INSERT INTO creature_template_model VALUES (7101,0,53,1,1);
INSERT INTO creature (guid, id1, map, position_x, position_y, position_z) VALUES (1,7101,0,-97,200,30);
INSERT INTO playercreateinfo VALUES (1,1,0,12,-100,200,30,0);
CREATE TABLE areatrigger_teleport (ID int, target_map int, target_position_x float, target_position_y float, target_position_z float, target_orientation float, PRIMARY KEY (ID));
INSERT INTO areatrigger_teleport VALUES (77,0,-60,240,30,1);
`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := execute(t, nil, "world", "import", "--strict", "--data", into, path); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	area := append([]byte("WDBC"), 1, 0, 0, 0, 10, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0)
	for _, v := range []uint32{77, 0, math.Float32bits(-100), math.Float32bits(200), math.Float32bits(30), math.Float32bits(6), 0, 0, 0, 0} {
		area = endian.LittleEndian.AppendUint32(area, v)
	}
	name := filepath.Join(files, "AreaTrigger.dbc")
	if err := os.WriteFile(name, append(area, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	const unknown = "where the area is, is not known"
	if _, stdout, _ := execute(t, nil, "world", "report", "--data", into); !strings.Contains(stdout, unknown) {
		t.Errorf("without files:\n%s", stdout)
	}
	if _, stdout, _ := execute(t, nil, "world", "report", "--data", into, "--dbc", files); strings.Contains(stdout, unknown) {
		t.Errorf("with files:\n%s", stdout)
	}
	file := filepath.Join(into, worlddb.File)
	s := serve(t, "--ephemeral", "--world-db", file, "--dbc", files)
	v := visit(t, s, "TRAVELLER")
	v.create("Traveller")
	v.enter()
	v.say(msg.OpAreaTrigger, &msg.AreaTrigger{ID: 77})
	var to msg.Teleport
	if v.await(msg.OpMoveTeleportAck, &to); to.X != -60 || to.Y != 240 {
		t.Errorf("it is taken to %+v", to)
	}
	s.stop(syscall.SIGTERM, 1)
	if err := os.WriteFile(name, area, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, args := range map[string][]string{"AreaTrigger.dbc: dbc: malformed file": {"--world-db", file, "--dbc", files}, "--dbc is for an imported world": {"--dbc", files}} {
		if code, _, stderr := execute(t, nil, append([]string{"serve", "--ephemeral"}, args...)...); code == exitOK || !strings.Contains(stderr, what) {
			t.Errorf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
}
