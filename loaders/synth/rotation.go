package synth

import "muster/components/defs"

// The spells of creatures, by the order of beastly.
const (
	venom = firstSpell + iota
	emberSpit
	graveChill
	cudgel
	gnaw
	lickWounds
)

// leastCaster is the lowest level of creatures that cast.
const leastCaster = 5

// rotation returns what a kind of creature casts in combat.
func rotation(k kind, rank uint32) (spells []defs.CreatureSpell) {
	if k.min < leastCaster {
		return nil
	}
	switch k.sort {
	case defs.TypeHumanoid, defs.TypeGiant:
		spells = append(spells, defs.CreatureSpell{Spell: cudgel, FirstMs: 4000, CooldownMs: 8000, MaxYards: 5})
	case defs.TypeElemental, defs.TypeDemon, defs.TypeDragonkin:
		spells = append(spells, defs.CreatureSpell{Spell: emberSpit, FirstMs: 1000, CooldownMs: 7000, MaxYards: 28})
	case defs.TypeUndead:
		spells = append(spells, defs.CreatureSpell{Spell: graveChill, FirstMs: 1000, CooldownMs: 7000, MaxYards: 28})
	case defs.TypeBeast:
		bite := uint32(gnaw)
		if k.noun == "spider" || k.noun == "scorpion" {
			bite = venom
		}
		spells = append(spells, defs.CreatureSpell{Spell: bite, FirstMs: 3000, CooldownMs: 12_000, MaxYards: 5})
	}
	if k.sort == defs.TypeHumanoid && rank == defs.RankElite {
		heal := defs.CreatureSpell{Spell: lickWounds, FirstMs: 5000, CooldownMs: 20_000, BelowHealth: 40, OnSelf: true}
		spells = append([]defs.CreatureSpell{heal}, spells...)
	}
	return spells
}
