package synth

import "muster/components/defs"

// maxLevel is the highest level of a character.
//
// Source: DEFAULT_MAX_LEVEL, DBCEnums.h, AzerothCore.
const maxLevel = 80

// players makes the templates of players. Clients without game data show a faction that is friendly to all as one
// that they need not fight; models continue after those of creatures.
//
// Source: protocol.md 3.1.3 (faction); DEFAULT_COMBAT_REACH, Unit.h, AzerothCore.
func players() defs.Players {
	const model = uint32(spiritKind - firstEntry + 1)
	p := defs.Players{
		DisplayID: [2]uint32{model, model + 1}, Faction: defs.FactionFriendly,
		BoundingRadius: 0.4, CombatReach: 1.5, NextXP: make([]uint32, maxLevel), MaxLevel: maxLevel,
	}
	for i, c := range classes {
		if c.stats[0] != 0 {
			p.Classes[i] = c.class()
		}
	}
	for level := uint32(1); level < maxLevel; level++ {
		p.NextXP[level] = nextXP(level)
	}
	for id := weariness; id < weariness+10; id++ {
		p.Sickness = append(p.Sickness, id)
	}
	return p
}

// nextXP returns the experience of a level: eight kills of creatures of the same level for each level, rounded to
// hundreds.
//
// Source: the experience of a death, Acore::XP::BaseGain, AzerothCore (45 and 5 per level); how many deaths is our
// own choice, near the originals'.
func nextXP(level uint32) uint32 {
	deaths, each := 8*level, 45+5*level
	return (deaths*each + 50) / 100 * 100
}

// A calling is what is special about a class. All other numbers follow from it.
type calling struct {
	power  uint8
	stats  [5]float32 // at level 1: strength, agility, stamina, intellect, spirit
	grows  [5]float32 // more for each level
	health float32    // for each level, besides stamina
	mana   float32    // for each level, besides intellect; 0 has none
	melee  defs.AttackPower
	ranged defs.AttackPower
	parry  float32
	shoots bool
}

// classes are by number. The stats are our own, near the originals'.
//
// Source: the powers, ChrClasses of build 12340; attack power, Player::UpdateAttackPowerAndDamage, and the parry
// of those that learn it, AzerothCore.
var classes = [defs.MaxClass + 1]calling{
	1: {power: rage, stats: [5]float32{24, 20, 22, 17, 19}, grows: [5]float32{1.9, 1.2, 1.7, 0.2, 0.5}, health: 18,
		melee: strong(3), ranged: archer(1), parry: 5}, // warrior
	2: {power: mana, stats: [5]float32{22, 18, 22, 20, 21}, grows: [5]float32{1.6, 0.9, 1.5, 1, 1.1}, health: 17, mana: 22,
		melee: strong(3), ranged: archer(0), parry: 5}, // paladin
	3: {power: mana, stats: [5]float32{18, 24, 21, 20, 21}, grows: [5]float32{0.7, 2, 1.3, 0.9, 1}, health: 16, mana: 20,
		melee: agile(2), ranged: archer(2), parry: 5, shoots: true}, // hunter
	4: {power: energy, stats: [5]float32{21, 24, 20, 18, 19}, grows: [5]float32{1.2, 2, 1.1, 0.3, 0.6}, health: 16,
		melee: agile(2), ranged: archer(1), parry: 5}, // rogue
	5: {power: mana, stats: [5]float32{18, 19, 20, 23, 24}, grows: [5]float32{0.3, 0.4, 0.7, 1.9, 2}, health: 14, mana: 26,
		melee: weak, ranged: archer(0)}, // priest
	6: {power: runic, stats: [5]float32{24, 19, 23, 16, 18}, grows: [5]float32{2, 1.1, 1.8, 0.2, 0.5}, health: 18,
		melee: strong(3), ranged: archer(0), parry: 5}, // death knight
	7: {power: mana, stats: [5]float32{21, 19, 21, 21, 22}, grows: [5]float32{1.3, 0.8, 1.2, 1.3, 1.4}, health: 15, mana: 23,
		melee: strong(2), ranged: archer(0)}, // shaman
	8: {power: mana, stats: [5]float32{18, 19, 19, 24, 23}, grows: [5]float32{0.2, 0.4, 0.6, 2, 1.8}, health: 14, mana: 25,
		melee: weak, ranged: archer(0)}, // mage
	9: {power: mana, stats: [5]float32{18, 19, 21, 23, 23}, grows: [5]float32{0.4, 0.5, 1, 1.8, 1.7}, health: 14, mana: 25,
		melee: weak, ranged: archer(0)}, // warlock
	11: {power: mana, stats: [5]float32{20, 20, 20, 22, 22}, grows: [5]float32{0.9, 0.8, 0.9, 1.5, 1.6}, health: 15, mana: 23,
		melee: defs.AttackPower{PerStrength: 2, Flat: -20}, ranged: archer(0)}, // druid
}

// The powers that classes use.
//
// Source: enum Powers, SharedDefines.h, AzerothCore.
const (
	mana   = 0
	rage   = 1
	energy = 3
	runic  = 6
)

func strong(perLevel float32) defs.AttackPower {
	return defs.AttackPower{PerLevel: perLevel, PerStrength: 2, Flat: -20}
}

func agile(perLevel float32) defs.AttackPower {
	return defs.AttackPower{PerLevel: perLevel, PerStrength: 1, PerAgility: 1, Flat: -20}
}

func archer(perLevel float32) defs.AttackPower {
	return defs.AttackPower{PerLevel: perLevel, PerAgility: 1, Flat: -10}
}

var weak = defs.AttackPower{PerStrength: 1, Flat: -10}

const (
	// firstHit is the damage of a hit of a character of level 1 before armour, whatever its class: the weapon makes
	// up for differences in attack power.
	firstHit   = 11.5
	swingMs    = 2000
	perPower   = 14 // attack power for one point of damage a second
	firstLives = 42 // health of level 1, besides stamina
	firstMana  = 60
)

// class makes a class of its calling.
//
// Source: attack power, Unit::CalculateDamage, and BASE_ATTACK_TIME, Unit.h, AzerothCore; the dodge and critical
// hits of characters at level 1 are about those of the originals.
func (c *calling) class() defs.Class {
	k := defs.Class{
		Power: c.power, Health: defs.Growth{First: firstLives, PerLevel: c.health, PerSquare: 0.1},
		Spread: 0.15, SwingMs: swingMs, Shoots: c.shoots, Melee: c.melee, Ranged: c.ranged,
		Crit: 4, Dodge: 3, Parry: c.parry,
		PerCrit: defs.Growth{First: 19, PerLevel: 0.45}, PerSpellCrit: defs.Growth{First: 20, PerLevel: 0.6},
	}
	if c.mana != 0 {
		k.Mana = defs.Growth{First: firstMana, PerLevel: c.mana, PerSquare: 0.2}
	}
	for i := range k.Stats {
		k.Stats[i] = defs.Growth{First: c.stats[i], PerLevel: c.grows[i], PerSquare: 0.004}
	}
	m := c.melee
	power := max(m.PerLevel+float32(m.PerStrength*c.stats[0])+float32(m.PerAgility*c.stats[1])+m.Flat, 0)
	k.Damage = defs.Growth{First: firstHit - float32(power*swingMs/1000/perPower), PerLevel: 0.9, PerSquare: 0.02}
	return k
}
