package components

// The places of an Inventory are what is on the body, numbered as clients number its slots, and then the slots of
// each bag.
//
// Source: EquipmentSlots, InventorySlots and InventoryPackSlots, Player.h, AzerothCore.
const (
	SlotHead      = 0
	SlotNeck      = 1
	SlotShoulders = 2
	SlotShirt     = 3
	SlotChest     = 4
	SlotWaist     = 5
	SlotLegs      = 6
	SlotFeet      = 7
	SlotWrists    = 8
	SlotHands     = 9
	SlotFinger    = 10 // and 11
	SlotTrinket   = 12 // and 13
	SlotBack      = 14
	SlotMainHand  = 15
	SlotOffHand   = 16
	SlotRanged    = 17
	SlotTabard    = 18

	FirstBag  = VisibleSlots // of the four places of bags,
	FirstPack = FirstBag + 4 // of the sixteen places of the backpack,
	FirstDeep = FirstPack + 16
	// BagRoom is how many slots the largest bag has: our own limit, which keeps an Inventory within
	// life.MaxItems.
	BagRoom = 22
	Places  = FirstDeep + 4*BagRoom
)

// NoBag is the bag of what is not in a bag: what is worn, the bags themselves, and the backpack.
//
// Source: INVENTORY_SLOT_BAG_0, Player.h, AzerothCore.
const NoBag uint8 = 255

// An Inventory has all items that a player wears and carries: at each place one or none. What its client is sent of
// it is in Carried, in VisibleItems, and in a block for each item.
type Inventory struct{ Items [Places]Item }

// An Item is a stack of a thing. The zero Item is none.
type Item struct {
	Counter       uint32 // of its GUID; never 0
	Entry         uint32 // of its template
	Count         uint16 // from 1
	Durability    uint16 // left
	MaxDurability uint16 // 0: it does not wear out
	Slots         uint8  // of a bag; 0 of anything else
	Moves         uint8  // times that it has changed owners, modulo 256: life.Item
}

// GUID names the item, 0 if there is none.
//
// Source: protocol.md 4.1.
func (i *Item) GUID() uint64 {
	if i.Counter == 0 {
		return 0
	}
	return uint64(HighItem)<<48 | uint64(i.Counter)
}

// Place is the place that clients call a slot of a bag. It is false if no such place can exist; Room reports whether
// the bag exists, and is large enough.
func Place(bag, slot uint8) (place int, ok bool) {
	switch {
	case bag == NoBag && slot < FirstDeep:
		return int(slot), true
	case bag >= FirstBag && bag < FirstPack && slot < BagRoom:
		return FirstDeep + int(bag-FirstBag)*BagRoom + int(slot), true
	}
	return 0, false
}

// Slot is what clients call a place.
func Slot(place int) (bag, slot uint8) {
	if place < FirstDeep {
		return NoBag, uint8(place)
	}
	deep := place - FirstDeep
	return uint8(FirstBag + deep/BagRoom), uint8(deep % BagRoom)
}

// Holder is the bag that a place is in, nil for the body's own.
func (v *Inventory) Holder(place int) *Item {
	if place < FirstDeep {
		return nil
	}
	bag, _ := Slot(place)
	return &v.Items[bag]
}

// Room reports whether there is such a place now: its bag is worn and large enough.
func (v *Inventory) Room(place int) bool {
	holder := v.Holder(place)
	if holder == nil {
		return place >= 0
	}
	_, slot := Slot(place)
	return slot < holder.Slots
}

// Inside is the first place inside the bag at a place.
func Inside(bag int) (place int) { return FirstDeep + (bag-FirstBag)*BagRoom }

// Holds reports whether the bag at a place is not empty.
func (v *Inventory) Holds(bag int) bool {
	for _, it := range v.Items[Inside(bag):][:BagRoom] {
		if it.Counter != 0 {
			return true
		}
	}
	return false
}

// Find is the place of the stack with a counter, -1 if there is none.
func (v *Inventory) Find(counter uint32) int {
	if counter == 0 {
		return -1
	}
	for place := range v.Items {
		if v.Items[place].Counter == counter {
			return place
		}
	}
	return -1
}

// Total is the number of items of an entry, worn ones included.
func (v *Inventory) Total(entry uint32) (n uint32) {
	for i := range v.Items {
		if v.Items[i].Counter != 0 && v.Items[i].Entry == entry {
			n += uint32(v.Items[i].Count)
		}
	}
	return n
}

// Carried is what a player's own client is sent of its inventory: the GUIDs of what it wears, of its bags and of what
// is in its backpack. The contents of a bag are sent with the bag.
//
// Source: PLAYER_FIELD_INV_SLOT_HEAD and PLAYER_FIELD_PACK_SLOT_1, protocol.md appendix A.
type Carried struct {
	GUID [FirstDeep]uint64 `v12340:"0x144"`
}
