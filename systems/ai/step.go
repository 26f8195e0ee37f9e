package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A step is what a creature does in its turn. The systems that take the steps of a task say in which order.
type step struct {
	entity ecs.Entity
	foe    ecs.Entity // from which it flees
	turn   uint32     // number of its turn in the tick
	task   task
	last   bool // its cell sleeps: no other step follows until it wakes
	now    bool // whatever it was doing is over
}

// A task says which system takes a step.
type task uint8

const (
	toLook     task = iota // aggro: it has just woken
	toPanic                // flights
	toFight                // victims
	toFlee                 // flights
	toEvade                // homes
	toReturn               // homes
	toServe                // servants, and aggro: it may be noticed
	toLeave                // servants
	toDefend               // ownerdefenses
	toFollow               // follows
	toIdle                 // idles, and aggro: it looks around
	toWander               // wanders
	toWalkBack             // wanders
	toPatrol               // waypoints
	toScript               // scriptwalks
)

// A rest is the time until a creature's next step.
type rest struct {
	entity ecs.Entity
	delay  time.Duration
}

// The time between steps of a creature that fights, our own choices: while it chases its victim, while it stands before it,
// and the least of all. Clients predict its position from the packets of these steps.
const (
	chasePace = 400 * time.Millisecond
	meleePace = 500 * time.Millisecond
	leastPace = 50 * time.Millisecond
)

// held reports whether a creature with these states cannot move at will.
func held(states uint16) bool {
	const held = components.StateStunned | components.StateRooted | components.StateFeared | components.StateConfused
	return states&held != 0
}

// beside is the point at a distance and direction from another, on the ground.
func beside(m *defs.Map, p components.Vec, angle, yards float32) components.Vec {
	sin, cos := math.Sincos(float64(angle))
	x, y := p.X+float32(yards*float32(cos)), p.Y+float32(yards*float32(sin))
	return components.Vec{X: x, Y: y, Z: m.Height(x, y)}
}

// flat is the distance between two points over ground.
func flat(a, b components.Vec) float32 {
	return float32(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
}

// height is the difference in height between two points, yards.
func height(a, b components.Vec) float32 { return max(a.Z-b.Z, b.Z-a.Z) }

// walkTime is the duration of a walk to a point: zero if there is nowhere to go.
func walkTime(from, to components.Vec, speed float32) time.Duration {
	return time.Duration(components.LegMs(from, to, speed)) * time.Millisecond
}
