package worldspec

import (
	"testing"
	"time"

	"muster/components/defs"
)

// What worlds are made of is alike for the same settings and definitions, and unlike if any of them differs.
func TestMade(t *testing.T) {
	t.Parallel()
	flags := Settings{Seed: 1, Creatures: 2, Start: "one", Tick: 50 * time.Millisecond}
	made := flags.Made(&defs.World{Digest: "a"})
	same := flags
	if got := same.Made(&defs.World{Digest: "a"}); got != made {
		t.Errorf("the same settings and definitions are %d and %d", made, got)
	}
	if flags.Made(&defs.World{Digest: "b"}) == made || flags.Made(&defs.World{}) == made {
		t.Error("another imported world, and none, are taken for this one")
	}
	for what, change := range map[string]func(*Settings){
		"seed": func(f *Settings) { f.Seed++ }, "creatures": func(f *Settings) { f.Creatures++ },
		"start": func(f *Settings) { f.Start = "spread" }, "tick": func(f *Settings) { f.Tick++ },
	} {
		other := flags
		change(&other)
		if other.Made(&defs.World{Digest: "a"}) == made {
			t.Errorf("another %s is taken for this one", what)
		}
	}
}
