package synth

import (
	"math"

	"muster/components/defs"
)

// A kind is what one creature template is made from.
type kind struct {
	noun     string // or trade, of folk
	sort     uint32 // defs.TypeBeast, …
	min, max uint8  // level
	scale    float64
}

// The kinds, by where they live. Low levels live on the plain, where characters begin, the aggressive ones away from
// the hubs; the wild and the vault are for higher levels. Rare creatures spawn on the plain at times.
var (
	folk = [...]kind{
		{"Potter", defs.TypeHumanoid, 5, 10, 1},
		{"Miller", defs.TypeHumanoid, 5, 10, 1.1},
		{"Weaver", defs.TypeHumanoid, 8, 12, 0.95},
		{"Fisher", defs.TypeHumanoid, 8, 12, 1},
		{"Beekeeper", defs.TypeHumanoid, 10, 15, 1},
		{"Surveyor", defs.TypeHumanoid, 20, 25, 1},
		{"Farrier", defs.TypeHumanoid, 30, 35, 1.05},
		{"Warden", defs.TypeHumanoid, 50, 60, 1.15},
	}
	tame = [...]kind{
		{"hare", defs.TypeCritter, 1, 1, 0.6},
		{"quail", defs.TypeCritter, 1, 1, 0.5},
		{"boar", defs.TypeBeast, 1, 2, 0.9},
		{"goat", defs.TypeBeast, 1, 3, 0.8},
		{"vagrant", defs.TypeHumanoid, 2, 3, 1},
		{"wolf", defs.TypeBeast, 2, 4, 1},
		{"beetle", defs.TypeBeast, 3, 4, 0.9},
		{"crow", defs.TypeBeast, 3, 5, 0.8},
	}
	rough = [...]kind{
		{"stray dog", defs.TypeBeast, 3, 5, 0.9},
		{"footpad", defs.TypeHumanoid, 4, 6, 1},
		{"scarecrow", defs.TypeMechanical, 5, 6, 1.1},
	}
	wild = [...]kind{ // by level
		{"fox", defs.TypeBeast, 5, 8, 0.8},
		{"stag", defs.TypeBeast, 7, 11, 1.1},
		{"poacher", defs.TypeHumanoid, 10, 14, 1},
		{"spider", defs.TypeBeast, 13, 17, 1},
		{"bear", defs.TypeBeast, 16, 20, 1.3},
		{"marsh wisp", defs.TypeElemental, 19, 23, 0.8},
		{"bandit", defs.TypeHumanoid, 22, 26, 1},
		{"lynx", defs.TypeBeast, 25, 29, 1},
		{"bone walker", defs.TypeUndead, 28, 32, 1},
		{"scorpion", defs.TypeBeast, 31, 35, 1.2},
		{"raider", defs.TypeHumanoid, 34, 38, 1.05},
		{"crag giant", defs.TypeGiant, 37, 41, 1.8},
		{"ember", defs.TypeElemental, 40, 44, 1.1},
		{"barrow shade", defs.TypeUndead, 43, 47, 1},
		{"clay golem", defs.TypeMechanical, 46, 50, 1.5},
		{"tusker", defs.TypeBeast, 49, 53, 1.6},
		{"imp", defs.TypeDemon, 52, 56, 0.7},
		{"drake", defs.TypeDragonkin, 56, 60, 1.7},
	}
	elite = [...]kind{
		{"sentry", defs.TypeMechanical, 55, 57, 1.2},
		{"gaoler", defs.TypeHumanoid, 56, 58, 1.2},
		{"fiend", defs.TypeDemon, 57, 59, 1.4},
		{"hoard drake", defs.TypeDragonkin, 60, 60, 2},
	}
	rare = [...]kind{
		{"grey boar", defs.TypeBeast, 5, 5, 1.3},
		{"night wolf", defs.TypeBeast, 6, 6, 1.3},
		{"outlaw", defs.TypeHumanoid, 6, 6, 1.1},
		{"straw giant", defs.TypeMechanical, 6, 6, 1.6},
	}
)

// firstEntry is the entry of the first template. The others follow, and none is a multiple of 256: some clients would
// take such a creature for their own player if it had the same counter.
//
// Source: protocol.md 3.1.2.
const firstEntry = 101

// The entry of the first kind of each list.
const (
	firstFolk  = firstEntry
	firstTame  = firstFolk + len(folk)
	firstRough = firstTame + len(tame)
	firstWild  = firstRough + len(rough)
	firstElite = firstWild + len(wild)
	spiritKind = firstElite + len(elite)
	firstRare  = spiritKind + 1
	guardKind  = firstRare + len(rare)
	markerKind = guardKind + 1
)

// modelOf returns the display model of an entry. The two models after those of the elite are the players'.
func modelOf(entry uint32) uint32 {
	if entry >= uint32(spiritKind) {
		entry += 2
	}
	return entry - firstEntry + 1
}

