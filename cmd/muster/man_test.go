package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each verb has a page without a warning, with every flag that --help has, and the program's names them all. mandoc, which
// reads them, knows nothing of muster.
func TestMan(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	if code, _, stderr := execute(t, nil, "man", "--dir", dir); code != exitOK {
		t.Fatal(stderr)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	// A date would make another page each day of the same program.
	lint, _ := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	for line := range strings.Lines(string(lint)) {
		if !strings.Contains(line, `missing date, using ""`) {
			t.Error(line)
		}
	}
	rendered := func(name string) string {
		out, err := exec.Command("mandoc", "-T", "ascii", "-O", "width=500", filepath.Join(dir, name)).Output()
		if err != nil {
			t.Fatalf("mandoc, which make test installs: %v", err)
		}
		return regexp.MustCompile(".\b").ReplaceAllString(string(out), "")
	}
	all, verbs, flags := rendered("muster.1"), make(map[string]bool), 0
	for line := range strings.Lines(help(t)) {
		name := regexp.MustCompile(`^  ([a-z]+)(?: ([a-z]+))?  `).FindStringSubmatch(line)
		if name == nil {
			continue
		}
		verbs[name[1]] = true
		page := rendered("muster-" + name[1] + ".1")
		if !strings.Contains(all, "muster-"+name[1]+"(1)") {
			t.Errorf("muster(1) does not name muster-%s(1)", name[1])
		}
		alone, err := os.ReadFile(filepath.Join(dir, "muster-"+name[1]+".1"))
		if err != nil {
			t.Fatal(err)
		}
		if _, stdout, _ := execute(t, nil, "man", name[1]); stdout != string(alone) {
			t.Errorf("muster man %s prints another page than it writes", name[1])
		}
		for line := range strings.Lines(help(t, strings.Fields(name[1]+" "+name[2])...)) {
			if flag := regexp.MustCompile(`^ +(?:-h, )?(--[a-z-]+(?:=\S+)?) +(\S.*)?`).FindStringSubmatch(line); flag != nil {
				flags++
				if flag[1] == "--help" {
					flag[1] = "muster-" + name[1] + " -" // it is of all, and every page says what its verb is for
				}
				if !strings.Contains(page, flag[1]) {
					t.Errorf("muster-%s(1) has no %s", name[1], flag[1])
				}
			}
		}
	}
	if len(verbs) < 10 || len(verbs) != len(pages)-1 || flags < 100 {
		t.Errorf("%d verbs, %d pages, %d flags", len(verbs), len(pages), flags)
	}
	if code, _, stderr := execute(t, nil, "man", "nothing"); code != exitFailure || !strings.Contains(stderr, "there is no verb nothing") {
		t.Errorf("of no verb: exit code %d, %s", code, stderr)
	}
}

// help is what --help says of a verb, or of the program.
func help(t *testing.T, verb ...string) string {
	t.Helper()
	code, stdout, stderr := execute(t, nil, append(verb, "--help")...)
	if code != exitOK {
		t.Fatal(stderr)
	}
	return stdout
}
