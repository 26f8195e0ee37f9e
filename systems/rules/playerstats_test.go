package rules

import (
	"math"
	"testing"

	"muster/components"
	"muster/components/defs"
)

// hunters are a class that has mana and shoots, with numbers that are worked out by hand at level 11, and what it can
// wear.
func hunters() *defs.World {
	d := &defs.World{Players: defs.Players{MaxLevel: 20}}
	d.Players.Classes[1] = defs.Class{Power: components.PowerRage, Health: defs.Growth{First: 20}, SwingMs: 2000}
	d.Players.Classes[3] = defs.Class{
		Power: components.PowerMana, Health: defs.Growth{First: 50, PerLevel: 10}, Mana: defs.Growth{First: 60, PerLevel: 6},
		Stats: [5]defs.Growth{{First: 10, PerLevel: 1}, {First: 10, PerLevel: 1}, {First: 20, PerLevel: 1},
			{First: 15, PerLevel: 1}, {First: 15, PerLevel: 1}},
		Damage: defs.Growth{First: 8}, Spread: 0.25, SwingMs: 2000, Shoots: true,
		Melee:  defs.AttackPower{PerLevel: 2, PerStrength: 2, PerAgility: 1, Flat: -10},
		Ranged: defs.AttackPower{PerLevel: 1, PerStrength: 0.5, PerAgility: 2, Flat: 5},
		Crit:   3, Dodge: 2, Parry: 4, PerCrit: defs.Growth{First: 4, PerLevel: 0.1}, PerSpellCrit: defs.Growth{First: 9, PerLevel: 0.1},
	}
	d.Items = []defs.Item{
		{Entry: 1, Class: defs.ItemArmor, Armor: 100, Block: 30, Stats: [4]defs.ItemStat{
			{Type: defs.StatStrength, Value: 4}, {Type: defs.StatAgility, Value: 5},
			{Type: defs.StatStamina, Value: 6}, {Type: defs.StatIntellect, Value: 7}}},
		{Entry: 2, Class: defs.ItemArmor, Armor: 50, Stats: [4]defs.ItemStat{
			{Type: defs.StatSpirit, Value: 8}, {Type: defs.StatMana, Value: 9}, {Type: defs.StatHealth, Value: 10}}},
		{Entry: 3, Class: defs.ItemWeapon, MinDamage: 20, MaxDamage: 30, DelayMs: 3000},
		{Entry: 4, Class: defs.ItemWeapon, MinDamage: 40, MaxDamage: 50, DelayMs: 2500},
		{Entry: 5, Class: defs.ItemWeapon, MinDamage: 1, MaxDamage: 3, DelayMs: 1000},
		{Entry: 6, Class: defs.ItemArmor, MinDamage: 70, MaxDamage: 80, DelayMs: 1000}, // no weapon
		{Entry: 7, Class: defs.ItemWeapon, MinDamage: 70, MaxDamage: 80},               // does not say how often
	}
	return d
}

// equip puts items into places of the body, by the entries of their templates.
func equip(places map[int]uint32) *components.Inventory {
	inventory := new(components.Inventory)
	for slot, entry := range places {
		inventory.Items[slot] = components.Item{Counter: uint32(slot) + 1, Entry: entry, Count: 1}
	}
	return inventory
}

// near reports whether a figure is what was worked out, to four digits.
func near(got, want float32) bool {
	return math.Abs(float64(got-want)) <= 1e-4*max(math.Abs(float64(want)), 1)
}

// The stats of a player, worked out by hand: at level 11 it has 20, 20, 30, 25 and 25 of the five stats, and 24, 25, 36,
// 32 and 33 with what it wears.
//
// Source: Player::UpdateAllStats and what it calls, Player::RegenerateHealth, Player::OCTRegenMPPerSpirit, AzerothCore.
func TestPlayerStats(t *testing.T) {
	s := PlayerStats(hunters(), 1, 3, 11, equip(map[int]uint32{
		components.SlotOffHand: 1, components.SlotChest: 2, components.SlotMainHand: 3, components.SlotRanged: 4,
	}), nil)
	p := &s.Combat
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"health", float32(s.MaxHealth), 340}, // 150 + 20 + 16*10 + 10
		{"mana", float32(s.MaxPower), 329},    // 120 + 20 + 12*15 + 9
		{"attack power", p.AttackPower[0], 85},
		{"ranged attack power", p.AttackPower[1], 78},
		{"least damage", p.MinDamage[0], 38.2143}, // 85 / 14 * 3 more than the weapon's
		{"most damage", p.MaxDamage[0], 48.2143},
		{"off hand", p.MaxDamage[1], 0},
		{"least damage of a shot", p.MinDamage[2], 53.9286}, // 78 / 14 * 2.5 more
		{"most damage of a shot", p.MaxDamage[2], 63.9286},
		{"swing", float32(p.SwingMs[0]), 3000},
		{"off hand's swing", float32(p.SwingMs[1]), 0},
		{"shot", float32(p.SwingMs[2]), 2500},
		{"dodge", p.Dodge, 7}, // 2 + 25 / 5
		{"parry", p.Parry, 4},
		{"block", p.Block, 5},
		{"block value", p.BlockValue, 32}, // 30 + 24 / 2 - 10
		{"melee crit", p.Crit[0], 8},
		{"ranged crit", p.Crit[1], 8},
		{"spell crit", p.Crit[2], 3.2},
		{"armour", p.Armor, 200},
		{"health a second", p.HealthRegen, 3.5376}, // 0.08 * 33 * (2.066 - 0.726)
		{"mana a second", p.PowerRegen, 3.93696},   // 0.035 / 1.66 * 33 * the root of 32, and 0.001
		{"speed", p.Speed, 1},
		{"shown least damage", s.Shown.MinDamage, 38.2143},
		{"shown most damage", s.Shown.MaxDamage, 48.2143},
		{"shown armour", float32(s.Shown.Resistance[0]), 200},
		{"shown fire resistance", float32(s.Shown.Resistance[2]), 0},
		{"shown base mana", float32(s.Shown.BaseMana), 120},
		{"shown base health", float32(s.Shown.BaseHealth), 150},
		{"shown attack power", float32(s.Shown.AttackPower), 85},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if want := [5]uint32{24, 25, 36, 32, 33}; s.Shown.Stat != want || s.Power != components.PowerMana {
		t.Errorf("stats %v, want %v; power %d", s.Shown.Stat, want, s.Power)
	}
}

