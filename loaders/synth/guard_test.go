package synth

import (
	"testing"

	"muster/components/defs"
)

// The world has a kind of guards, which stand nowhere.
func TestGuards(t *testing.T) {
	w := newWorld(t, Config{})
	found := 0
	for _, c := range w.Creatures {
		if c.SubName != "Guard" {
			continue
		}
		found++
		if c.ReactState != defs.Guard || c.Faction != defs.FactionFriendly || c.MinLevel != 55 || c.MinDamage < 20 {
			t.Errorf("a guard is %+v", c)
		}
		for _, m := range w.Maps {
			for _, s := range m.Spawns {
				if s.Entry == c.Entry {
					t.Fatalf("one stands on map %d", m.ID)
				}
			}
		}
	}
	if found != 1 {
		t.Errorf("%d kinds of guards", found)
	}
}
