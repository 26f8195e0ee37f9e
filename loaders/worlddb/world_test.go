package worlddb

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
)

// both are a place of each kind, without a world.
func both(t *testing.T) map[string]Config {
	t.Helper()
	url := cluster.URL(t)
	return map[string]Config{"SQLite": {Dir: t.TempDir()}, "PostgreSQL": {URL: url}}
}

func mustImport(t *testing.T, c Config, paths ...string) *Result {
	t.Helper()
	c.Paths = paths
	r, err := Import(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustReport(t *testing.T, c Config) *Report {
	t.Helper()
	r, err := Of(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rows is what a query of a world gives, a line for each row.
func rows(t *testing.T, c Config, query string) string {
	t.Helper()
	at, err := c.place()
	if err != nil {
		t.Fatal(err)
	}
	s, err := at.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found, err := s.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := newRows(found, len(names)); found.Next(); {
		values, err := line.Values()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, values...)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// write makes a file of a folder of the test.
func write(t *testing.T, name string, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// summary is the part of a report that a test says in full.
func summary(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, version %q, %d problems\n", r.Family, r.Version, r.Bad)
	for _, what := range r.order() {
		fmt.Fprintf(&b, "%s: %s\n", what, r.Schema[what])
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "%s %d %d %d %d %s\n", t.Table, t.Read, t.Used, t.Bad, t.Duplicate, t.Ignored)
	}
	for _, s := range r.Scripts {
		fmt.Fprintf(&b, "%s %s %d: %d/%d\n", s.Table, s.Part, s.Kind, s.Executable, s.Loaded)
	}
	for _, d := range r.Dangling {
		fmt.Fprintf(&b, "%s -> %s: %d, %d\n", d.From, d.To, d.Rows, d.Example)
	}
	for _, p := range r.Problems {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

// Each family and each variant of its tables: what is read of it, and what is kept.
var worlds = []struct{ folder, want, query, rows string }{
	{"azerothcore", `AzerothCore, version "CATDB 1.2", 0 problems
event parameters: 6
immunities: creature_immunities
models: creature_template_model
scripts: smart_scripts
spawns: id1..3
creature 6 6 0 0 
creature_loot_template 2 1 0 0 
creature_template 3 3 0 0 
creature_template_model 4 4 0 0 
locale_of_cats 2 0 0 0 unknown table
reference_loot_template 1 1 0 0 
smart_scripts 4 4 0 0 
version 1 1 0 0 
smart_scripts event 0: 0/3
smart_scripts event 4: 0/1
smart_scripts action 1: 0/1
smart_scripts action 11: 0/2
smart_scripts action 80: 0/1
smart_scripts target 1: 0/3
smart_scripts target 2: 0/1
`, `SELECT guid, id1, id2, map, position_x, movementtype, createobject, scriptname, comment FROM creature ORDER BY guid`,
		`1 100 0 0 -8949.95 1 0  <nil>
2 100 101 0 100 0 0  the baker's cat
3 101 0 1 12.5 2 7 npc_cat <nil>
70000 101 0 1 7 0 7  grün
80000 102 0 571 1.5 0 7  <nil>
80001 102 0 571 -1.5 0 7  <nil>
`},
	{"azerothcore", "", `SELECT entry, name, subname, minlevel, "rank", speed_walk, ainame FROM creature_template ORDER BY entry`,
		`100 Pebble Cat Baker's 1 0 1 SmartAI
101 Slate Cat <nil> 3 2 1.14286 
102 Granite Cat <nil> 81 2 1 
`},
	{"older", `AzerothCore, version "", 1 problems
event parameters: 4
immunities: mechanic_immune_mask
models: modelid1..4
scripts: smart_scripts
spawns: id
acore_string 0 0 0 0 
creature 4 3 0 1 
creature_template 3 2 1 0 
smart_scripts 1 1 0 0 
smart_scripts event 61: 0/1
smart_scripts action 1: 0/1
smart_scripts target 7: 0/1
world.sql:7: creature_template: 16777216 in column modelid4, which is from 0 to 16777215
`, `SELECT t.entry, t.modelid4, t.name, c.guid, c.map FROM creature c JOIN creature_template t ON t.entry = c.id ORDER BY c.guid`,
		"7 44 A Cat 1 0\n8 16777215 B Cat 2 0\n7 44 A Cat 3 1\n"},
	{"trinitycore", `TrinityCore, version "RDB 335.1", 0 problems
event parameters: 5
models: modelid1..4
paths: waypoint_data
scripts: smart_scripts
spawns: id
creature 2 2 0 0 
creature_addon 3 3 0 0 
creature_template 1 1 0 0 
smart_scripts 3 3 0 0 
trinity_string 0 0 0 0 
version 1 1 0 0 
waypoint_data 2 2 0 0 
smart_scripts event 2: 0/3
smart_scripts action 11: 0/1
smart_scripts action 25: 0/1
smart_scripts action 80: 0/1
smart_scripts target 1: 0/2
smart_scripts target 2: 0/1
creature.id -> creature_template.entry: 1, 501
creature_addon.guid -> creature.guid: 1, 13
creature_addon.path_id -> waypoint_data.id: 1, 120
smart_scripts.action_param1 -> smart_scripts.entryorguid: 1, 50000
smart_scripts.entryorguid -> creature.guid: 1, 99
`, "SELECT * FROM waypoint_data ORDER BY id, point", "110 1 0.25 <nil>\n110 2 0.5 1.25\n"},
	{"cmangos-classic", `CMaNGOS, version "Moss DB 1.0", 0 problems
expansion: classic
immunities: mechanicimmunemask
models: displayid1..4
paths: creature_movement
scripts: creature_ai_scripts
spawns: id, or creature_spawn_entry
creature 2 2 0 0 
creature_ai_scripts 2 2 0 0 
creature_loot_template 3 3 0 0 
creature_movement 3 3 0 0 
creature_spawn_entry 2 2 0 0 
creature_template 1 1 0 0 
db_version 1 1 0 0 
reference_loot_template 1 1 0 0 
creature_ai_scripts event 0: 0/1
creature_ai_scripts event 4: 0/1
creature_ai_scripts action1 1: 0/1
creature_ai_scripts action1 11: 0/1
creature_ai_scripts action2 0: 0/1
creature_ai_scripts action2 11: 0/1
creature_ai_scripts action3 0: 0/2
creature_loot_template.mincountorref -> reference_loot_template.entry: 1, 24001
creature_movement.id -> creature.guid: 1, 29
creature_spawn_entry.entry -> creature_template.entry: 1, 601
`, "SELECT guid, id, position_x, spawntimesecsmax FROM creature ORDER BY guid", "21 600 -8949.9501953125 180\n22 0 12 120\n"},
	{"cmangos-wotlk", `CMaNGOS, version "", 0 problems
expansion: wotlk
models: displayid1..4
spawns: id
creature 1 1 0 0 
creature_template 1 1 0 0 
mangos_string 0 0 0 0 
spawn_group 1 1 0 0 
spawn_group_spawn 2 2 0 0 
waypoint_path 1 1 0 0 
spawn_group_spawn.id -> spawn_group.id: 1, 2
`, "SELECT * FROM spawn_group_spawn ORDER BY id", "1 31 -1\n2 31 0\n"},
}

func TestWorlds(t *testing.T) {
	places := both(t)
	for _, w := range worlds {
		reports := make(map[string]string)
		for kind, c := range places {
			folder := filepath.Join("testdata", w.folder)
			mustImport(t, c, folder)
			r := mustReport(t, c)
			if got := summary(r); w.want != "" && got != w.want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", w.folder, kind, got, w.want)
			}
			if got := rows(t, c, w.query); got != w.rows {
				t.Errorf("%s, %s, %s:\n%s\nwant\n%s", w.folder, kind, w.query, got, w.rows)
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			reports[kind] = string(text)
		}
		if reports["SQLite"] != reports["PostgreSQL"] {
			t.Errorf("%s: SQLite reports\n%s\nPostgreSQL\n%s", w.folder, reports["SQLite"], reports["PostgreSQL"])
		}
	}
}

// A report as text has every figure.
func TestText(t *testing.T) {
	c := Config{Dir: t.TempDir()}
	mustImport(t, c, "testdata/trinitycore", "testdata/azerothcore/base/scripts.sql")
	var b strings.Builder
	if err := mustReport(t, c).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"family    TrinityCore, version RDB 335.1\n", "          spawns: id\n", "files     2, 0.0 MB\n",
		"     3     3    0          0  creature_addon\n",
		"ignored: 1 tables with 2 rows\n  locale_of_cats (2 rows, 0 statements): unknown table\n",
		"smart_scripts, action: 0 of 3 rows are of a kind that is executed\n  11: 1, 25: 1, 80: 1\n",
		"dangling references: 5 kinds\n", "  creature.id -> creature_template.entry: 1 rows, such as 501\n",
		"rows and statements that are not used: 6\n  scripts.sql:1: smart_scripts: CREATE TABLE: the table is there already\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// An import that fails, of whatever cause, leaves the world that was there, and nothing else.
func TestFailedImport(t *testing.T) {
	for kind, c := range both(t) {
		mustImport(t, c, "testdata/azerothcore")
		before := summary(mustReport(t, c))
		ended, end := context.WithCancel(t.Context())
		for name, try := range map[string]struct {
			paths []string
			set   func(*Config)
			ctx   context.Context
			want  string
		}{
			"strict": {[]string{"testdata/older"}, func(c *Config) { c.Strict = true }, t.Context(),
				"worlddb: import: world.sql:7: creature_template: 16777216 in column modelid4, which is from 0 to 16777215"},
			"a strict update": {[]string{"testdata/older"}, func(c *Config) { c.Strict, c.Update = true, true }, t.Context(),
				"worlddb: import: world.sql:1: creature_template: CREATE TABLE: the table is there already"},
			"nothing to read": {[]string{"testdata/nothing"}, func(*Config) {}, t.Context(),
				"worlddb: import: stat testdata/nothing: no such file or directory"},
			"broken": {[]string{"testdata/trinitycore", "-"}, func(c *Config) { c.Stdin = io.MultiReader(strings.NewReader("DELETE FROM creature;"), broken{}) }, t.Context(),
				"worlddb: import: -: broken"},
			"ended": {[]string{"testdata/trinitycore"}, func(c *Config) {
				c.Progress = func(p Progress) {
					if p.Bytes > 0 {
						end()
					}
				}
			}, ended, "worlddb: import: context canceled"},
		} {
			c := c
			c.Paths = try.paths
			try.set(&c)
			if _, err := Import(try.ctx, c); err == nil || err.Error() != try.want {
				t.Errorf("%s, %s: %v, want %s", kind, name, err, try.want)
			}
			if after := summary(mustReport(t, c)); after != before {
				t.Errorf("%s, %s: the world is now\n%s\nand was\n%s", kind, name, after, before)
			}
		}
		end()
		if c.Dir == "" {
			continue
		}
		files, err := os.ReadDir(c.Dir)
		if err != nil || len(files) != 1 || files[0].Name() != File {
			t.Errorf("the folder has %v, %v", files, err)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

// PostgreSQL has the primary keys that the dump declares.
func TestServerKeys(t *testing.T) {
	c := both(t)["PostgreSQL"]
	mustImport(t, c, "testdata/older")
	got := rows(t, c, `SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'p' AND connamespace = 'world'::regnamespace AND conrelid::regclass::text NOT LIKE 'muster%' ORDER BY 1`)
	want := `acore_string PRIMARY KEY (entry)
creature PRIMARY KEY (guid)
creature_template PRIMARY KEY (entry)
smart_scripts PRIMARY KEY (entryorguid, source_type, id, link)
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Without a world there is nothing to report and nothing to update.
func TestNoWorld(t *testing.T) {
	for kind, c := range both(t) {
		if _, err := Of(t.Context(), c); !errors.Is(err, ErrNoWorld) {
			t.Errorf("%s: %v", kind, err)
		}
		c.Paths, c.Update = []string{"testdata/older"}, true
		if _, err := Import(t.Context(), c); !errors.Is(err, ErrNoWorld) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A schema of the same name that is something else is not touched.
func TestForeignSchema(t *testing.T) {
	url := cluster.URL(t)
	c := Config{URL: url, Paths: []string{"testdata/older"}}
	if err := serverPlace(url).with(t.Context(), func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), "CREATE SCHEMA world CREATE TABLE mine (a int)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), c); err == nil || !strings.Contains(err.Error(), "is no world of muster's") {
		t.Errorf("%v", err)
	}
}

// Updates that are imported later make the same world as those that are imported at once, and what has been imported is not
// read again.
func TestUpdate(t *testing.T) {
	for kind, c := range both(t) {
		mustImport(t, c, "testdata/azerothcore")
		const all = "SELECT * FROM creature ORDER BY guid"
		want, whole := rows(t, c, all), mustReport(t, c)
		if again := mustImport(t, c, "testdata/azerothcore"); !again.Unchanged || again.Rows != 0 || again.Report.Tables[0].Read != 6 {
			t.Errorf("%s: again: %+v", kind, again)
		}
		if base := mustImport(t, c, "testdata/azerothcore/base"); base.Unchanged || base.Files != 3 || base.Rows != 19 {
			t.Errorf("%s: the base: %+v", kind, base)
		}
		c.Update = true
		if r := mustImport(t, c, "testdata/azerothcore"); r.Unchanged || r.Files != 2 || r.Rows != 4 {
			t.Errorf("%s: the updates: %+v", kind, r)
		}
		if got := rows(t, c, all); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kind, got, want)
		}
		if got := mustReport(t, c); summary(got) != summary(whole) || len(got.Files) != 5 {
			t.Errorf("%s:\n%s\nwant\n%s", kind, summary(got), summary(whole))
		}
		if r := mustImport(t, c, "testdata/azerothcore/updates"); !r.Unchanged {
			t.Errorf("%s: the updates again: %+v", kind, r)
		}
	}
}

// Compressed and piped dumps are as good as plain ones.
func TestInputs(t *testing.T) {
	plain, err := os.ReadFile("testdata/older/world.sql")
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(plain)
	z.Close()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	zst := e.EncodeAll(plain, nil)
	e.Close()
	c := Config{Dir: t.TempDir()}
	mustImport(t, c, "testdata/older")
	const all = "SELECT * FROM creature_template ORDER BY entry"
	want := rows(t, c, all)
	for name, try := range map[string]struct {
		path  string
		stdin []byte
	}{
		"gz":          {write(t, "world.sql.gz", zipped.String()), nil},
		"zst":         {write(t, "world.sql.zst", string(zst)), nil},
		"folder":      {filepath.Dir(write(t, "world.sql.zst", string(zst))), nil},
		"stdin":       {"-", plain},
		"zipped pipe": {"-", zipped.Bytes()},
	} {
		c := Config{Dir: t.TempDir(), Stdin: bytes.NewReader(try.stdin)}
		r := mustImport(t, c, try.path)
		if got := rows(t, c, all); got != want || r.Rows != 8 || r.Text != int64(len(plain)) || r.Report.Files[0].Bytes == 0 || len(r.Report.Files[0].SHA256) != 64 {
			t.Errorf("%s: %+v\n%s\nwant\n%s", name, r, got, want)
		}
	}
	cut := mustImport(t, c, write(t, "world.sql.gz", zipped.String()[:zipped.Len()-200]))
	if n := len(cut.Report.Problems); n == 0 || cut.Report.Problems[n-1].Reason != "the compressed file is cut off" {
		t.Errorf("a file that is cut off: %v", cut.Report.Problems)
	}
}

// Files of a folder are read by name, the base before updates, and without what the base contains.
func TestOrder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"base/db_world/b.sql", "base/db_world/a.sql", "archive/c.sql", "old/d.sql.gz", "updates/db_world/2026_02.sql", "updates/db_world/2026_01.sql",
		"updates/pending_db_world/rev_1.sql", "Updates/e.sql.zst", "readme.md", "full.SQL", "custom/f.sql",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := inputs([]string{filepath.Join(root, "archive", "c.sql"), root, "-"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	want := []string{"c.sql", "base/db_world/a.sql", "base/db_world/b.sql", "full.SQL", "Updates/e.sql.zst", "custom/f.sql", "updates/db_world/2026_01.sql",
		"updates/db_world/2026_02.sql", "updates/pending_db_world/rev_1.sql", "-"}
	if !slices.Equal(names, want) {
		t.Errorf("%q\nwant\n%q", names, want)
	}
	if _, err := inputs([]string{filepath.Join(root, "base")}); err != nil {
		t.Error(err)
	}
	if _, err := inputs([]string{t.TempDir()}); err == nil {
		t.Error("an empty folder is no error")
	}
}
