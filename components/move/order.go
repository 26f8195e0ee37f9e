// Package move has the requests of systems to movement: each is an event of its type.
//
// Movement executes them at the beginning of the next tick, in the order of the types below and then in that of the
// queue, so that positions are set before visibility runs. Any system may request in any stage. A request for an
// entity that is gone by then, or that lacks the component, is dropped. An invalid number is refused and counted as
// move.bad_order.
package move

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
)

// A SetSpeed sets a speed of a unit. A player's own client is sent it first; observers when it has acknowledged, or
// at once for a creature. A system with several reasons for a speed computes their product: the last request counts.
// A request that changes nothing sends nothing.
type SetSpeed struct {
	Entity ecs.Entity
	Which  uint32  // components.SpeedWalk … components.SpeedPitch
	Speed  float32 // yards per second, radians per second for the last two; from 0 to MaxSpeed
}

// MaxSpeed limits a speed, our own choice: seven times a flying mount.
const MaxSpeed = 200

// A Root roots a unit, or ends that. A rooted unit may still turn. A system with several reasons for a root counts
// them: the last request counts.
type Root struct {
	Entity ecs.Entity
	On     bool
}

// A Fly lets a player fly, or ends that; it falls then.
type Fly struct {
	Entity ecs.Entity
	On     bool
}

// A WaterWalk lets a player walk on water, or ends that; it swims then.
type WaterWalk struct {
	Entity ecs.Entity
	On     bool
}

// A KnockBack knocks a unit back through the air. A creature has no client to simulate that, and is moved over
// ground: as far, and as long as the flight would last.
type KnockBack struct {
	Entity ecs.Entity
	Angle  float32 // direction over ground: radians as in components.Position
	Speed  float32 // over ground, yards per second, from 0 to MaxSpeed
	Up     float32 // upwards, yards per second, from 0 to MaxSpeed
}

// A Turn has a creature face a direction, unless it walks.
type Turn struct {
	Entity ecs.Entity
	O      float32 // radians as in components.Position
}

// A Run makes a unit run to a point in a straight line: in fear, or in a charge. Until a player has arrived, or is
// stopped, its client's reports are ignored.
type Run struct {
	Entity ecs.Entity
	To     components.Vec
	Speed  float32 // yards per second, more than 0 and up to MaxSpeed
	Stop   bool    // it stops where it is; To and Speed are ignored
}

// A Teleport moves a unit to another place, on any map. To another map only players can go: they leave this world
// with the destination in their character, and their gateway brings them into the other. A map that does not exist is
// refused with TRANSFER_ABORTED. To.Zone is computed, and ignored here.
type Teleport struct {
	Entity ecs.Entity
	To     life.Place
}

// A HandOver has a player leave this world as for another map, to be where it is in the world that has this map next, in another process. One that is on its way already goes on.
type HandOver struct{ Entity ecs.Entity }

// A Teleported says that a player was teleported. Systems teleports and transfers emit it for the stages after it in the same tick.
type Teleported struct {
	Entity ecs.Entity
	Away   uint32 // 1 if it goes to another map, 0 if it stays on this one
}

// A Landed says that a player landed after a fall. Movement emits it for the stages after it in the same tick.
type Landed struct {
	Entity ecs.Entity
	Yards  float32 // from the highest point of the fall, more than 0
}

// An AreaEntered is a player that has walked into an area with a script.
type AreaEntered struct {
	Player ecs.Entity
	Area   uint32 // its ID
	Script uint32 // index into defs.World.Scripts
}
