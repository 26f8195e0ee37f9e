package rules

import "muster/ecs"

// A SetLevel asks for a player's level to be set, higher or lower. System experience takes it.
type SetLevel struct {
	Entity ecs.Entity
	Level  uint32 // cut to the range of levels
}

// A SetXPRate asks for another factor of the experience from kills. System experience takes it.
type SetXPRate struct{ Rate float32 } // above 0

// A Revive asks for a dead player to be revived where it is, without an offer. System playerdeaths takes it.
type Revive struct {
	Entity       ecs.Entity
	Health, Mana uint32 // its health and mana then
}

// A DespawnCreature asks for a creature, alive or dead, to leave the world, as if its time were up: one of a spawn
// point respawns when it would after a death. System respawn takes it.
type DespawnCreature struct{ Entity ecs.Entity }

// A SpawnInfoChanged is a creature whose SpawnInfo has changed. Systems idles, waypoints and errands take it.
type SpawnInfoChanged struct{ Entity ecs.Entity }

// A RespawnAll asks for an immediate respawn at every spawn point whose creature is dead or gone and whose cell is
// awake. System respawn takes it.
type RespawnAll struct{ By ecs.Entity }
