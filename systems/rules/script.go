package rules

import "muster/ecs"

// A SpellHit is a spell that has hit a unit.
type SpellHit struct {
	By, To ecs.Entity
	Spell  uint32
}

// A SetFaction sets the faction template of a unit, 0 that of the template of a creature. System unitfields takes it.
type SetFaction struct {
	Entity  ecs.Entity
	Faction uint32
}

// An AIOrder has a creature do something of its own accord. System orders takes it.
type AIOrder struct {
	Entity ecs.Entity
	Kind   AIOrderKind
	Foe    ecs.Entity // of OrderAttack
	Yards  float32    // of OrderCall
	Value  uint32     // of OrderReact: a defs.ReactState
}

// An AIOrderKind is what an AIOrder is for.
type AIOrderKind uint8

// The kinds of AIOrder.
const (
	OrderAttack AIOrderKind = iota // fights Foe
	OrderEvade                     // leaves its fight
	OrderFlee                      // runs away once, and calls for help after it
	OrderCall                      // calls for help within Yards
	OrderReact                     // another reactState than its template's
)

// FirstCreature is the counter of the GUID of the first spawn point's creature; those of the others follow in the order of the points.
//
// Source: protocol.md 7.9, with which no client takes a creature for its own player.
const FirstCreature = 0x800000