// creatures makes the templates, by entry.
func creatures(seed uint64) []defs.Creature {
	names := newNamer(newDice(seed, forCreatures))
	var list []defs.Creature
	add := func(kinds []kind, faction, rank uint32) {
		for _, k := range kinds {
			list = append(list, creature(k, firstEntry+uint32(len(list)), faction, rank, names))
		}
	}
	add(folk[:], defs.FactionFriendly, defs.RankNormal)
	add(tame[:], defs.FactionHostile, defs.RankNormal)
	add(rough[:], defs.FactionHostile, defs.RankNormal)
	add(wild[:], defs.FactionHostile, defs.RankNormal)
	add(elite[:], defs.FactionHostile, defs.RankElite)
	list = append(list, spirit(uint32(spiritKind), names))
	add(rare[:], defs.FactionHostile, defs.RankRare)
	list = append(list, guard(uint32(guardKind), names), marker(uint32(markerKind), names))
	return list
}

// creature makes a template. Humanoids have a name and a trade, others the name of a place.
//
// Source: DEFAULT_COMBAT_REACH, BASE_ATTACK_TIME, Unit.h, and playerBaseMoveSpeed, Unit.cpp, AzerothCore;
// what it bears and deals is our own choice.
func creature(k kind, entry, faction, rank uint32, names *namer) defs.Creature {
	name, trade := names.name(), ""
	if faction == defs.FactionFriendly {
		trade = k.noun
	} else {
		name += " " + k.noun
	}
	span := float32(max(k.max-k.min, 1))
	hit, armor := hitOf(k.min, k.sort, rank), armorOf(k.min)
	scale := math.Round(float64(k.scale*names.dice.between(0.9, 1.1))*20) / 20
	c := defs.Creature{
		Entry: entry, Faction: faction, DisplayID: modelOf(entry), Name: name, SubName: trade,
		MinLevel: k.min, MaxLevel: k.max, Class: defs.ClassWarrior, Type: k.sort, Rank: rank,
		Scale: float32(scale), BoundingRadius: float32(0.4 * scale), CombatReach: float32(1.5 * scale),
		WalkSpeed: 2.5, RunSpeed: 7,
		MinHealth: health(k.min, k.sort, rank), MaxHealth: health(k.max, k.sort, rank),
		AttackTimeMs: 2000, MinDamage: 0.85 * hit, MaxDamage: 1.15 * hit,
		DamagePerLevel: (hitOf(k.max, k.sort, rank) - hit) / span,
		Armor:          armor, ArmorPerLevel: (armorOf(k.max) - armor) / span,
	}
	if k.sort != defs.TypeCritter { // Source: Acore::XP::Gain, AzerothCore
		c.XP = 1
	}
	c.ReactState, c.CallYards, c.FleeBelow = manners(entry, k)
	c.Spells = rotation(k, rank)
	return c
}

// callYards is the radius within which creatures call for assistance.
//
// Source: CreatureFamilyAssistanceRadius, worldserver.conf.dist, AzerothCore.
const callYards = 10

// fleeBelow is the health at which humanoids flee, percent.
//
// Source: SMART_ACTION_FLEE_FOR_ASSIST at 15 %, smart_scripts, AzerothCore.
const fleeBelow = 15

// manners returns how a creature behaves in combat: near the hubs none is aggressive.
func manners(entry uint32, k kind) (reactState defs.ReactState, call float32, flee uint32) {
	switch {
	case k.sort == defs.TypeCritter:
		return defs.Timid, 0, 0
	case entry < uint32(firstRough):
		return defs.Neutral, 0, 0
	case k.sort == defs.TypeHumanoid && entry < uint32(firstElite):
		return defs.Aggressive, callYards, fleeBelow
	}
	return defs.Aggressive, callYards, 0
}

// gangs reports whether creatures of an entry walk in groups.
func gangs(entry uint32) bool {
	switch e := int(entry); {
	case e >= firstRough && e < firstWild:
		return rough[e-firstRough].sort == defs.TypeHumanoid
	case e >= firstWild && e < firstElite:
		return wild[e-firstWild].sort == defs.TypeHumanoid
	}
	return false
}

// health returns a creature's health: at levels 1 to 3, so much that a character of level 1 kills it with melee
// swings in 8 to 15 s.
func health(level uint8, sort, rank uint32) uint32 {
	l := uint32(level)
	h := 49 + 4*l + l*l/2
	switch {
	case sort == defs.TypeCritter:
		h = 8
	case rank == defs.RankElite:
		h *= 3
	case rank == defs.RankRare:
		h *= 2
	}
	return h
}

// hitOf returns the average damage of a creature's hit before armour: a character that recovers its health between
// fights survives, and one that does not dies.
func hitOf(level uint8, sort, rank uint32) float32 {
	l := float32(level)
	d := 2 + l + l*l/60
	switch {
	case sort == defs.TypeCritter:
		d = 1
	case rank == defs.RankElite:
		d *= 2
	case rank == defs.RankRare:
		d *= 1.5
	}
	return d
}

// armorOf returns a creature's armour.
func armorOf(level uint8) float32 {
	l := float32(level)
	return float32(12*l) + float32(0.7*l*l)
}
