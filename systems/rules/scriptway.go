package rules

import (
	"muster/components"
	"muster/ecs"
)

// A WayOrder has a creature go where its script says. System scriptwalks takes it.
type WayOrder struct {
	Entity    ecs.Entity
	Kind      WayOrderKind
	Path      uint32         // of WayStart: one more than an index into defs.World.ScriptPaths
	To        components.Vec // of WayPoint
	Point     uint32         // of WayPoint: its number, which the script is told when the creature is there
	Ms        uint32         // of WayPause: how long
	DespawnMs uint32         // of WayStart and WayStop: it despawns so long after the end; 0 it stays
	Runs      bool           // of WayStart and WayGait
	Repeats   bool           // of WayStart
	Waits     bool           // of WayStart: its script is told of nodes
	Fails     bool           // of WayStop: the script is not told of the end
	Leader    ecs.Entity     // of WayFollow
	Yards     float32        // of WayFollow: how far from it,
	Angle     float32        // and in which direction from where it faces, radians
}

// A WayOrderKind is what a WayOrder is for.
type WayOrderKind uint8

// The kinds of WayOrder.
const (
	WayStart  WayOrderKind = iota // goes along Path
	WayPause                      // stands for Ms
	WayResume                     // goes on
	WayStop                       // leaves its path
	WayPoint                      // goes to To, and on with its path after that
	WayGait                       // whether it runs to points
	WayFollow                     // goes where Leader goes
	WayFree                       // goes nowhere, and does again what it does of its own accord
)

// A WayMoved is what a creature does on the way that its script has it go. System scriptmoves reads it.
type WayMoved struct {
	Entity    ecs.Entity
	Kind      WayMovedKind
	Path      uint32 // as ScriptWay.Path
	Node      uint32 // its number, from 1; of WayAtPoint that of the point
	DespawnMs uint32 // of WayEnded
}

// A WayMovedKind is what a WayMoved is.
type WayMovedKind uint8

// The kinds of WayMoved.
const (
	WayStarted WayMovedKind = iota
	WayAtNode
	WayPaused
	WayResumed
	WayStopped
	WayEnded
	WayAtPoint
)
