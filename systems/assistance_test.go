package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/systems/rules"
)

// A creature that begins to fight calls those of its own faction, and not those of another that would fight the same
// enemy as well.
//
// Source: Creature::CanAssistTo, AzerothCore ("only from same creature
// faction").
func TestAssistanceIsOfTheSameFaction(t *testing.T) {
	const enemy, caller, mate, stranger = 7, 8, 9, 10
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Creatures[0].ReactState, d.Creatures[0].MinHealth, d.Creatures[0].MaxHealth = defs.Passive, 1000, 1000
	for entry, faction := range map[uint32]uint32{caller: 11, mate: 11, stranger: 12} {
		c := d.Creatures[0]
		c.Entry, c.Faction, c.ReactState, c.CallYards = entry, faction, defs.Aggressive, 10
		d.Creatures = append(d.Creatures, c)
	}
	slices.SortFunc(d.Creatures, func(a, b defs.Creature) int { return int(a.Entry) - int(b.Entry) })
	for i, x := range []float32{0, 12, 16, 18} {
		d.Maps[0].Spawns = append(d.Maps[0].Spawns, defs.Spawn{Entry: uint32(enemy + i), X: x, Path: -1})
	}
	r := newReserve(t, d, 1)
	r.enter(1, 40, 40)
	r.tick()
	r.tick()
	living := r.living()
	ask(r.world, rules.Engage{By: living[0], To: living[1]})
	for range 20 {
		r.tick()
	}
	for i, want := range map[uint32]bool{1: true, 2: true, 3: false} {
		e := living[i]
		if fights := r.units.Get(e).Flags&components.UnitInCombat != 0; fights != want {
			t.Errorf("the creature of faction %d, at %v, fights: %v, want %v", r.units.Get(e).Faction, r.at.Get(e).X, fights, want)
		}
	}
}
