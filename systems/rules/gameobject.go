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
	Reported   bool   // its client has reported a use, which it does besides: only scripts are told of that
}

// A SwitchObject changes a game object. System switches takes it.
type SwitchObject struct {
	Entity ecs.Entity
	By     ecs.Entity // whose doing it is; zero none's
	Kind   SwitchKind
	Value  uint32 // of SwitchState, SwitchFlags and SwitchAnim
	Clear  uint32 // of SwitchFlags
}

// A SwitchKind is what a SwitchObject does.
type SwitchKind uint8

// The kinds.
const (
	SwitchToggle SwitchKind = iota // a door, a button or a goober is used, in whatever state it is, as game masters do
	SwitchUse                      // it is used, whatever its type
	SwitchReset                    // it is as it was before its last use
	SwitchState                    // its state is Value
	SwitchFlags                    // its flags are without Clear, and with Value
	SwitchAnim                     // it shows the animation Value
)

// An ObjectSwitched is a game object whose state has changed. System scriptnotices reads it.
type ObjectSwitched struct {
	Object, By ecs.Entity
	State      uint32
}

// A StockChest is a chest that is to have new loot. System drops takes it in the same tick.
type StockChest struct{ Entity ecs.Entity }
