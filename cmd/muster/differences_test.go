package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"muster/cmd/internal/flags"
	"muster/net/protocol/command"
)

// Each row of docs/differences.md names a test that is there, and a setting only if muster serve has it. The verbs that it
// says are missing are.
func TestDifferences(t *testing.T) {
	text, err := os.ReadFile("../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := make(map[string]bool)
	for _, verb := range newParser(new(verbs), &flags.Environment{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}).Model.Children {
		for _, f := range verb.Flags {
			settings[f.Name] = settings[f.Name] || verb.Name == "serve"
		}
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what ") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 5 {
			t.Errorf("%d cells: %s", len(cells), line)
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "" || cells[1] == "" || cells[2] == "" {
			t.Errorf("a row says too little: %s", line)
		}
		if m := quoted.FindStringSubmatch(cells[3]); cells[3] != "" && (m == nil || !settings[m[1]]) {
			t.Errorf("muster serve has no setting %s", cells[3])
		}
		if pkg, name, _ := strings.Cut(cells[4], " "); name == "" || !declares(t, pkg, name) {
			t.Errorf("%s: there is no test %s", cells[0], cells[4])
		}
		if strings.HasPrefix(cells[0], "the verbs ") {
			for _, m := range quoted.FindAllStringSubmatch(cells[0], -1) {
				for _, v := range command.Table {
					if v.Path == m[1] || strings.HasPrefix(v.Path, m[1]+" ") {
						t.Errorf("there is a verb %s", v.Path)
					}
				}
			}
		}
	}
	if rows < 15 {
		t.Errorf("%d rows: is this the page?", rows)
	}
}
