package rules

import (
	"muster/components"
	"muster/ecs"
)

// A SpellHit is a spell that has hit a unit.
type SpellHit struct {
	By, To ecs.Entity
	Spell  uint32
}

// A NodeReached is a creature that has reached a node of its path at which something may happen.
type NodeReached struct {
	Entity ecs.Entity
	Script uint32 // index into defs.World.NodeScripts
	Chance uint32 // percent
}

// A SetFaction sets the faction template of a unit, 0 that of the template of a creature. System unitfields takes it.
type SetFaction struct {
	Entity  ecs.Entity
	Faction uint32
}

// ScriptLoad is what scripts had to do in a tick that was too much: a resource. System scripts writes it.
type ScriptLoad struct {
	Late  uint32 // triggers and timers that wait for the next tick; 0 none
	Entry uint32 // of the creatures or game objects whose scripts have looked at most rows until then, if any is late
}

// A SetPost changes what a creature does when idle. System posts takes it.
type SetPost struct {
	Entity  ecs.Entity
	At      components.Position // where it stands or wanders
	Wanders bool                // instead it wanders where it does, within Yards; with 0 it stays where it is
	Yards   float32
}

// An AIOrder has a creature do something of its own accord. System orders takes it.
type AIOrder struct {
	Entity ecs.Entity
	Kind   AIOrderKind
	Foe    ecs.Entity // of OrderAttack
	Yards  float32    // of OrderCall
	Value  uint32     // of OrderReact: a defs.ReactState; of OrderMelee, OrderChase and OrderEvades: 1 it does, 0 it does not
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
	OrderMelee                     // whether it swings at what it fights
	OrderChase                     // whether it goes after what it fights
	OrderEvades                    // whether it evades
)

// FirstObject is the counter of the GUID of the first spawn point's game object; those of the others follow in the order of the points.
//
// Source: protocol.md 7.9.
const FirstObject = 0x800000

// FirstCreature is the counter of the GUID of the first spawn point's creature; those of the others follow in the order of the points.
//
// Source: protocol.md 7.9, with which no client takes a creature for its own player.
const FirstCreature = 0x800000
