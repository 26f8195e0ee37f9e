package components

import "reflect"

// GameObject is what clients see of a game object, besides Object and Position: a door, a chest, a chair.
//
// Source: OBJECT_FIELD_CREATED_BY and GAMEOBJECT_DISPLAYID and following, protocol.md appendix A.
type GameObject struct {
	CreatedBy      uint64     `v12340:"0x6"` // GUID of its owner; 0 none
	DisplayID      uint32     `v12340:"0x8"`
	Flags          uint32     `v12340:"0x9"` // GameObjectInUse, …
	ParentRotation [4]float32 `v12340:"0xA"` // quaternion x, y, z, w
	Dynamic        uint32     `v12340:"0xE"` // GameObjectDynamic
	Faction        uint32     `v12340:"0xF"` // faction template; 0 none
	Level          uint32     `v12340:"0x10"`
	Bytes1         [4]uint8   `v12340:"0x11"` // by ByteObjectState and following
}

// What the bytes of GameObject.Bytes1 are.
//
// Source: GameObject::Create, AzerothCore.
const (
	ByteObjectState    = 0 // GameObjectActive, …
	ByteObjectType     = 1
	ByteObjectArtKit   = 2
	ByteObjectProgress = 3 // of its animation
)

// The states of a game object: a door that is ready is closed.
//
// Source: GOState, SharedDefines.h, AzerothCore.
const (
	GameObjectActive            = 0
	GameObjectReady             = 1
	GameObjectActiveAlternative = 2
)

// The flags of a game object that systems read.
//
// Source: GameObjectFlags, SharedDefines.h, AzerothCore.
const (
	GameObjectInUse         = 0x1
	GameObjectNotSelectable = 0x10
)

// GameObjectDynamic is GameObject.Dynamic of an object that no quest is about and that does not move: no flag, and 0xFFFF
// for how far it has come on its path.
//
// Source: GameObject::BuildValuesUpdate, AzerothCore.
const GameObjectDynamic = 0xFFFF0000

// DirtyGameObject is the bit of GameObject in Dirty, as GameObjectParts has it.
const DirtyGameObject uint32 = 1 << 1

// GameObjectParts are the components with update fields that a game object has.
func GameObjectParts() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[GameObject]()}
}

// A GameObjectImage is the public words of a game object as they were last sent, in the order of its parts.
type GameObjectImage [17]uint32

// ObjectState is what a game object has that is not among its fields.
type ObjectState struct {
	Rotation uint64 // packed quaternion, PackRotation
	Point    uint32 // one more than the number of its spawn point; 0 none
	Uses     uint32 // how often it was used, which tells its timers apart
	Expiry   uint64 // the tick in which it despawns; 0 none
}

// GameObjectGUID is the GUID of a game object. Entry and counter are at most MaxCounter.
//
// Source: protocol.md 4.1.
func GameObjectGUID(entry, counter uint32) uint64 {
	return uint64(HighGameObject)<<48 | uint64(entry&MaxCounter)<<24 | uint64(counter&MaxCounter)
}

// PackRotation is a rotation, a unit quaternion, as create blocks of game objects have it.
//
// Source: protocol.md 4.2.
func PackRotation(x, y, z, w float32) uint64 {
	const yz, maskX, maskYZ = 1 << 20, 1<<22 - 1, 1<<21 - 1
	sign := int64(1)
	if w < 0 {
		sign = -1
	}
	pack := func(v, by float32) int64 { return int64(int32(v*by)) * sign }
	return uint64(pack(x, 2*yz)&maskX)<<42 | uint64(pack(y, yz)&maskYZ)<<21 | uint64(pack(z, yz)&maskYZ)
}
