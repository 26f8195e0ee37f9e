package components

// VisibleItems is the equipment of a player that others see: 19 slots of two words, the item's entry and its
// enchantments (two numbers of 16 bits). Slot s is Item[2*s] and Item[2*s+1].
//
// Source: PLAYER_VISIBLE_ITEM_1_ENTRYID and following, protocol.md appendix A.
type VisibleItems struct {
	Item [2 * VisibleSlots]uint32 `v12340:"0x11B"`
}

// VisibleSlots is the number of slots that others see.
const VisibleSlots = 19
