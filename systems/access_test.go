package systems

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// maxTypes is how many types a system names at most. Intake, which has a type for each message, and fan-out, which reads
// whatever is sent, name more.
const maxTypes = 16

// named is how many types a system names: those that muster plan lists of it. What it spawns counts as the bundle that it
// names, and components of that only where the system sets them itself.
func named(s *sched.System) (n int) {
	for _, a := range s.Access {
		if a.Mode != ecs.ModeSpawn || a.Type.Implements(reflect.TypeFor[ecs.Bundle]()) {
			n++
		}
	}
	return n
}

// No system names more than maxTypes types, each counted once: components, events, resources and outputs.
func TestSystemsNameFewTypes(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	w := build(Config{Defs: d, Map: &d.Maps[0]})
	for _, s := range bindSystems(w.ecs) {
		exempt := s.Name == "intake" || s.Name == "fanout"
		if n := named(&s); n > maxTypes != exempt {
			t.Errorf("%s names %d types; at most %d are allowed, but for intake and fan-out", s.Name, n, maxTypes)
		}
	}
}

// At least half of all pairs of systems are free of conflict. Pairs that meet in outputs only are counted apart, and may be
// some more.
func TestHalfOfThePairsAreFree(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	w := build(Config{Defs: d, Map: &d.Maps[0]})
	all := bindSystems(w.ecs)
	var pairs [sched.Conflict + 1]int
	for i := range all {
		for j := range i {
			m, _ := all[i].Meet(&all[j])
			pairs[m]++
		}
	}
	if n := len(all) * (len(all) - 1) / 2; 2*pairs[sched.Free] < n {
		t.Errorf("of %d pairs %d are free, %d meet in outputs only, %d conflict", n, pairs[sched.Free], pairs[sched.Output], pairs[sched.Conflict])
	}
}

// wires is a line that names an access again: an accessor, a queue, a resource or an archetype that is made or looked up by hand, a list
// of types, a Param that binds others. The field of a system is the access itself, and its line in tick is its place in the order.
var wires = regexp.MustCompile(`\becs\.(NewAccessor|NewFilter\d|NewArchetype|NewPrefetcher|QueueOf|Shared|Share|Bind|Of\d?)[\[(]|\bBindParam\(`)

// At most a third of the 970 lines that wired at commit 2e53c75 do so now; docs/adr/0018-access-in-types.md has the figure.
func TestFewLinesWire(t *testing.T) {
	lines := 0
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if wires.MatchString(line) {
				lines++
			}
		}
		return err
	})
	if err != nil || lines == 0 || lines > 970/3 {
		t.Errorf("%d lines of systems wire, want at most %d: %v", lines, 970/3, err)
	}
	t.Logf("%d lines wire", lines)
}
