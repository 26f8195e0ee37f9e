package rules

import "muster/ecs"

// A ConditionQuery asks whether conditions hold. System condition answers it in the same stage.
type ConditionQuery struct {
	List          uint32 // one more than an index into defs.World.Conditions
	First, Second ecs.Entity
	For           ConditionUse
	A, B          uint32 // what the answer is for
}

// A ConditionAnswer is the answer to a ConditionQuery.
type ConditionAnswer struct {
	ConditionQuery
	Holds bool
}

// A ConditionUse says which system takes an answer.
type ConditionUse uint8

// The uses.
const (
	ForScript ConditionUse = iota // Second is the creature, A the row and B whether it is timed
	ForGossip                     // First is the player, A the index of the message and B that of the question
	ForVendor                     // First is the player, A the index of the message and B that of the item
	ForArea                       // First and Second are the player, A the row and B the script of the area
	ForLoot                       // First is the player, A the index of the message and B that of the item
)
