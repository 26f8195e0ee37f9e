package rules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
)

// wardrobe is a world with items for every slot, and a spell for each kind of aura that changes a figure.
func wardrobe() *defs.World {
	d := people()
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

// aura is an aura with both of its effects, and wearing a list of some.
func aura(spell uint32, amount int32) components.Aura {
	return components.Aura{Spell: spell, Effects: 3, Stacks: 1, Amount: [3]int32{amount, -amount / 2}}
}

func wearing(all ...components.Aura) *components.Auras {
	list := new(components.Auras)
	list.Count = uint32(copy(list.List[:], all))
	return list
}

// A unit's stats depend on its equipment and auras, and not on the order in which they came.
func TestOrderDoesNotCount(t *testing.T) {
	d := wardrobe()
	r := rand.New(rand.NewPCG(5, 6))
	distinct := make(map[UnitStats]bool)
	for round := range 60 {
		var inventory components.Inventory
		for slot := range components.VisibleSlots {
			if r.IntN(2) == 0 {
				inventory.Items[slot] = components.Item{Counter: 1, Entry: 1 + uint32(r.IntN(40)), Count: 1}
			}
		}
		auras := new(components.Auras)
		for n := uint32(r.IntN(life.MaxAuras + 1)); auras.Count < n; auras.Count++ {
			auras.List[auras.Count] = aura(1+uint32(r.IntN(141)), int32(r.IntN(60)-20))
		}
		level := 1 + uint32(r.IntN(3))
		mine, its := PlayerStats(d, 1, 1, level, &inventory, auras), CreatureStats(d, d.Creature(7), level, auras)
		slices.Reverse(auras.List[:auras.Count])
		if got := PlayerStats(d, 1, 1, level, &inventory, auras); got != mine {
			t.Fatalf("round %d: a player has\n%+v\nand in reverse\n%+v", round, mine, got)
		}
		if got := CreatureStats(d, d.Creature(7), level, auras); got != its {
			t.Fatalf("round %d: a creature has\n%+v\nand in reverse\n%+v", round, its, got)
		}
		distinct[mine] = true
	}
	if len(distinct) != 60 {
		t.Errorf("%d of 60 random sets of items and auras make a difference", len(distinct))
	}
}

// The value of some modifiers, one at a time.
func TestWorth(t *testing.T) {
	for _, c := range []struct {
		name  string
		level uint32
		auras []components.Aura
		want  func(p *components.CombatStats, s *UnitStats) bool
	}{
		{"nothing", 1, nil,
			func(p *components.CombatStats, s *UnitStats) bool {
				return p.Armor == 40 && s.MaxHealth == 80 && p.AttackPower[0] == 23 && p.SwingMs[0] == 2000 && p.Speed == 1
			}},
		{"agility", 1, []components.Aura{aura(1+uint32(defs.AuraStat), 4)}, // Misc 29%3-1 = 1: agility
			func(p *components.CombatStats, _ *UnitStats) bool { return p.Armor == 48 }},
		{"a level", 2, nil,
			func(p *components.CombatStats, s *UnitStats) bool {
				return s.MaxHealth == 100 && p.AttackPower[0] == 30
			}},
		{"attack power", 1, []components.Aura{aura(1+uint32(defs.AuraAttackPower), 14)},
			func(p *components.CombatStats, _ *UnitStats) bool { return p.AttackPower[0] == 37 }},
		{"haste", 1, []components.Aura{aura(1+uint32(defs.AuraMeleeHaste), 25)},
			func(p *components.CombatStats, _ *UnitStats) bool { return p.SwingMs[0] == 1600 }},
		{"weakness beyond measure", 1, []components.Aura{
			aura(1+uint32(defs.AuraDamagePercent), -150), aura(1+uint32(defs.AuraDamageTakenPercent), -150),
		}, func(p *components.CombatStats, _ *UnitStats) bool {
			return p.DamageDone == 0 && p.DamageTaken == 0
		}},
		{"sloth beyond measure", 1, []components.Aura{
			aura(1+uint32(defs.AuraMeleeHaste), -99), aura(1+uint32(defs.AuraAttackSpeed), -99),
		}, func(p *components.CombatStats, _ *UnitStats) bool { return p.SwingMs[0] == maxSwingMs }},
		{"a slow one is fast", 1, []components.Aura{
			aura(1+uint32(defs.AuraSlow), -50), aura(1+uint32(defs.AuraSlow), -30), aura(1+uint32(defs.AuraSpeedUp), 40),
		}, func(p *components.CombatStats, _ *UnitStats) bool { return p.Speed == 0.7 }},
	} {
		d := wardrobe()
		for i := range d.Spells { // one effect each
			d.Spells[i].Effects[1] = defs.Effect{}
		}
		if s := PlayerStats(d, 1, 1, c.level, nil, wearing(c.auras...)); !c.want(&s.Combat, &s) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// Computing stats allocates nothing.
func TestStatsAllocateNothing(t *testing.T) {
	d, auras := wardrobe(), new(components.Auras)
	for ; auras.Count < life.MaxAuras; auras.Count++ {
		auras.List[auras.Count] = aura(1+auras.Count, 5)
	}
	var inventory components.Inventory
	for slot := range components.VisibleSlots {
		inventory.Items[slot] = components.Item{Counter: 1, Entry: 1 + uint32(slot), Count: 1}
	}
	var sum uint32
	if n := testing.AllocsPerRun(100, func() {
		p, c := PlayerStats(d, 1, 1, 1, &inventory, auras), CreatureStats(d, d.Creature(7), 1, auras)
		sum += p.MaxHealth + c.MaxHealth
	}); n != 0 || sum == 0 {
		t.Errorf("%v allocations", n)
	}
}
