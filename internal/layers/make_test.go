package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every test that a target of the Makefile or a script of .ci picks by its name exists: a name of nothing would pick nothing.
func TestPickedTestsExist(t *testing.T) {
	var functions []string
	declared := regexp.MustCompile(`(?m)^func (Test\w*)`)
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			functions = append(functions, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, path := range []string{"../../Makefile", "../../.ci/hostile", "../../.ci/run"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bTest[A-Z][A-Za-z0-9]*(\.\*[A-Za-z0-9]*|\(\w+\)\?)?`).FindAllString(string(text), -1) {
			names++
			if !slices.ContainsFunc(functions, regexp.MustCompile("^"+name).MatchString) {
				t.Errorf("%s: there is no test %s", path, name)
			}
		}
	}
	if names < 20 {
		t.Errorf("only %d names were found", names)
	}
}
