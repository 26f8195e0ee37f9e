package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/systems/rules"
)

// wardrobe is a world with a warrior's class, items for every slot, and a spell for each kind of aura that changes a
// figure.
func wardrobe() *defs.World {
	d := &defs.World{Players: defs.Players{MaxLevel: 3, NextXP: []uint32{0, 400, 900}}}
	d.Players.Classes[1] = defs.Class{
		Power: components.PowerRage, Health: defs.Growth{First: 40, PerLevel: 10},
		Stats:  [5]defs.Growth{{First: 20, PerLevel: 2}, {First: 20}, {First: 22, PerLevel: 1}, {First: 10}, {First: 20}},
		Damage: defs.Growth{First: 6}, Spread: 0.5, SwingMs: 2000,
		Melee: defs.AttackPower{PerLevel: 3, PerStrength: 2, Flat: -20}, Crit: 5, Dodge: 5, Parry: 5,
	}
	for i := range uint32(40) {
		it := defs.Item{Entry: i + 1, Armor: i, Stats: [4]defs.ItemStat{{Type: i % 8, Value: int32(i)}, {Type: 7, Value: 3}}}
		if i%4 == 0 {
			it.Class, it.MinDamage, it.MaxDamage, it.DelayMs = defs.ItemWeapon, float32(i), float32(2*i), 1500+100*i
		}
		if i%5 == 0 {
			it.Block = 5
		}
		d.Items = append(d.Items, it)
	}
	for kind := range defs.AuraKind(141) {
		d.Spells = append(d.Spells, defs.Spell{ID: uint32(kind) + 1, Effects: [3]defs.Effect{
			{Kind: defs.EffectApplyAura, Aura: kind, Misc: int32(kind%3) - 1},
			{Kind: defs.EffectApplyAura, Aura: (kind + 70) % 141, Misc: 0x7F},
		}})
	}
	return d
}

// change does a random thing to what a unit's stats depend on.
func (s *stage) change(r *rand.Rand, e ecs.Entity) {
	items, auras := &s.inventories.Get(e).Items, s.auras(e)
	switch r.IntN(5) {
	case 0, 1:
		items[r.IntN(components.VisibleSlots)] = components.Item{Counter: 1, Entry: 1 + uint32(r.IntN(40)), Count: 1}
	case 2:
		items[r.IntN(components.VisibleSlots)] = components.Item{}
	case 3:
		if auras.Count < life.MaxAuras {
			amount := int32(r.IntN(60) - 20)
			auras.List[auras.Count] = components.Aura{
				Spell: 1 + uint32(r.IntN(141)), Effects: 3, Stacks: 1, Amount: [3]int32{amount, -amount / 2},
			}
			auras.Count++
		}
	case 4:
		if auras.Count > 0 {
			i := r.IntN(int(auras.Count))
			copy(auras.List[i:], auras.List[i+1:auras.Count])
			auras.Count--
		}
	}
	s.units.Get(e).Level = 1 + uint32(r.IntN(3))
}

// The stats that clients see of a warrior with a shield.
func TestShown(t *testing.T) {
	d := wardrobe()
	s := newStage(d)
	e := s.addPlayer()
	d.Items[0] = defs.Item{Entry: 1, Armor: 60, Block: 5}
	s.inventories.Get(e).Items[components.SlotOffHand] = components.Item{Counter: 1, Entry: 1, Count: 1}
	s.run()
	got := *s.shown.Get(e)
	if got.Stat != [5]uint32{20, 20, 22, 10, 20} || got.Resistance != [7]uint32{100} || got.AttackPower != 23 || got.BaseHealth != 40 {
		t.Errorf("%+v", got)
	}
	if all := s.swings.Next(); len(all) == 0 || all[len(all)-1] != (rules.SetSwingTimes{Entity: e, Ms: [3]uint32{2000, 2000, 2000}}) {
		t.Errorf("it is shown the swing times %+v", all)
	}
}

// A unit's stats depend on its equipment and auras, and not on what it had before.
func TestFiguresAreNeverAdded(t *testing.T) {
	s := newStage(wardrobe())
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		old := s.addPlayer()
		s.run()
		for range 120 {
			s.change(r, old)
			s.mark(old)
			s.run()
			if v := s.vitals.Get(old); v.Health > v.MaxHealth || v.Health == 0 || v.Power[1] > v.MaxPower[1] {
				t.Fatalf("round %d: %+v", round, *v)
			}
		}
		fresh := s.addPlayer()
		s.units.Get(fresh).Level = s.units.Get(old).Level
		*s.inventories.Get(fresh) = *s.inventories.Get(old)
		list := s.auras(fresh)
		*list = *s.auras(old)
		slices.Reverse(list.List[:list.Count])
		s.run()
		if a, b := *s.combatStats.Get(old), *s.combatStats.Get(fresh); a != b {
			t.Fatalf("round %d: grown into\n%+v\nbut fresh it is\n%+v", round, a, b)
		}
		if a, b := *s.shown.Get(old), *s.shown.Get(fresh); a != b {
			t.Fatalf("round %d: grown into\n%+v\nbut fresh it is\n%+v", round, a, b)
		}
		if a, b := s.units.Get(old).AttackTimeMs, s.units.Get(fresh).AttackTimeMs; a != b {
			t.Fatalf("round %d: it is shown to swing every %d ms, but fresh %d", round, a, b)
		}
		a, b := s.vitals.Get(old), s.vitals.Get(fresh)
		if a.MaxHealth != b.MaxHealth || a.MaxPower != b.MaxPower {
			t.Fatalf("round %d: %+v, but fresh %+v", round, *a, *b)
		}
		if b.Health != b.MaxHealth || b.Power != [7]uint32{} {
			t.Fatalf("round %d: it begins with %+v", round, *b)
		}
		s.Despawn(old)
		s.Despawn(fresh)
		s.EndStage()
	}
}

// Recomputing stats allocates nothing.
func TestRecomputeAllocatesNothing(t *testing.T) {
	s := newStage(wardrobe())
	e := s.addPlayer()
	s.run()
	for i, auras := uint32(0), s.auras(e); i < life.MaxAuras; i++ {
		auras.List[i] = components.Aura{Spell: 1 + i, Effects: 3, Stacks: 1, Amount: [3]int32{5}}
		auras.Count++
	}
	if n := testing.AllocsPerRun(100, func() {
		s.mark(e)
		s.run()
		s.speeds.Take()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
