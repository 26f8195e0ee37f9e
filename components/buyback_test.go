package components

import "testing"

// Slots fill in order. What is sold after that takes the place of what was sold first, and a slot that was emptied is used
// again.
//
// Source: Player::AddItemToBuyBackSlot and RemoveItemFromBuyBackSlot, AzerothCore.
func TestBuyback(t *testing.T) {
	var b Buyback
	add := func(counter, time uint32, wantSlot int, wantOld uint32) {
		t.Helper()
		slot, old := b.Add(Item{Counter: counter, Count: 1}, 10*counter, time)
		if slot != wantSlot || old.Counter != wantOld || b.Items[slot].Counter != counter || b.Price[slot] != 10*counter || b.Time[slot] != time {
			t.Errorf("item %d went to slot %d in place of %d, want slot %d in place of %d", counter, slot, old.Counter, wantSlot, wantOld)
		}
	}
	for i := range uint32(12) {
		add(i+1, 100-i, int(i), 0)
	}
	add(20, 200, 11, 12) // the oldest, by its time
	add(21, 201, 10, 11)
	b.Remove(4)
	if b.Items[4] != (Item{}) || b.Price[4] != 0 || b.Time[4] != 0 {
		t.Errorf("slot 4 has %+v", b.Items[4])
	}
	add(22, 202, 4, 0)
	b.Remove(0)
	b.Remove(7)
	add(23, 203, 0, 0)
	add(24, 204, 7, 0)
}
