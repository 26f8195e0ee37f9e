package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/loaders/worlddb"
)

const worldDumps = "../../loaders/worlddb/testdata"

// What import and report print, and the exit code that each ends with.
func TestWorld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		code int
		want string // of what it prints
	}{
		{"report", exitFailure, "there is no imported world in " + dir},
		{"import " + worldDumps + "/azerothcore", exitOK, "AzerothCore: 5 files, "},
		{"import " + worldDumps + "/azerothcore", exitOK, "all of these files are in the world already\n"},
		{"report", exitOK, "rows and statements that are not used: 0\n"},
		{"import --strict " + worldDumps + "/older", exitFailure, "world.sql:7: creature_template: 16777216 in column modelid4"},
		{"report", exitOK, "family    AzerothCore, version CATDB 1.2\n"},
		{"import " + worldDumps + "/older", exitOK, "the world has 6 rows\n1 rows and statements are not used, 0 kinds of references dangle"},
		{"report", exitFailure, "1 rows and statements are not used, 0 kinds of references dangle"},
		{"import --update " + worldDumps + "/older", exitOK, "all of these files are in the world already\n"},
		{"import --into postgres://127.0.0.1:1/none " + worldDumps + "/older", exitUsage, "--data and --into exclude each other"},
	} {
		args := append([]string{"world"}, strings.Fields(c.args)...)
		args = append(args, "--data", dir)
		code, stdout, stderr := execute(t, nil, args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	if code, _, stderr := execute(t, nil, "world", "import", "--into", "mysql://h/n", worldDumps); code != exitUsage || !strings.Contains(stderr, "--into is a URL") {
		t.Errorf("another database: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := execute(t, nil, "world", "report", "--into", "postgres://127.0.0.1:1/none"); code != exitFailure || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a database that is away: exit code %d, %s", code, stderr)
	}

	_, stdout, _ := execute(t, nil, "world", "report", "--json", "--data", dir)
	var r worlddb.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || r.Tables[1].Table != "creature" || r.Tables[1].Duplicate != 1 || r.Problems[0].Line != 7 {
		t.Errorf("%v of %s", err, stdout)
	}
	_, stdout, _ = execute(t, []string{"MUSTER_DATA=" + dir}, "world", "import", "--json", worldDumps+"/cmangos-wotlk")
	var imported worlddb.Result
	if err := json.Unmarshal([]byte(stdout), &imported); err != nil || imported.Rows != 6 || imported.Report.Family != worlddb.CMaNGOS {
		t.Errorf("%v of %s", err, stdout)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 || filepath.Base(files[0].Name()) != worlddb.File {
		t.Errorf("%v, %v", files, err)
	}
}