// What is in the hands of a player, and what is not.
//
// Source: Unit::CalculateMinMaxDamage and Player::_ApplyItemBonuses, AzerothCore.
func TestHands(t *testing.T) {
	const head, main, off, ranged = components.SlotHead, components.SlotMainHand, components.SlotOffHand, components.SlotRanged
	worn := func(places map[int]uint32, change func(it *components.Item)) *components.Inventory {
		inventory := equip(places)
		for i := range inventory.Items {
			if inventory.Items[i].Counter != 0 && change != nil {
				change(&inventory.Items[i])
			}
		}
		return inventory
	}
	// Bare hands do 6 to 10 in two seconds, and 72 attack power 72 / 14 * 2 = 10.2857 more. A shot with 66 of it: 9.4286.
	bare := [3][3]float32{{16.2857, 20.2857, 2000}, {}, {15.4286, 19.4286, 2000}}
	for _, c := range []struct {
		name  string
		items *components.Inventory
		want  [3][3]float32 // by hand: least and most damage, and the time between two swings
	}{
		{"nothing", nil, bare},
		{"no weapons", worn(map[int]uint32{main: 6, off: 6, ranged: 6}, nil), bare},
		{"one that does not say how often", worn(map[int]uint32{main: 7, ranged: 7}, nil), bare},
		{"a weapon on the head", worn(map[int]uint32{head: 3}, nil), bare},
		{"an item of no template", worn(map[int]uint32{main: 99}, nil), bare},
		{"an item without a number", worn(map[int]uint32{main: 3}, func(it *components.Item) { it.Counter = 0 }), bare},
		{"a broken weapon", worn(map[int]uint32{main: 3}, func(it *components.Item) { it.MaxDurability = 5 }), bare},
		{"a weapon that is nearly broken", worn(map[int]uint32{main: 3}, func(it *components.Item) { it.MaxDurability, it.Durability = 5, 1 }),
			[3][3]float32{{35.4286, 45.4286, 3000}, {}, bare[2]}}, // 20 to 30 and 72 / 14 * 3
		{"one worse than bare hands, which do 4 in a second", worn(map[int]uint32{main: 5}, nil),
			[3][3]float32{{8.1429, 10.1429, 1000}, {}, bare[2]}}, // 1 to 3 made 3 to 5, and 5.1429
		{"in the off hand it is as it is, and does half", worn(map[int]uint32{off: 5}, nil),
			[3][3]float32{bare[0], {3.0714, 4.0714, 1000}, bare[2]}}, // half of 6.1429 and of 8.1429
	} {
		s := PlayerStats(hunters(), 1, 3, 11, c.items, nil)
		p := &s.Combat
		for hand, want := range c.want {
			got := [3]float32{p.MinDamage[hand], p.MaxDamage[hand], float32(p.SwingMs[hand])}
			for i := range got {
				if !near(got[i], want[i]) {
					t.Errorf("%s: hand %d has %v, want %v", c.name, hand, got, want)
				}
			}
		}
		if got := [2]float32{s.Shown.MinOffHandDamage, s.Shown.MaxOffHandDamage}; got != [2]float32{p.MinDamage[1], p.MaxDamage[1]} {
			t.Errorf("%s: the off hand is shown with %v", c.name, got)
		}
	}
}

