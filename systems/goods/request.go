package goods

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// Tickets of systems whose answers come by the same events: each system numbers its requests from the first one of its own, and has
// a quarter of all numbers. Those before are of game masters.
const (
	VendorTickets  = 1 << 31
	TrainerTickets = 3 << 30
)

// A GiveItem asks for items to be added to a player's inventory: all of them, or none. System inventory takes it by
// the end of the stage, and answers with ItemGiven.
type GiveItem struct {
	To      ecs.Entity
	Entry   uint32
	Count   uint32
	From    ecs.Entity // the body that has them; zero for items that are new in the world
	Slot    uint32     // in the loot of From
	Ticket  uint32     // for the sender, which finds its answer by it; 0 none
	Worn    bool       // one item, to be worn if there is a free place for it
	Quiet   bool       // the player gets no message about it
	FromNPC bool       // received from an NPC

	// Item is what a TakeItem with Keep has taken: it comes back as it was, with its GUID, unless it is added to stacks.
	// Zero makes new items.
	Item components.Item
	At   uint8 // the place to put them first, and 1; 0 anywhere
}

// An ItemGiven is the answer to a GiveItem.
type ItemGiven struct {
	GiveItem
	Why msg.InventoryResult // why there are none, or InventoryOK
}

// A TakeItem asks for items of an entry to be removed from the world, wherever a player has them: as many as there
// are. System inventory takes it by the end of the stage, and answers with ItemTaken.
type TakeItem struct {
	From    ecs.Entity
	Entry   uint32
	Counter uint32 // of the stack's GUID, to take nothing from others; 0 takes from all
	Count   uint32
	Ticket  uint32 // as in GiveItem
	Keep    bool   // with Counter: the player can have it back, and its client knows it until then
}

// An ItemTaken is the answer to a TakeItem.
type ItemTaken struct {
	TakeItem
	Taken uint32          // of Count
	Item  components.Item // with Keep, what was taken
}

// A UseItem asks for one of a player's stack to be removed from the world: the spell of the item has been cast. System
// inventory takes it by the end of the stage.
type UseItem struct {
	Entity  ecs.Entity
	Counter uint32 // of the stack's GUID
}

// A WearItems asks for the durability of all items of a player to be reduced by a percentage of their maximum. System
// inventory takes it by the end of the stage.
type WearItems struct {
	Entity  ecs.Entity
	Percent uint32
}

// A GiveMoney asks for copper to be given to a player, all or nothing, or to be taken from it if the amount is
// negative, at most all that it has. System money takes it by the end of the stage, and answers with MoneyGiven.
type GiveMoney struct {
	To     ecs.Entity
	Copper int64
	From   ecs.Entity // the body that has it; zero for copper that is new in the world
	Ticket uint32     // as in GiveItem
	Exact  bool       // nothing is taken if there is less
	Partly bool       // as much is given as there is room for; the rest is not made
}

// A MoneyGiven is the answer to a GiveMoney.
type MoneyGiven struct {
	GiveMoney
	OK  bool   // false if the player would have more than MaxMoney, or has too little for Exact
	Has uint32 // the player's copper after it
}

// A Newcomer is a player that has never been in a world: intake emits it, and system outfit gives it the outfit of its
// class.
type Newcomer struct{ Entity ecs.Entity }
