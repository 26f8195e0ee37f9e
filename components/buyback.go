package components

// BuybackSlots is how many of the items that a player has sold it can buy back.
//
// Source: BUYBACK_SLOT_START and BUYBACK_SLOT_END, Player.h, AzerothCore.
const BuybackSlots = 12

// Buyback is what a player can buy back from any vendor: nothing of it is in the world until it is. It ends with the
// player's visit. The client is sent it as PLAYER_FIELD_VENDORBUYBACK_SLOT_1 and following.
type Buyback struct {
	Items  [BuybackSlots]Item
	Price  [BuybackSlots]uint32 // copper, of the whole stack
	Time   [BuybackSlots]uint32 // of the sale, seconds of the player's visit and BuybackEpoch
	Next   uint8                // the slot that the next item goes to if it is free
	Unused [3]uint8
}

// BuybackEpoch is the time that Time has for the beginning of a visit, in seconds.
//
// Source: Player::AddItemToBuyBackSlot, AzerothCore.
const BuybackEpoch = 30 * 3600

// Add puts an item into the slot for it: the next, else the first free one, else the one that was sold first. It returns the
// slot and what was in it.
//
// Source: Player::AddItemToBuyBackSlot, AzerothCore.
func (b *Buyback) Add(it Item, price, time uint32) (slot int, old Item) {
	slot = int(b.Next)
	if b.Items[slot].Counter != 0 {
		slot = 0
		for i := 1; i < BuybackSlots; i++ {
			if b.Items[i].Counter == 0 {
				slot = i
				break
			}
			if b.Time[i] < b.Time[slot] {
				slot = i
			}
		}
	}
	old = b.Items[slot]
	b.Items[slot], b.Price[slot], b.Time[slot] = it, price, time
	b.Next = min(b.Next+1, BuybackSlots-1)
	return slot, old
}

// Remove empties a slot.
//
// Source: Player::RemoveItemFromBuyBackSlot, AzerothCore.
func (b *Buyback) Remove(slot int) {
	b.Items[slot], b.Price[slot], b.Time[slot] = Item{}, 0, 0
	if b.Items[b.Next].Counter != 0 {
		b.Next = uint8(slot)
	}
}
