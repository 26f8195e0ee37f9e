package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is exported is the same world when it is imported, also compressed; two worlds are compared; and each verb ends with its exit code.
func TestWorldExport(t *testing.T) {
	t.Parallel()
	dir, again, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "world.sql.gz")
	plain := filepath.Join(filepath.Dir(file), "world.sql")
	for _, c := range []struct {
		args string
		code int
		want string // of what it prints
	}{
		{"export --data " + dir, exitFailure, "there is no imported world in " + dir},
		{"import --data " + dir + " " + worldDumps + "/azerothcore", exitOK, "AzerothCore: 5 files, "},
		{"export --data " + dir + " " + file, exitOK, "AzerothCore: 7 tables, 20 rows, 0.0 MB of SQL in " + file},
		{"export --data " + dir + " " + plain, exitOK, "AzerothCore: 7 tables, 20 rows, "},
		{"export --data " + dir, exitOK, "\nINSERT INTO `creature_template_model` VALUES\n"},
		{"export --data " + dir + " " + filepath.Join(dir, "none", "x.sql"), exitFailure, "no such file or directory"},
		{"import --strict --data " + again + " " + file, exitOK, "AzerothCore: 1 files, "},
		{"diff " + dir + " " + again, exitOK, ""},
		{"diff " + dir + " " + filepath.Join(again, "world.db") + " --sql", exitOK, "-- From a world of AzerothCore to one of AzerothCore"},
		{"import --strict --data " + again + " --update " + worldDumps + "/../content/testdata/gameobjects.sql", exitOK, ""},
		{"diff " + dir + " " + again, exitFailure, "gameobject_template: new\n"},
		{"diff " + dir + " " + again + " --json", exitFailure, `"table": "gameobject_template",`},
		{"diff " + dir + " " + filepath.Join(again, "none"), exitFailure, "there is no imported world"},
		{"diff " + dir, exitUsage, `expected "<b>"`},
	} {
		code, stdout, stderr := execute(t, nil, append([]string{"world"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(file)); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	_, stdout, _ := execute(t, nil, "world", "export", "--data", dir)
	if sql, err := os.ReadFile(plain); err != nil || string(sql) != stdout {
		t.Errorf("a file has\n%s\nand standard output\n%s", sql, stdout)
	}
	_, stdout, _ = execute(t, nil, "world", "diff", again, dir, "--sql")
	update := filepath.Join(t.TempDir(), "back.sql")
	if err := os.WriteFile(update, []byte(stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import", "--strict", "--update", "--data", again, update}, {"diff", again, dir}} {
		if code, stdout, stderr := execute(t, nil, append([]string{"world"}, args...)...); code != exitOK {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}
