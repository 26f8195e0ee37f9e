package components

import "muster/ecs"

// CorpseLoot is what a creature leaves behind.
type CorpseLoot struct {
	Loot uint32 `block:"Loot"` // block of what can be taken from its body in the world's slab of Loot; 0 nothing
}

// MaxLoot is how many stacks a body can have.
//
// Source: MAX_NR_LOOT_ITEMS, LootMgr.h, AzerothCore.
const MaxLoot = 18

// Loot is what can be taken from a body. The first Count of Items are in use; what was taken stays in its place,
// whose number clients know.
type Loot struct {
	Owner  uint64     // GUID of the player it is for
	Body   ecs.Entity // whose CorpseLoot it is
	Viewer ecs.Entity // the player who has it open; zero nobody
	GUID   uint64     // of the body
	At     uint32     // its place among all bodies that lie
	Next   uint32     // block of the owner's next body; 0 there is none
	Copper uint32
	Count  uint32
	Gone   uint32 // 1 once nothing is left, and everybody knows
	_      uint32
	Items  [MaxLoot]LootItem
}

// A LootItem is a stack of a Loot.
type LootItem struct {
	Entry uint32
	Count uint16
	Taken uint16 // 1 once it is
}

// Empty reports whether there is nothing left to take.
func (l *Loot) Empty() bool {
	for i := range l.Items[:l.Count] {
		if l.Items[i].Taken == 0 {
			return false
		}
	}
	return l.Copper == 0
}

// Looting is what a player may loot, and what it does.
type Looting struct {
	Open  uint32 // block of the body that it has open; 0 none
	First uint32 // block of the first of the bodies that are for it; 0 there is none
}
