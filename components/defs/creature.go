package defs

import "slices"

// A Creature is the template of a kind of creature.
type Creature struct {
	Entry      uint32 // not 0, at most 24 bits
	Faction    uint32 // faction template: FactionHostile, …
	DisplayID  uint32
	NPCFlags   uint32 // services it offers; 0 none
	GossipMenu uint32 // what it says, with NPCGossip; 0 none of its own
	Name       string
	SubName    string // its trade, "" none

	MinLevel, MaxLevel uint8 // 1 ≤ MinLevel ≤ MaxLevel

	Class  uint8  // of a unit: ClassWarrior, …
	Type   uint32 // TypeBeast, …
	Family uint32 // of tameable beasts; 0 none
	Rank   uint32 // RankNormal, …

	Scale          float32 // 1 is life-size
	BoundingRadius float32 // yards
	CombatReach    float32 // yards
	WalkSpeed      float32 // yards per second
	RunSpeed       float32 // yards per second

	MinHealth, MaxHealth uint32 // at MinLevel and at MaxLevel; 1 ≤ MinHealth ≤ MaxHealth
	Mana                 uint32 // 0 none
	AttackTimeMs         uint32 // between two swings

	MinDamage, MaxDamage float32  // of a swing, at MinLevel
	DamagePerLevel       float32  // more of both with each level above
	Armor                float32  // at MinLevel
	ArmorPerLevel        float32  // more with each level above
	Resistances          [7]int32 `json:",omitzero"` // by school; the first, physical, is unused

	Look Look // how it is spawned

	ReactState ReactState
	CallYards  float32         // how far it calls for help when a fight begins; 0 does not
	FleeBelow  uint32          // percent of its health below which it runs away once in a fight; 0 never
	Spells     []CreatureSpell // what it casts in a fight, the first that can be cast before the others

	LootID             uint32  // of its loot table; 0 has none
	MinMoney, MaxMoney uint32  // copper, of its body
	XP                 float32 // factor on the experience for its death: 1 is normal, 0 none

	Script uint32 // one more than the index of its script among World.Scripts; 0 none
}

// An Immunity is what the creatures of an entry are immune to by their template.
type Immunity struct {
	Entry     uint32 // not 0
	Schools   uint32 // a set: SchoolPhysical and following
	Mechanics uint32 // the bit n-1 for mechanic n: MechanicStun, …

	Dispels uint32       `json:",omitempty"` // the bit n for dispel type n: DispelMagic, …
	Effects []EffectKind `json:",omitempty"`
	Auras   []AuraKind   `json:",omitempty"`
}

// Immunity is that of an entry, nil if there is none. It aliases the World. The cost is logarithmic in the number of immunities.
func (w *World) Immunity(entry uint32) *Immunity {
	i, ok := find(len(w.Immunities), entry, func(i int) uint32 { return w.Immunities[i].Entry })
	if !ok {
		return nil
	}
	return &w.Immunities[i]
}

// Mechanic reports whether it is one to a mechanic, 0 being none.
func (im *Immunity) Mechanic(m uint8) bool { return m > 0 && m <= 32 && im.Mechanics>>(m-1)&1 != 0 }

// Effect reports whether it is one to an effect, by its kind or that of its aura.
//
// Source: Creature::IsImmunedToSpellEffect, AzerothCore.
func (im *Immunity) Effect(e *Effect) bool {
	return slices.Contains(im.Effects, e.Kind) || e.Kind == EffectApplyAura && slices.Contains(im.Auras, e.Aura)
}

// Spell reports whether it is one to a spell: to its mechanic, to its dispel type, or to all of its effects.
//
// Source: Unit::IsImmunedToSpell, AzerothCore.
func (im *Immunity) Spell(sp *Spell) bool {
	if im.Mechanic(sp.Mechanic) || sp.Dispel != 0 && sp.Dispel < 32 && im.Dispels>>sp.Dispel&1 != 0 {
		return true
	}
	some := false
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind != 0 {
			if !im.Effect(e) {
				return false
			}
			some = true
		}
	}
	return some
}

// A ReactState is a creature's reaction to others.
type ReactState uint8

// The react states.
//
// Source: ReactStates, UnitDefines.h, AzerothCore; what is timid there is a critter.
const (
	Neutral    ReactState = iota // fights back when attacked
	Aggressive                   // attacks hostile units on sight, and assists others of its faction
	Timid                        // runs away from attacks
	Passive                      // does nothing
	Guard                        // attacks those that attack its friends, within the distance of aggressive ones
)

// A CreatureSpell is a spell that a creature casts by itself in a fight.
type CreatureSpell struct {
	Spell       uint32
	FirstMs     uint32  // into the fight, before which it is not cast
	CooldownMs  uint32  // between two casts; not 0
	Chance      uint32  // percent, each time it could be cast; 0 is 100
	BelowHealth uint32  // percent of its health below which it is cast; 0 always
	OnSelf      bool    // cast on itself, not on its victim
	MaxYards    float32 // how far its target may be, 0 for OnSelf
}

// Faction templates that clients without game data have built in.
//
// Source: protocol.md 3.1.3; 14 is what monsters have in FactionTemplate.dbc.
const (
	FactionHostile  = 14 // to all
	FactionFriendly = 35 // to all
)

// ClassWarrior is the class of units without mana.
//
// Source: UnitClass, Unit.h, AzerothCore.
const ClassWarrior = 1

// Types of creatures.
//
// Source: CreatureType, SharedDefines.h, AzerothCore.
const (
	TypeBeast      = 1
	TypeDragonkin  = 2
	TypeDemon      = 3
	TypeElemental  = 4
	TypeGiant      = 5
	TypeUndead     = 6
	TypeHumanoid   = 7
	TypeCritter    = 8
	TypeMechanical = 9
)

// Ranks of creatures.
//
// Source: CreatureEliteType, SharedDefines.h, AzerothCore.
const (
	RankNormal = 0
	RankElite  = 1
	RankRare   = 4
)
