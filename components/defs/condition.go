package defs

// Conditions are what has to hold: all of at least one group.
//
// Source: ConditionMgr::IsObjectMeetToConditionList, AzerothCore.
type Conditions []Condition // by ascending Group; at most MaxConditions

// MaxConditions is how many conditions a list has at most, our own choice.
const MaxConditions = 32

// A Condition is something that holds, or does not, of one of two entities.
type Condition struct {
	Group  uint32
	Kind   ConditionKind
	Target uint8 // 0 the first entity: the player, or the invoker; 1 the second: the creature
	Not    bool
	Value  [3]uint32
}

// A ConditionKind is what a Condition asks.
type ConditionKind uint8

// The kinds that are executed, with their values.
//
// Source: ConditionTypes, ConditionMgr.h, AzerothCore.
const (
	ConditionAlways       ConditionKind = 0  // none
	ConditionAura         ConditionKind = 1  // spell, effect
	ConditionItem         ConditionKind = 2  // item, count
	ConditionItemEquipped ConditionKind = 3  // item
	ConditionEvent        ConditionKind = 12 // ID of the game event
	ConditionClass        ConditionKind = 15 // mask of classes
	ConditionRace         ConditionKind = 16 // mask of races
	ConditionGender       ConditionKind = 20 // 0 male, 1 female
	ConditionMap          ConditionKind = 22 // its ID
	ConditionCreatureType ConditionKind = 24 // type of a template
	ConditionLevel        ConditionKind = 27 // level, comparison
	ConditionNearCreature ConditionKind = 29 // entry, yards, 1 dead
	ConditionEntry        ConditionKind = 31 // type of object: 3 a creature, 4 a player; entry or 0; one more than the index of a spawn point or 0, and with one, one more than its map from bit 8 of the type on
	ConditionTypeMask     ConditionKind = 32 // mask of types of objects: 8 units, 16 players
	ConditionAlive        ConditionKind = 36 // none
	ConditionHealth       ConditionKind = 37 // health, comparison
	ConditionHealthPct    ConditionKind = 38 // percent, comparison
)

// The comparisons of conditions: what is asked compared with the value.
//
// Source: ConditionMgr.h, AzerothCore, which compares by them.
const (
	CompareEqual = iota
	CompareHigh
	CompareLow
	CompareHighOrEqual
	CompareLowOrEqual
)
