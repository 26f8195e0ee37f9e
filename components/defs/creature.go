package defs

// A Creature is the template of a kind of creature.
type Creature struct {
	Entry     uint32 // not 0, at most 24 bits
	Faction   uint32 // faction template: FactionHostile, …
	DisplayID uint32
	NPCFlags  uint32 // services it offers; 0 none
	Name      string
	SubName   string // its trade, "" none

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

	MinHealth, MaxHealth uint32 // at MinLevel and at MaxLevel; not 0
	AttackTimeMs         uint32 // between two swings
}

// Faction templates that clients without game data have built in.
//
// Source: protocol.md 3.1.3; 14 is what monsters have in FactionTemplate.dbc.
const (
	FactionHostile  = 14 // to everybody
	FactionFriendly = 35 // to everybody
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
)
