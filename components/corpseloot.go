package components

import "muster/ecs"

// CorpseLoot refers to the loot of a creature's corpse.
type CorpseLoot struct {
	Loot uint32 `block:"Loot"` // block in the world's slab of Loot; 0 none
}

// MaxLoot is the most stacks of a body.
//
// Source: MAX_NR_LOOT_ITEMS, LootMgr.h, AzerothCore.
const MaxLoot = 18

// Loot is the loot of a body. The first Count of Items are in use; an item that was taken keeps its index, which
// clients know.
type Loot struct {
	Owner  uint64     // GUID of the player that may loot it
	Body   ecs.Entity // the corpse
	Viewer ecs.Entity // the player that has it open; zero none
	GUID   uint64     // of the body
	At     uint32     // its index among all bodies
	Next   uint32     // block of the owner's next body; 0 none
	Copper uint32
	Count  uint32
	Gone   uint32 // 1 once nothing is left, and clients have been sent that; 2 once a chest is left, too
	Given  uint32 // copper that the viewer is being given: neither here nor gone yet
	Items  [MaxLoot]LootItem
}

// A LootItem is a stack of a Loot.
type LootItem struct {
	Entry      uint32
	Display    uint32 // of the item's model
	Conditions uint32 // list of conditions that have to hold of the player; 0 none
	Count      uint16
	State      LootState
}

// A LootState is where an item of a body is.
type LootState uint16

// The states.
const (
	LootLies   LootState = iota // in the body
	LootGiven                   // a player is being given it: neither here nor gone yet
	LootTaken                   // gone
	LootHidden                  // in the body, under conditions that do not hold of the player that opened it last
)

// Empty reports whether nothing is left to take, but for what is hidden.
func (l *Loot) Empty() bool {
	for i := range l.Items[:l.Count] {
		if s := l.Items[i].State; s != LootTaken && s != LootHidden {
			return false
		}
	}
	return l.Copper == 0 && l.Given == 0
}

// Looting refers to the bodies that a player may loot, and to the open one.
type Looting struct {
	Open  uint32 // block of the open body; 0 none
	First uint32 // block of the first of its bodies; 0 none
}
