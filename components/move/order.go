// Package move is what systems ask of movement: each request is a value in the queue of its type, as
// ecs.QueueOf[move.Teleport](w).Next() gives room for one.
//
// Movement does what is asked at the beginning of the next tick, in the order of the types below and then
// in that of the queue, so that everybody is where it is before visibility looks around. Any system may ask
// in any stage; one that does names the queue among its Writes. A request for an entity that is gone by
// then, or that has no such component, is forgotten. A number that makes no sense is refused and counted as
// move.bad_order.
package move

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
)

// A SetSpeed gives a unit another speed. A player's own client is told first; the others are told when it
// has answered, or at once for a creature. Whoever has several reasons for a speed works out their product:
// the last request counts. The speed it had already is no news to anybody.
type SetSpeed struct {
	Entity ecs.Entity
	Which  uint32  // components.SpeedWalk … components.SpeedPitch
	Speed  float32 // yards per second, radians per second for the last two; from 0 to MaxSpeed
}

// MaxSpeed bounds a speed, our own choice: seven times a flying mount.
const MaxSpeed = 200

// A Root takes a unit's legs, or gives them back. It stands where it is; it may still turn. Whoever has
// several reasons for a root counts them: the last request counts.
type Root struct {
	Entity ecs.Entity
	On     bool
}

// A Fly lets a player fly, or ends that; it falls then.
type Fly struct {
	Entity ecs.Entity
	On     bool
}

// A KnockBack throws a unit through the air. A creature has no client that could fly it, and is moved over ground: as
// far, and as long as the flight would last.
type KnockBack struct {
	Entity ecs.Entity
	Angle  float32 // where to, over ground: radians as in components.Position
	Speed  float32 // over ground, yards per second, from 0 to MaxSpeed
	Up     float32 // upwards, yards per second, from 0 to MaxSpeed
}

// A Run has a unit run to a place in a straight line: in fear, or as it charges. Until a player is there, or is told to
// stop, what its client reports is left out.
type Run struct {
	Entity ecs.Entity
	To     components.Vec
	Speed  float32 // yards per second, more than 0 and up to MaxSpeed
	Stop   bool    // it stands still where it is; To and Speed mean nothing
}

// A Teleport puts a unit somewhere else, on any map. To another map only players go: they leave this world
// with the new place in their character, and their gateway brings them into the other. A map that does not
// exist is refused with TRANSFER_ABORTED. To.Zone is worked out, and ignored here.
type Teleport struct {
	Entity ecs.Entity
	To     life.Place
}

// A Teleported says that a player was put somewhere else. Movement puts it into its queue, for the stages after it in
// the same tick.
type Teleported struct {
	Entity ecs.Entity
	Away   uint32 // 1 if it goes to another map, 0 if it stays on this one
}

// A Landed says that a player came down after a fall. Movement puts it into its queue, for the stages
// after it in the same tick.
type Landed struct {
	Entity ecs.Entity
	Yards  float32 // from the highest point of the fall, more than 0
}
