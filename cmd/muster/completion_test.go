package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muster/cmd/internal/completion"
	"muster/cmd/internal/flags"
)

// What each shell offers in the place of the last word. Without candidates of ours there are the files of the folder.
var completions = []struct {
	line string // as it is typed
	want string // separated by spaces, in alphabetical order
}{
	{"muster sw", "swarm"},
	{"muster st", "store"},
	{"muster fl", "flight"}, // and not floor, which is hidden
	{"muster account l", "level list lock"},
	{"muster serve --st", "--start --strikes"},
	{"muster serve --clock ", "real virtual"},
	{"muster serve --seed 7 --clock v", "virtual"},
	{"muster serve --ephemeral --start o", "one"},
	{"muster completion ", "bash fish zsh"},
	{"muster ctl account s", "set"},
	{"muster ctl --data there account set ", "gmlevel password"},
	{"muster serve --config muster.c", "muster.conf"},
	{"muster replay reco", "recordings/"},
}

// Each script, in its shell, offers what can stand next.
func TestCompletion(t *testing.T) {
	t.Parallel()
	dir, here := t.TempDir(), t.TempDir()
	if err := os.Symlink(binary, filepath.Join(dir, "muster")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(here, "muster.conf"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(here, "recordings"), 0o700); err != nil {
		t.Fatal(err)
	}
	for shell, ask := range map[string][]string{
		"bash": {"bash", "--norc", "--noprofile", "testdata/complete.bash"},
		"zsh":  {"zsh", "-f", "testdata/complete.zsh"},
		"fish": {"fish", "--no-config", "testdata/complete.fish"},
	} {
		var lines []string
		for _, c := range completions {
			lines = append(lines, c.line)
		}
		script, err := filepath.Abs(ask[len(ask)-1])
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), ask[0], append(append(ask[1:len(ask)-1:len(ask)-1], script), lines...)...)
		cmd.Dir = here
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+here, "XDG_DATA_HOME="+dir)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s, which make test installs: %v\n%s", shell, err, &stderr)
			continue
		}
		answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(answers) != len(completions) {
			t.Errorf("%s answers %d of %d lines: %q\n%s", shell, len(answers), len(completions), answers, &stderr)
			continue
		}
		for i, c := range completions {
			if answers[i] != c.want {
				t.Errorf("%s, %q: offers %q, want %q", shell, c.line, answers[i], c.want)
			}
		}
	}
}

// What bash and fish give differently: an assignment as one word or as three.
func TestCandidates(t *testing.T) {
	t.Parallel()
	root := newParser(new(verbs), new(flags.Environment)).Model.Node
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"serve", "--clock=v"}, "--clock=virtual"},
		{[]string{"serve", "--clock", "="}, "real virtual"},
		{[]string{"serve", "--clock", "=", "v"}, "virtual"},
		{[]string{"serve", "--clock", "real", "--start", ""}, "spread one"},
		{[]string{"serve", "--nothing", "--clock", "r"}, "real"},
		{[]string{"serve", "--nothing=v"}, ""},
		{[]string{"nothing", ""}, ""},
		{[]string{"nothing", "serve", "--st"}, ""},
		{[]string{"floo"}, ""}, // hidden
		{[]string{"ctl", "--so"}, "--socket"},
		{[]string{"ctl", "account", "-"}, ""},
		{[]string{"completion", "bash", ""}, ""},
	} {
		var got []string
		for _, found := range completion.Candidates(root, c.words) {
			got = append(got, found.Word)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}
