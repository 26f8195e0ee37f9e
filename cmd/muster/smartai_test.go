package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/cmd/internal/scriptreport"
	"muster/loaders/worlddb/content"
)

// What smartai lint and world report say of the scripts of an imported world, and the exit code.
func TestSmartaiLint(t *testing.T) {
	t.Parallel()
	dir, rows := t.TempDir(), filepath.Join(t.TempDir(), "rows.sql")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(rows, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		const tables = "../../loaders/worlddb/content/testdata/"
		if code, _, stderr := execute(t, nil, "world", "import", "--data", dir, tables+"azerothcore.sql", tables+"smartai.sql", rows); code != exitOK {
			t.Fatal(stderr)
		}
	}
	const creature = `INSERT INTO creature_template (entry, name, AIName) VALUES (300, 'Reed Heron', 'SmartAI');
INSERT INTO creature_template_model VALUES (300,0,1002,1,1); INSERT INTO creature (guid, id1, map) VALUES (1,300,0);
INSERT INTO smart_scripts (entryorguid, id, event_type, action_type, action_param1, target_type, comment) VALUES (300,0,4,5,11,1,'Heron - Aggro - Emote')`
	write(creature + ", (300,1,6,6,1,1,'Heron - Death - Fail quest'), (300,2,200,5,1,1,'Heron - Unknown');")

	code, stdout, stderr := execute(t, nil, "smartai", "lint", "--data", dir)
	for _, want := range []string{
		"entryorguid 300 source_type 0 id 1 link 0 (event 6, action 6, target 1): actions of this kind are not executed\n",
		"entryorguid 300 source_type 0 id 2 link 0 (event 200, action 5, target 1): events of this kind are not executed\n",
		"smart_scripts: 1 of 3 rows are executable\n",
	} {
		if code != exitFailure || !strings.Contains(stdout, want) || !strings.Contains(stderr, "2 of 3 rows of smart_scripts are not executed") {
			t.Errorf("exit code %d\n%s%s\nlacks %q", code, stdout, stderr, want)
		}
	}
	code, stdout, _ = execute(t, nil, "smartai", "lint", "--json", "--data", dir)
	var r scriptreport.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != exitFailure || r.Loaded != 3 || r.Executable != 1 || len(r.Refused) != 2 ||
		r.Refused[0] != (content.RefusedScript{Of: 300, ID: 1, Event: 6, Action: 6, Target: 1, Comment: "Heron - Death - Fail quest", Why: "actions of this kind are not executed"}) {
		t.Errorf("exit code %d, %v\n%s", code, err, stdout)
	}
	if _, stdout, _ = execute(t, nil, "world", "report", "--data", dir); !strings.Contains(stdout, "smart_scripts, event: 1 of 3 rows are of a kind that is executed") {
		t.Error(stdout)
	}
	write(creature + ";")
	if code, stdout, stderr = execute(t, nil, "smartai", "lint", "--data", dir); code != exitOK || !strings.HasSuffix(stdout, "smart_scripts: 1 of 1 rows are executable\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr = execute(t, nil, "smartai", "lint", "--data", t.TempDir()); code != exitFailure || !strings.Contains(stderr, "there is no imported world") {
		t.Errorf("without a world: exit code %d, %s", code, stderr)
	}
}
