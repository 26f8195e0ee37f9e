package rules

import (
	"math/rand/v2"
	"testing"

	"muster/components"
)

// odds counts the outcomes of all rolls.
func odds(c AttackChances) (n [outcomes]int) {
	t := c.Table()
	for roll := range Rolls {
		n[t.Roll(roll)]++
	}
	return n
}

// The figures are worked out by hand from the rules that Table and miss cite.
func TestOdds(t *testing.T) {
	for _, c := range []struct {
		name  string
		clash AttackChances
		want  [outcomes]int // of 10,000: miss, dodge, parry, block, glancing, crit, crushing, hit
	}{
		{"a player and a creature of its level",
			AttackChances{Level: 1, VictimLevel: 1, Player: true, Crit: 5, Dodge: 5, Block: 5},
			[outcomes]int{500, 500, 0, 500, 0, 500, 0, 8000}},
		{"a player and a creature three levels above",
			AttackChances{Level: 10, VictimLevel: 13, Player: true, Crit: 5, Dodge: 5, Parry: 5},
			[outcomes]int{800, 560, 560, 0, 2500, 440, 0, 5140}},
		{"a glancing hit is for four in ten at most",
			AttackChances{Level: 10, VictimLevel: 20, Player: true},
			[outcomes]int{2200, 0, 0, 0, 4000, 0, 0, 3800}},
		{"a player from behind a creature, which dodges all the same",
			AttackChances{Level: 60, VictimLevel: 60, Player: true, Behind: true, Dodge: 5, Parry: 5, Block: 5},
			[outcomes]int{500, 500, 0, 0, 0, 0, 0, 9000}},
		{"a creature from behind a player, which does not",
			AttackChances{Level: 60, VictimLevel: 60, VictimPlayer: true, Behind: true, Dodge: 20, Parry: 20, Block: 20},
			[outcomes]int{500, 0, 0, 0, 0, 0, 0, 9500}},
		{"a creature four levels above a player crushes",
			AttackChances{Level: 24, VictimLevel: 20, VictimPlayer: true, Crit: 5, Dodge: 3, Parry: 5, Block: 5},
			[outcomes]int{460, 220, 420, 420, 0, 580, 2500, 5400}},
		{"three levels are not enough",
			AttackChances{Level: 23, VictimLevel: 20, VictimPlayer: true},
			[outcomes]int{470, 0, 0, 0, 0, 60, 0, 9470}},
		{"a creature's hit does not glance",
			AttackChances{Level: 10, VictimLevel: 13},
			[outcomes]int{800, 0, 0, 0, 0, 0, 0, 9200}},
		{"nor does a player's on a player, who is missed less",
			AttackChances{Level: 10, VictimLevel: 13, Player: true, VictimPlayer: true},
			[outcomes]int{560, 0, 0, 0, 0, 0, 0, 9440}},
		{"nor one on a creature of its level or below, which is missed less, too",
			AttackChances{Level: 13, VictimLevel: 10, Player: true},
			[outcomes]int{350, 0, 0, 0, 0, 60, 0, 9590}},
		{"a player does not crush",
			AttackChances{Level: 24, VictimLevel: 20, Player: true},
			[outcomes]int{300, 0, 0, 0, 0, 80, 0, 9620}},
		{"a shot neither glances",
			AttackChances{Level: 10, VictimLevel: 13, Player: true, Ranged: true},
			[outcomes]int{800, 0, 0, 0, 0, 0, 0, 9200}},
		{"nor crushes, even if it is special",
			AttackChances{Level: 24, VictimLevel: 20, VictimPlayer: true, Ranged: true, Special: true},
			[outcomes]int{460, 0, 0, 0, 0, 0, 0, 9540}},
		{"a special one from behind is not blocked",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, Special: true, Ranged: true, Behind: true, Block: 50},
			[outcomes]int{500, 0, 0, 0, 0, 0, 0, 9500}},
		{"nor one that is not special from the front",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, Ranged: true, Block: 50},
			[outcomes]int{500, 0, 0, 0, 0, 0, 0, 9500}},
		{"an ability on a sitting unit is as on any",
			AttackChances{Level: 5, VictimLevel: 5, VictimPlayer: true, Seated: true, Special: true, Dodge: 50},
			[outcomes]int{500, 5000, 0, 0, 0, 0, 0, 4500}},
		{"a chance below none avoids nothing, however much higher the level",
			AttackChances{Level: 10, VictimLevel: 13, Player: true, Special: true, Dodge: -1},
			[outcomes]int{800, 0, 0, 0, 0, 0, 0, 9200}},
		{"two weapons miss more",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, OffHand: true, Hit: 3},
			[outcomes]int{2100, 0, 0, 0, 0, 0, 0, 7900}},
		{"a shot is neither dodged, parried nor blocked",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, Ranged: true, OffHand: true, Crit: 10, Dodge: 50, Parry: 50, Block: 50},
			[outcomes]int{500, 0, 0, 0, 0, 1000, 0, 8500}},
		{"an ability ends with the block, without the penalty of dual wielding",
			AttackChances{Level: 10, VictimLevel: 13, Player: true, Special: true, OffHand: true, Crit: 5, Dodge: 5, Parry: 5, Block: 5},
			[outcomes]int{800, 560, 560, 560, 0, 0, 0, 7520}},
		{"one of a creature four levels above does not crush",
			AttackChances{Level: 24, VictimLevel: 20, VictimPlayer: true, Special: true, Crit: 5, Dodge: 3, Parry: 5, Block: 5},
			[outcomes]int{460, 220, 420, 420, 0, 0, 0, 8480}},
		{"a special shot is blocked, and no more",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, Special: true, Ranged: true, Dodge: 50, Parry: 50, Block: 50},
			[outcomes]int{500, 0, 0, 5000, 0, 0, 0, 4500}},
		{"one from behind is not",
			AttackChances{Level: 5, VictimLevel: 5, Player: true, Special: true, Behind: true, Dodge: 5, Parry: 50, Block: 50},
			[outcomes]int{500, 500, 0, 0, 0, 0, 0, 9000}},
		{"a hit on a sitting unit is critical",
			AttackChances{Level: 5, VictimLevel: 5, VictimPlayer: true, Seated: true, Dodge: 50},
			[outcomes]int{500, 0, 0, 0, 0, 9500, 0, 0}},
		{"what comes first pushes out what comes last",
			AttackChances{Level: 5, VictimLevel: 5, Dodge: 50, Parry: 40, Block: 40, Crit: 50},
			[outcomes]int{500, 5000, 4000, 500, 0, 0, 0, 0}},
		{"no more than six in ten miss, and none less than never",
			AttackChances{Level: 1, VictimLevel: 80, Player: true},
			[outcomes]int{6000, 0, 0, 0, 4000, 0, 0, 0}},
	} {
		if got := odds(c.clash); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What the chances of an attack are made of: the attacker's figures for the weapon that it uses, and the victim's, which does not
// avoid anything while it is incapacitated, and whose posture counts if it is a player.
//
// Source: Unit::RollMeleeOutcomeAgainst and Unit::GetUnitCriticalChance, AzerothCore.
func TestChancesOf(t *testing.T) {
	mine := components.CombatStats{Crit: [3]float32{6, 7, 8}, Hit: 2, Dodge: 50, Parry: 50, Block: 50}
	its := components.CombatStats{Crit: [3]float32{50, 50, 50}, Hit: 50, Dodge: 3, Parry: 4, Block: 5}
	plain := AttackChances{Level: 12, VictimLevel: 14, Player: true, Hit: 2, Crit: 6, Dodge: 3, Parry: 4, Block: 5}
	for _, c := range []struct {
		name   string
		change func(attacker, victim *Fighter)
		hand   int
		before bool
		want   func(c *AttackChances)
	}{
		{"in front", nil, components.MainHand, true, func(*AttackChances) {}},
		{"behind", nil, components.MainHand, false, func(c *AttackChances) { c.Behind = true }},
		{"a shot", nil, components.RangedHand, true, func(c *AttackChances) { c.Ranged, c.Crit = true, 7 }},
		{"the off hand of two", func(a, _ *Fighter) { a.Stats.SwingMs[1] = 1500 }, components.OffHand, true, func(c *AttackChances) { c.OffHand = true }},
		{"the main hand of two", func(a, _ *Fighter) { a.Stats.SwingMs[1] = 1500 }, components.MainHand, true, func(c *AttackChances) { c.OffHand = true }},
		{"an attacker that is stunned", func(a, _ *Fighter) { a.States = components.StateStunned }, 0, true, func(*AttackChances) {}},
		{"a victim that is stunned", func(_, v *Fighter) { v.States = components.StateStunned }, 0, true,
			func(c *AttackChances) { c.Dodge, c.Parry, c.Block = 0, 0, 0 }},
		{"one that flees", func(_, v *Fighter) { v.States = components.StateFeared }, 0, true,
			func(c *AttackChances) { c.Dodge, c.Parry, c.Block = 0, 0, 0 }},
		{"one that is rooted", func(_, v *Fighter) { v.States = components.StateRooted }, 0, true, func(*AttackChances) {}},
		{"a creature against a player", func(a, v *Fighter) { a.Player, v.Player = false, true }, 0, true,
			func(c *AttackChances) { c.Player, c.VictimPlayer = false, true }},
		{"a player that sits", func(_, v *Fighter) { v.Player, v.Stand = true, components.Sitting }, 0, true,
			func(c *AttackChances) { c.VictimPlayer, c.Seated = true, true }},
		{"a player that lies dead", func(_, v *Fighter) { v.Player, v.Stand = true, components.LyingDead }, 0, true,
			func(c *AttackChances) { c.VictimPlayer = true }},
		{"a creature that sits", func(_, v *Fighter) { v.Stand = components.Sitting }, 0, true, func(*AttackChances) {}},
	} {
		own, other := mine, its
		attacker, victim := Fighter{Stats: &own, Level: 12, Player: true}, Fighter{Stats: &other, Level: 14}
		if c.change != nil {
			c.change(&attacker, &victim)
		}
		want := plain
		c.want(&want)
		if got := ChancesOf(&attacker, &victim, c.hand, c.before); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

// For all AttackChances each roll has one outcome, and the parts of a table ascend.
func TestTablesAreWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := AttackChances{
			Level: 1 + r.IntN(80), VictimLevel: 1 + r.IntN(80), Player: r.IntN(2) == 0, VictimPlayer: r.IntN(2) == 0,
			OffHand: r.IntN(2) == 0, Ranged: r.IntN(4) == 0, Behind: r.IntN(3) == 0, Seated: r.IntN(9) == 0,
			Special: r.IntN(2) == 0,
			Hit:     r.Float32()*200 - 100, Crit: r.Float32()*200 - 100,
			Dodge: r.Float32()*200 - 100, Parry: r.Float32()*200 - 100, Block: r.Float32()*200 - 100,
		}
		table := c.Table()
		for o := 1; o < len(table); o++ {
			if table[o] < table[o-1] || table[o] > Rolls || table[o-1] < 0 {
				t.Fatalf("%+v: %v", c, table)
			}
		}
		if table[Hit] != Rolls {
			t.Fatalf("%+v: %v", c, table)
		}
	}
}

// Whether an ability is critical is a roll of its own, and depends on the levels.
func TestCritical(t *testing.T) {
	for _, c := range []struct{ level, victim, want int }{{10, 10, 500}, {10, 13, 440}, {13, 10, 560}, {1, 60, 0}} {
		clash, n := AttackChances{Level: c.level, VictimLevel: c.victim, Special: true, Crit: 5}, 0
		for roll := range Rolls {
			if clash.Critical(roll) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("level %d against %d: %d of 10,000 are critical, want %d", c.level, c.victim, n, c.want)
		}
	}
}
