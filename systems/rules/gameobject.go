package rules

import (
	"muster/components"
	"muster/ecs"
)

// A SummonObject asks for a game object without a spawn point. System gameobject takes it; one whose Entry is no game
// object, or off the map, is refused and counted as gameobject.bad_summon.
type SummonObject struct {
	Entry    uint32
	At       components.Position
	Rotation [4]float32 // a unit quaternion: x, y, z, w
	ForMs    uint32     // it despawns after that; 0: when it is asked for
}

// A DespawnObject asks for a game object to leave the world for good, or, if it is of a spawn point and Consumed, until
// it respawns there. System gameobject takes it.
type DespawnObject struct {
	Entity   ecs.Entity
	Consumed bool
}

// A MoveObject asks for a game object to be at another place, or to be turned: it despawns, and spawns there. System
// gameobject takes it.
type MoveObject struct {
	Entity   ecs.Entity
	At       components.Position
	Rotation [4]float32
}

// An ObjectUsed is a game object that a player uses, within its reach. Systems switches, chairs and lootrequests take
// those of their types.
type ObjectUsed struct {
	By, Object ecs.Entity
	Op         uint16 // of the message that asked for it
	N          uint32 // its index among all messages of the tick
}

// A SwitchObject asks for a door, a button or a goober to be used, in whatever state it is. System switches takes it.
type SwitchObject struct{ Entity ecs.Entity }

// A StockChest is a chest that is to have new loot. System drops takes it in the same tick.
type StockChest struct{ Entity ecs.Entity }
