package systems

import (
	"os"
	"slices"
	"strings"
	"testing"

	"muster/components/defs"
	"muster/internal/golden"
	"muster/sched"
)

// The table of the tick in docs/ARCHITECTURE.md has every system, in order.
func TestArchitectureHasEverySystem(t *testing.T) {
	const path = "../docs/ARCHITECTURE.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	systems := bindSystems(build(Config{Defs: d, Map: &d.Maps[0]}).ecs)
	lines := strings.Split(string(text), "\n")
	for stage := sched.Take; stage <= sched.Send; stage++ {
		var names []string
		for i := range systems {
			if systems[i].Stage == stage {
				names = append(names, systems[i].Name)
			}
		}
		head := "| " + stage.String() + " |"
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, head) })
		if at < 0 {
			t.Fatalf("%s has no row of stage %v", path, stage)
		}
		cells := strings.Split(lines[at], "|")
		cells[2] = " " + strings.Join(names, ", ") + " "
		lines[at] = strings.Join(cells, "|")
	}
	golden.Compare(t, path, []byte(strings.Join(lines, "\n")))
}
