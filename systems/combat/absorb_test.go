package combat

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/rules"
)

// The packet of a hit of ten points says whether a shield absorbed part of it or all.
//
// Source: docs/protocol.md 4.7, hitinfo bits (0x2 affects victim, 0x20 full absorb, 0x40 partial absorb).
func TestAbsorbedOnTheWire(t *testing.T) {
	for _, c := range []struct {
		shield                 int32
		damage, absorbed, info uint32
	}{{4, 6, 4, 0x42}, {9, 1, 9, 0x42}, {10, 0, 10, 0x22}, {400, 0, 10, 0x22}} {
		r := newRing()
		d := ecs.Shared[defs.World](r.world)
		d.Spells = []defs.Spell{{ID: 1, Level: 1, Effects: [defs.MaxEffects]defs.Effect{
			{Kind: defs.EffectApplyAura, Aura: defs.AuraAbsorb, Misc: int32(defs.SchoolAll)}}}}
		slab := ecs.Shared[ecs.Slab[components.Auras]](r.world)
		block := slab.Take()
		r.combats.Get(r.foe).Auras = block
		auras := slab.At(block)
		auras.Count, auras.List[0] = 1, components.Aura{Spell: 1, Effects: 1, Stacks: 1, Amount: [3]int32{c.shield}}
		rules.Sum(d, auras)
		r.combatStats.Get(r.by).Miss = 100 // never misses
		swings := r.fight(t, 1, nil)
		if len(swings) != 1 {
			t.Fatalf("%d swings", len(swings))
		}
		if s := swings[0].state; uint32(s.HitInfo) != c.info || s.Damage != c.damage || s.Subs[0].Damage != c.damage || s.Subs[0].Absorbed != c.absorbed {
			t.Errorf("a shield of %d: %+v; want hit info %#x, damage %d, absorbed %d", c.shield, s, c.info, c.damage, c.absorbed)
		}
		if lost := 1e6 - r.vitals.Get(r.foe).Health; lost != c.damage {
			t.Errorf("a shield of %d: the victim has lost %d, want %d", c.shield, lost, c.damage)
		}
	}
}
