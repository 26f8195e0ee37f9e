// Package deploy has what muster is deployed with, and tests of it that need no daemon: each file is read by a program that
// knows nothing of muster.
package deploy

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// looked looks at all files that the programs read which tests start. Go keeps the result of a test until a file changes
// that the test itself has looked at.
var looked = sync.OnceValue(func() error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (path == "../.git" || path == "../bin" || path == "../bench/out") {
			return fs.SkipDir
		}
		if err == nil {
			os.Stat(path) // one that has gone meanwhile is of another test
		}
		return nil
	})
})

// run is what a command prints. It fails the test if the command does.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	stdout, stderr, err := try(t, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stdout, stderr)
	}
	return stdout
}

func try(t *testing.T, name string, args ...string) (stdout, stderr string, err error) {
	if err := looked(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	return out.String(), said.String(), err
}

// tool is the command line of a program that tools/NAME.mod pins.
func tool(mod, name string, args ...string) []string {
	return append([]string{"tool", "-modfile=../tools/" + mod + ".mod", name}, args...)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
