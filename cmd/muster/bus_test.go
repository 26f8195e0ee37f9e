package main

import (
	"testing"
	"time"

	"muster/components/defs"
)

// What worlds are made of is alike for the same settings and definitions, and unlike if any of them differs.
func TestMade(t *testing.T) {
	t.Parallel()
	flags := worldFlags{Seed: 1, Creatures: 2, Start: "one", Tick: 50 * time.Millisecond}
	made := flags.made(&defs.World{Digest: "a"})
	same := flags
	if got := same.made(&defs.World{Digest: "a"}); got != made {
		t.Errorf("the same settings and definitions are %d and %d", made, got)
	}
	if flags.made(&defs.World{Digest: "b"}) == made || flags.made(&defs.World{}) == made {
		t.Error("another imported world, and none, are taken for this one")
	}
	for what, change := range map[string]func(*worldFlags){
		"seed": func(f *worldFlags) { f.Seed++ }, "creatures": func(f *worldFlags) { f.Creatures++ },
		"start": func(f *worldFlags) { f.Start = "spread" }, "tick": func(f *worldFlags) { f.Tick++ },
	} {
		other := flags
		change(&other)
		if other.made(&defs.World{Digest: "a"}) == made {
			t.Errorf("another %s is taken for this one", what)
		}
	}
}
