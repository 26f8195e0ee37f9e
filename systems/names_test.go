package systems

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/components/defs"
)

// systemNamed is the word after "system" in a comment, with the word before it: with an article or another word of those in
// notNamed it says what some system does, else it is the name of one.
var systemNamed = regexp.MustCompile(`(?:([A-Za-z]+) )?\b[Ss]ystem ([a-z]+)\b`)

var notNamed = []string{
	"a", "an", "the", "another", "each", "no", "any", "some", "one", "only", "which", "whichever", "other", "that", "last", "earlier", "later", "file", "operating",
}

// Comments of systems and components that name a system name one that there is.
func TestCommentsNameSystems(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	var names []string
	for _, s := range bindSystems(build(Config{Defs: d, Map: &d.Maps[0]}).ecs) {
		names = append(names, s.Name)
	}
	found := 0
	for _, root := range []string{".", "../components"} {
		err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range systemNamed.FindAllStringSubmatch(commentsOf(string(text)), -1) {
				if slices.Contains(notNamed, strings.ToLower(m[1])) {
					continue
				}
				found++
				if !slices.Contains(names, m[2]) {
					t.Errorf("%s: %q: there is no such system", path, m[0])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 100 {
		t.Errorf("%d comments name a system: the test finds too few", found)
	}
}

// commentsOf returns the comments of a Go file as sentences, without the line breaks within them.
func commentsOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if _, comment, ok := strings.Cut(line, "//"); ok {
			b.WriteString(strings.TrimSuffix(comment, "\n"))
		} else {
			b.WriteString("\n")
		}
	}
	return b.String()
}
