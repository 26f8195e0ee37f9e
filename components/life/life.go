// Package life is what is stored of a player between two visits, besides its name and looks: the part of a character
// that play changes. Gateway, world and store share these types.
package life

// Limits that hold everywhere. A life that exceeds one is cut where it is read, and counted.
const (
	MaxSpells    = 256 // known
	MaxCooldowns = 64  // running
	MaxAuras     = 32  // on one unit
	MaxActions   = 144 // buttons of the action bars. Source: MAX_ACTION_BUTTONS, Player.h, AzerothCore
	MaxItems     = 128 // worn and carried, bags included
)

// A Life is the stored state of a player. The zero Life is that of a character that has never been in a world: on
// entering it gets the outfit of its class.
type Life struct {
	Begun bool // it has been in a world, and has got the outfit of its class

	XP          uint32 // towards the next level
	MoneyCopper uint32
	Health      uint32
	Power       [7]uint32 // by power type; rage and runic power times ten

	Death Death
	Bind  Place // destination of the hearthstone

	PlayedSec      uint32 // in worlds, ever
	LevelPlayedSec uint32 // of it, since the last level

	Spells    []uint32 // known, ascending
	Cooldowns []Cooldown
	Auras     []Aura
	Actions   []Action // by ascending button; buttons without an action are left out
	Items     []Item   // by ascending bag and slot
}

// A Place is a point of a map.
type Place struct {
	Map, Zone  uint32
	X, Y, Z, O float32
}

// The states of a Death.
const (
	Alive uint32 = iota
	Dead         // not released
	Ghost        // released
)

// A Death is whether a player is dead, and where its body is.
type Death struct {
	State         uint32
	Body          Place
	ReclaimLeftMs uint32 // until the body can be reclaimed
}

// A Cooldown is the time until a spell can be cast again.
type Cooldown struct {
	Spell    uint32
	Category uint32 // of spells that share it; 0 none
	LeftMs   uint32
}

// An Aura is an aura on the player.
type Aura struct {
	Spell           uint32
	Caster          uint64 // GUID; may not exist any more
	CasterLevel     uint8
	Slot            uint8
	Stacks, Charges uint8
	MaxMs, LeftMs   uint32 // MaxMs 0: until it is removed
	Amount          [3]int32
}

// An Action is a button of the action bars: what it does, as the client packed it.
type Action struct {
	Button uint8
	Packed uint32
}

// InBody is the Bag of what is worn or carried without a bag.
//
// Source: INVENTORY_SLOT_BAG_0, Player.h, AzerothCore.
const InBody = 255

// An Item is one stack of one thing, in one place.
type Item struct {
	GUID       uint64 // with its high part
	Entry      uint32
	Count      uint32 // from 1
	Durability uint32 // left
	Bag, Slot  uint8  // Bag is InBody, or the slot of the bag that it is in
	Moves      uint8  `json:",omitempty"` // times that it has changed owners, modulo 256
}

// OlderThan reports whether an item has changed owners fewer times than one with the same GUID that has moves: it is
// what an owner had before that one. Moves are serial numbers, so that it holds for less than 128 of them.
//
// Source: RFC 1982, 3.2.
func (i *Item) OlderThan(moves uint8) bool { return int8(i.Moves-moves) < 0 }

// A Set is a set of the lists of a Life. Snapshots leave out lists that have not changed.
type Set uint32

// The lists of a Life. Everything else is in every snapshot.
const (
	Spells Set = 1 << iota
	Cooldowns
	Auras
	Actions
	Items

	All = Spells | Cooldowns | Auras | Actions | Items
)
