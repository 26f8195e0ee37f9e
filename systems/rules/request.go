package rules

import "muster/ecs"

// A SetLevel asks for a player to be on another level, higher or lower. System death takes it.
type SetLevel struct {
	Entity ecs.Entity
	Level  uint32 // what a level cannot be is cut
}

// A Revive asks for a dead player to live again where it is, without being asked. System death takes it.
type Revive struct {
	Entity       ecs.Entity
	Health, Mana uint32 // with which
}

// A DespawnCreature asks for a creature to leave the world, alive or dead, as if its time were up: that of a spawn point
// comes back when it would after a death. System respawn takes it.
type DespawnCreature struct{ Entity ecs.Entity }

// A SpawnInfoChanged says that what a creature does at its post is another thing from now on. System ai takes it.
type SpawnInfoChanged struct{ Entity ecs.Entity }

// A RespawnAll asks for the next creature of every spawn point whose creature is dead or gone, and whose cell is awake, at
// once. System respawn takes it.
type RespawnAll struct{ By ecs.Entity }
