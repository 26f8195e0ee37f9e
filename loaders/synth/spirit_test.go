package synth

import (
	"testing"

	"muster/components"
	"muster/components/defs"
)

// TestSpirits: at each hub stands a spirit healer, in reach of a ghost at the hub, and it is the only one.
func TestSpirits(t *testing.T) {
	for _, c := range []Config{{Creatures: -1}, {Creatures: 50}, {Seed: 9, Start: One}} {
		w := newWorld(t, c)
		var spirits []defs.Spawn
		for i := range w.Maps {
			for _, s := range w.Maps[i].Spawns {
				if w.Creature(s.Entry).NPCFlags&components.NPCSpiritHealer != 0 {
					spirits = append(spirits, s)
				}
			}
		}
		if len(spirits) != len(w.Hubs) {
			t.Fatalf("%+v: %d spirit healers at %d hubs", c, len(spirits), len(w.Hubs))
		}
		for i, h := range w.Hubs {
			if s := spirits[i]; distance(s.X, s.Y, h.X, h.Y) > 8 {
				t.Errorf("%+v: the spirit healer of hub %d stands %.1f yards from it", c, i, distance(s.X, s.Y, h.X, h.Y))
			}
			if s := w.Creature(spirits[i].Entry); s.Faction != defs.FactionFriendly || s.ReactState != defs.Passive {
				t.Errorf("a spirit healer of faction %d and react state %d", s.Faction, s.ReactState)
			}
		}
	}
}
