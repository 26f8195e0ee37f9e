package defs

// A GameObject is the template of a kind of game object.
type GameObject struct {
	Entry     uint32 // not 0, at most 24 bits
	Type      uint8  // ObjectDoor, …
	DisplayID uint32
	Name      string
	Icon      string     // of the pointer; "" that of its type
	Caption   string     // of the bar while it is used
	Extra     string     // an unknown text that clients are sent
	Size      float32    // 1 is life-size
	Data      [24]uint32 // by Type, as in gameobject_template
	Faction   uint32     // faction template; 0 none
	Flags     uint32     // as clients see them at first

	LootID             uint32 // of the loot table of a chest; 0 has none
	MinMoney, MaxMoney uint32 // copper, of a chest

	Script uint32 // one more than the index of its script among World.Scripts; 0 none
}

// The types of game objects that are treated each in its own way.
//
// Source: GameobjectTypes, SharedDefines.h, AzerothCore.
const (
	ObjectDoor        = 0
	ObjectButton      = 1
	ObjectQuestGiver  = 2
	ObjectChest       = 3
	ObjectChair       = 7
	ObjectSpellFocus  = 8
	ObjectText        = 9
	ObjectGoober      = 10
	ObjectTransport   = 11
	ObjectAreaDamage  = 12
	ObjectCamera      = 13
	ObjectMapObject   = 14
	ObjectMOTransport = 15
	ObjectFishingNode = 17
	ObjectMailbox     = 19
	ObjectFlagStand   = 24
	ObjectFishingHole = 25
	ObjectFlagDrop    = 26
	ObjectMiniGame    = 27
	ObjectBarberChair = 32
	ObjectBuilding    = 33
	ObjectGuildBank   = 34
	ObjectTypes       = 36 // how many there are: clients end on others
)

// Indices into GameObject.Data.
//
// Source: GameObjectTemplate, GameObjectData.h, AzerothCore.
const (
	DoorCloseMs         = 2 // and of buttons; 0 stays open
	ChestLoot           = 1
	ChestRestockSeconds = 2 // 0 has new loot at once
	ChestConsumable     = 3 // it despawns when it is empty
	ChairSlots          = 0
	ChairHeight         = 1
	GooberCloseMs       = 3
	GooberAnimation     = 4
	GooberConsumable    = 5
)

// GameObject is the template of an entry, or nil if there is none. It aliases the World. The cost is logarithmic in the
// number of templates.
func (w *World) GameObject(entry uint32) *GameObject {
	i, ok := find(len(w.GameObjects), entry, func(i int) uint32 { return w.GameObjects[i].Entry })
	if !ok {
		return nil
	}
	return &w.GameObjects[i]
}

// CloseMs is how long a door, a button or a goober that was used stays so, milliseconds; 0 for a door or a button is until
// another use, and a goober is not changed at all, or despawns at once if it is consumable.
//
// Source: GameObjectTemplate::GetAutoCloseTime, AzerothCore.
func (o *GameObject) CloseMs() uint32 {
	switch o.Type {
	case ObjectDoor, ObjectButton:
		return o.Data[DoorCloseMs]
	case ObjectGoober:
		return o.Data[GooberCloseMs]
	}
	return 0
}

// Consumable reports whether an object despawns once it was used up.
//
// Source: GameObjectTemplate::IsDespawnAtAction, AzerothCore.
func (o *GameObject) Consumable() bool {
	return o.Type == ObjectChest && o.Data[ChestConsumable] != 0 || o.Type == ObjectGoober && o.Data[GooberConsumable] != 0
}

// Reach is the largest distance between an object and a player that uses it, yards.
//
// Source: GameObject::GetInteractionDistance, AzerothCore; without the sizes of models.
func (o *GameObject) Reach() float32 {
	switch o.Type {
	case ObjectAreaDamage:
		return 0
	case ObjectQuestGiver, ObjectText, ObjectFlagStand, ObjectFlagDrop, ObjectMiniGame:
		return 5.5555553
	case ObjectChair, ObjectBarberChair:
		return 3
	case ObjectFishingNode:
		return 100
	case ObjectFishingHole:
		return 20.5
	case ObjectDoor, ObjectCamera, ObjectMapObject, ObjectBuilding:
		return 5
	case 4, ObjectMailbox, ObjectGuildBank:
		return 10
	}
	return 5.5
}

// An ObjectSpawn is the spawn point of one game object.
type ObjectSpawn struct {
	ID         uint32 // gameobject.guid of a database, once in a Map; 0 none
	Entry      uint32 // of its template
	X, Y, Z, O float32
	Rotation   [4]float32 // a unit quaternion: x, y, z, w
	Parent     [4]float32 // that of what it stands on
	State      uint8      // GameObjectReady, … of package components
	Progress   uint8      // of its animation
	RespawnMs  uint32     // from the despawn of a consumed one to the next; 0 is never
	Script     uint32     // one more than the index of its script among World.Scripts, instead of the template's; 0 that
}
