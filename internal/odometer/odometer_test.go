package odometer

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// The document shows this package as it is compiled, and it is as short as the document says.
func TestTourShowsThisPackage(t *testing.T) {
	code, err := os.ReadFile("odometer.go")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(document), "```go\n")
	if shown, _, _ := strings.Cut(rest, "```"); shown != string(code) {
		t.Errorf("docs/tour.md shows\n%s\nwhich is not odometer.go", shown)
	}
	lines := 0
	for line := range strings.Lines(string(code)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			lines++
		}
	}
	if lines > 30 {
		t.Errorf("%d lines of code, more than the 30 that docs/tour.md names", lines)
	}
}

// reader is a later system of the tick, which sees the events.
type reader struct {
	milestones ecs.Events[Milestone]
	seen       []ecs.Entity
}

func (r *reader) Run(sched.Tick) {
	for _, m := range r.milestones.All() {
		r.seen = append(r.seen, m.Entity)
	}
}

// Two entities stand for a tick, one of them far from the origin, and then walk 30 and 50 yards a tick, along the sides of
// triangles: the second passes a hundred yards with its second, fourth and sixth step, the first with its fourth.
func TestOdometer(t *testing.T) {
	w := ecs.NewWorld(4)
	later := new(reader)
	systems := []sched.System{sched.Bind(w, sched.Move, new(Odometers)), sched.Bind(w, sched.Settle, later)}
	walkers := ecs.NewArchetype(w, ecs.Of2[components.Position, Odometer]()...)
	slow, fast := walkers.Spawn(), walkers.Spawn()
	bystander := ecs.NewArchetype(w, ecs.Of[components.Position]()...).Spawn() // has no Odometer

	want := []ecs.Access{
		{Type: reflect.TypeFor[Odometer](), Mode: ecs.ModeWrite},
		{Type: reflect.TypeFor[components.Position](), Mode: ecs.ModeRead},
		{Type: reflect.TypeFor[Milestone](), Mode: ecs.ModeAppend},
	}
	if got := systems[0]; got.Name != "odometers" || !slices.Equal(got.Access, want) {
		t.Errorf("%s has access %v, want %v", got.Name, got.Access, want)
	}

	plan := sched.NewPlan(w.EndStage, systems...)
	positions, odometers := ecs.NewAccessor[components.Position](w), ecs.NewAccessor[Odometer](w)
	*positions.Get(fast) = components.Position{X: 4000, Y: -3000}
	plan.Run(sched.Tick{N: 1})
	w.EndTick()
	if len(later.seen) != 0 || *odometers.Get(fast) != (Odometer{X: 4000, Y: -3000, Known: true}) {
		t.Errorf("standing, it passes %v and has %+v", later.seen, *odometers.Get(fast))
	}
	var passed []ecs.Entity
	for n := range uint64(6) {
		positions.Get(slow).X += 30
		positions.Get(fast).X += 30
		positions.Get(fast).Y += 40
		positions.Get(bystander).X += 1000
		later.seen = nil
		plan.Run(sched.Tick{N: n + 2})
		w.EndTick()
		passed = append(passed, append(later.seen, ecs.Entity{})...) // which ends a tick
	}
	none := ecs.Entity{}
	if want := []ecs.Entity{none, fast, none, none, slow, fast, none, none, fast, none}; !slices.Equal(passed, want) {
		t.Errorf("events %v, want %v", passed, want)
	}
	if s, f := odometers.Get(slow).Yards, odometers.Get(fast).Yards; s != 180 || f != 300 {
		t.Errorf("walked %v and %v yards, want 180 and 300", s, f)
	}
}
