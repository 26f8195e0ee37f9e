package conformance

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each kind has a name of its own, a rule, and a source that is in docs.
func TestRules(t *testing.T) {
	protocol, sources := document(t, "protocol.md"), document(t, "sources.md")
	section := regexp.MustCompile(`^[0-9]+(\.[0-9]+)*$`)
	names := map[string]Kind{}
	for k := range kinds {
		r := k.Rule()
		if other, ok := names[r.Name]; ok || r.Name == "" || k.String() != r.Name {
			t.Errorf("%d: its name is %q, as that of %d", k, r.Name, other)
		}
		names[r.Name] = k
		if !strings.HasSuffix(r.Text, ".") || r.Source == "" {
			t.Errorf("%v: rule %q, source %q", k, r.Text, r.Source)
		}
		for source := range strings.SplitSeq(r.Source, "; ") {
			if list, ok := strings.CutPrefix(source, "protocol.md "); ok {
				for s := range strings.SplitSeq(list, ", ") {
					item, inSeven := strings.CutPrefix(s, "7.")
					if !section.MatchString(s) || !strings.Contains(protocol, "# "+s+" ") && !strings.Contains(protocol, "# "+s+". ") &&
						!(inSeven && strings.Contains(protocol, "\n"+item+". ")) {
						t.Errorf("%v: no section %q", k, s)
					}
				}
			} else if function, _, ok := strings.Cut(source, ", "); !ok || !strings.Contains(sources, "`"+function+"`") {
				t.Errorf("%v: source %q is not in sources.md", k, source)
			}
		}
	}
	notes := 0
	for k := range kinds {
		if k.Rule().Note {
			notes++
		}
	}
	if notes != 2 || !Oversize.Rule().Note || !OwnAgain.Rule().Note {
		t.Errorf("%d notes, want oversize and own objects twice", notes)
	}
}

func document(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
