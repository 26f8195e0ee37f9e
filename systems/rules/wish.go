package rules

import "muster/ecs"

// A Rise asks for a player to be on another level, higher or lower. System fate takes it.
type Rise struct {
	Entity ecs.Entity
	Level  uint32 // what a level cannot be is cut
}

// A Rescue asks for a dead player to live again where it is, without being asked. System fate takes it.
type Rescue struct {
	Entity       ecs.Entity
	Health, Mana uint32 // with which
}

// A Dismiss asks for a creature to leave the world, alive or dead, as if its time were up: that of a spawn point
// comes back when it would after a death. System respawn takes it.
type Dismiss struct{ Entity ecs.Entity }

// A Repost says that what a creature does at its post is another thing from now on. System ai takes it.
type Repost struct{ Entity ecs.Entity }

// A Refill asks for the next creature of every spawn point whose creature is dead or gone, and whose cell is awake, at
// once. System respawn takes it.
type Refill struct{ By ecs.Entity }