// Only a shield in the off hand blocks, and strength adds half of what is above twenty to it.
//
// Source: Player::UpdateAllStats and what it calls, AzerothCore.
func TestShield(t *testing.T) {
	for _, c := range []struct {
		slot         int
		entry        uint32
		block, value float32
	}{
		{components.SlotOffHand, 1, 5, 32}, {components.SlotChest, 1, 0, 0}, {components.SlotOffHand, 2, 0, 0}, {components.SlotOffHand, 5, 0, 0},
	} {
		p := PlayerStats(hunters(), 1, 3, 11, equip(map[int]uint32{c.slot: c.entry}), nil).Combat
		if p.Block != c.block || p.BlockValue != c.value {
			t.Errorf("item %d at %d blocks %v for %v, want %v for %v", c.entry, c.slot, p.Block, p.BlockValue, c.block, c.value)
		}
	}
	weak := hunters()
	weak.Items[0].Block, weak.Players.Classes[3].Stats[0] = 1, defs.Growth{}
	if p := PlayerStats(weak, 1, 3, 11, equip(map[int]uint32{components.SlotOffHand: 1}), nil).Combat; p.BlockValue != 0 {
		t.Errorf("a shield of 1 and four points of strength block %v", p.BlockValue) // 1 + 2 - 10
	}
}

// Each power has its maximum, and a class that does not exist is a warrior.
//
// Source: Unit::GetCreatePowers, AzerothCore.
func TestPowers(t *testing.T) {
	for power, most := range map[uint8]uint32{components.PowerMana: 215, components.PowerRage: 1000, components.PowerEnergy: 100, components.PowerRunic: 1000} {
		d := hunters()
		d.Players.Classes[3].Power = power
		s := PlayerStats(d, 1, 3, 11, nil, nil) // 120 mana, and 95 for 25 points of intellect
		if s.Power != power || s.MaxPower != most {
			t.Errorf("power %d: %d of power %d, want %d", power, s.MaxPower, s.Power, most)
		}
		if regains := s.Combat.PowerRegen > 0; regains != (power == components.PowerMana) {
			t.Errorf("power %d: %v a second", power, s.Combat.PowerRegen)
		}
	}
	for _, class := range []uint8{2, 99} {
		if s := PlayerStats(hunters(), 1, class, 1, nil, nil); s.MaxHealth != 20 || s.Power != components.PowerRage {
			t.Errorf("class %d has %d health and power %d", class, s.MaxHealth, s.Power)
		}
	}
	slow := hunters()
	slow.Players.Classes[1].SwingMs = 0 // between two swings there is some time
	if s := PlayerStats(slow, 1, 1, 1, nil, nil); s.Combat.SwingMs != [3]uint32{1} {
		t.Errorf("without a time between two swings there are %v ms", s.Combat.SwingMs)
	}
	if s := PlayerStats(hunters(), 1, 1, 1, nil, nil); s.Combat.SwingMs != [3]uint32{2000} {
		t.Errorf("a warrior swings each %v ms", s.Combat.SwingMs)
	}
}

// Low levels recover health faster, up to level 14; mana the slower the higher the level.
//
// Source: Player::RegenerateHealth, AzerothCore; GtRegenMPPerSpt.dbc of build 12340 (0.0349 at level 1, 0.0056 at level 80).
func TestRecovery(t *testing.T) {
	for level, want := range map[uint32]float32{1: 16, 11: 10.72, 14: 9.136, 15: 8, 80: 8} { // of 8 a second
		if got := healthBy(100, level); !near(got, want) {
			t.Errorf("level %d recovers %v health a second, want %v", level, got, want)
		}
	}
	for level, want := range map[uint32]float32{1: 35.001, 11: 21.0853, 80: 5.6334} { // for 100 spirit and intellect
		if got := manaBy(100, 100, level); !near(got, want) {
			t.Errorf("level %d recovers %v mana a second, want %v", level, got, want)
		}
	}
}

// What is known of a race, a class and a level hides how the class grows.
func TestLevelsOfPlayers(t *testing.T) {
	d := hunters()
	d.Players.Levels = []defs.ClassLevels{
		{Class: 3, Levels: []defs.LevelStats{{Health: 40, Mana: 80, Stats: [5]float32{1, 2, 30, 40, 5}}}},
		{Race: 2, Class: 3, Levels: []defs.LevelStats{{Health: 50, Mana: 80, Stats: [5]float32{1, 2, 30, 20, 5}}}},
	}
	for _, c := range []struct {
		race         uint8
		health, mana uint32
	}{ // 20 and 10 for each further point of stamina, 20 and 15 for each of intellect
		{1, 40 + 20 + 100, 80 + 20 + 300}, {2, 50 + 20 + 100, 80 + 20},
	} {
		if s := PlayerStats(d, c.race, 3, 1, nil, nil); s.MaxHealth != c.health || s.MaxPower != c.mana {
			t.Errorf("race %d: health %d and mana %d, want %d and %d", c.race, s.MaxHealth, s.MaxPower, c.health, c.mana)
		}
	}
	if grown, known := PlayerStats(hunters(), 1, 3, 2, nil, nil), PlayerStats(d, 1, 3, 2, nil, nil); grown != known {
		t.Errorf("level 2: %+v, want %+v", known, grown)
	}
}
