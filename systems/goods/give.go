package goods

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// A Gift is items for a player.
type Gift struct {
	Entry, Count uint32
	Made         bool // they are new in the world, and not from a body
	Quiet        bool // the player gets no message about it
	FromNPC      bool // received from an NPC
	Created      bool // created by the player
}

// Give adds items to a player's backpack and bags, to existing stacks before free places: all of them, or none, and
// then it returns the reason. InventoryFull is also the result when there is no GUID left for another stack, which is
// counted.
//
// Source: Player::CanStoreNewItem and StoreNewItem, AzerothCore.
func (l *Ledger) Give(t sched.Tick, e ecs.Entity, g Gift) msg.InventoryResult {
	template := l.defs.Get().Item(g.Entry)
	if template == nil || g.Count == 0 {
		return msg.InventoryItemNotFound
	}
	v := l.inventories.Get(e)
	stacks, ok := room(v, template, g.Count)
	if !ok {
		return msg.InventoryFull
	}
	if uint64(stacks) > l.mint.Get().Left() {
		l.noGUID.Count()
		return msg.InventoryFull
	}
	left := g.Count
	for place := components.FirstPack; place < components.Places && left > 0; place++ {
		if it := &v.Items[place]; it.Counter != 0 && it.Entry == g.Entry && it.Count < template.Stack {
			n := min(left, uint32(template.Stack-it.Count))
			it.Count += uint16(n)
			left -= n
			l.showChange(t, e, place)
		}
	}
	at := -1
	for place := components.FirstPack; place < components.Places && left > 0; place++ {
		if it := &v.Items[place]; it.Counter == 0 && v.Room(place) {
			n := min(left, uint32(template.Stack))
			*it = l.make(template, uint16(n))
			left -= n
			at = place
			l.showNew(t, e, place)
			l.settle(t, e, place)
		}
	}
	if g.Made {
		l.tally.Get().ItemsMade += uint64(g.Count)
	}
	if !g.Quiet {
		if stacks != 1 || uint32(v.Items[max(at, 0)].Count) != g.Count {
			at = -1
		}
		l.push(e, g, at)
	}
	return msg.InventoryOK
}

// room is the number of new stacks that an amount of an item needs, and whether there are places for them.
func room(v *components.Inventory, template *defs.Item, count uint32) (stacks uint32, ok bool) {
	stack := uint32(template.Stack)
	var free uint32
	for place := components.FirstPack; place < components.Places; place++ {
		switch it := &v.Items[place]; {
		case it.Counter == 0:
			if v.Room(place) {
				free++
			}
		case it.Entry == template.Entry && it.Count < template.Stack:
			count -= min(count, stack-uint32(it.Count))
		}
	}
	stacks = uint32((uint64(count) + uint64(stack) - 1) / uint64(stack))
	return stacks, stacks <= free
}

// make makes a stack. The mint must have a counter for it.
func (l *Ledger) make(template *defs.Item, count uint16) components.Item {
	return components.Item{
		Counter: l.mint.Get().take(), Entry: template.Entry, Count: count,
		Durability: template.Durability, MaxDurability: template.Durability, Slots: template.Bag,
	}
}

// Dress makes an item and equips it. It reports false if there is no free place for it, or the player may not wear
// it.
func (l *Ledger) Dress(t sched.Tick, e ecs.Entity, entry uint32) bool {
	template := l.defs.Get().Item(entry)
	if template == nil || l.mint.Get().Left() == 0 {
		return false
	}
	v := l.inventories.Get(e)
	for _, place := range placesOf(template) {
		if v.Items[place].Counter == 0 && l.mayWear(e, template, int(place)) == msg.InventoryOK {
			v.Items[place] = l.make(template, 1)
			l.tally.Get().ItemsMade++
			l.showNew(t, e, int(place))
			l.settle(t, e, int(place))
			return true
		}
	}
	return false
}

// Use removes one of the stack with a counter, and reports whether there is such a stack: the spell of the item has
// been cast.
//
// Source: Spell::TakeCastItem, AzerothCore.
func (l *Ledger) Use(t sched.Tick, e ecs.Entity, counter uint32) bool {
	if place := l.find(e, counter); place >= 0 {
		return l.Destroy(t, e, place, 1) == msg.InventoryOK
	}
	return false
}

// Has reports whether a player has the stack with a counter.
func (l *Ledger) Has(e ecs.Entity, counter uint32) bool { return l.find(e, counter) >= 0 }

// find is the place of the stack with a counter, -1 if the player has none.
func (l *Ledger) find(e ecs.Entity, counter uint32) int {
	if counter != 0 && l.inventories.Has(e) {
		items := &l.inventories.Get(e).Items
		for place := range items {
			if items[place].Counter == counter {
				return place
			}
		}
	}
	return -1
}

// Wear reduces the durability of all items of a player by a percentage of their maximum, at least one point. An item
// without durability has no effect.
//
// Source: Player::DurabilityLossAll and DurabilityPointsLoss, AzerothCore.
func (l *Ledger) Wear(t sched.Tick, e ecs.Entity, percent uint32) {
	v := l.inventories.Get(e)
	for place := range v.Items {
		it := &v.Items[place]
		if it.Counter == 0 || it.Durability == 0 {
			continue
		}
		loss := max(uint32(it.MaxDurability)*percent/100, 1)
		it.Durability -= uint16(min(loss, uint32(it.Durability)))
		l.showChange(t, e, place)
		if it.Durability == 0 && place < components.VisibleSlots {
			l.changes.Emit(rules.StatsDirty{Entity: e})
		}
	}
}

// push sends a player that it has got items, in a new stack at a place, or at -1 on existing ones.
//
// Source: Player::SendNewItem, AzerothCore.
func (l *Ledger) push(e ecs.Entity, g Gift, at int) {
	v := l.inventories.Get(e)
	l.pushed = msg.ItemPushResult{
		GUID: l.objects.Get(e).GUID, FromNPC: flag(g.FromNPC), Created: flag(g.Created), Show: 1,
		Bag: components.NoBag, Slot: -1, Item: g.Entry, Count: g.Count, Total: v.Total(g.Entry),
	}
	if at >= 0 {
		bag, slot := components.Slot(at)
		l.pushed.Bag, l.pushed.Slot = bag, int32(slot)
	}
	l.out.Send(e, msg.OpItemPushResult, &l.pushed)
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Destroy removes an amount of the stack at a place from the world, 0 for all of it. A bag that is not empty stays.
//
// Source: WorldSession::HandleDestroyItemOpcode, AzerothCore.
func (l *Ledger) Destroy(t sched.Tick, e ecs.Entity, place int, count uint32) msg.InventoryResult {
	v := l.inventories.Get(e)
	it := &v.Items[place]
	switch {
	case it.Counter == 0:
		return msg.InventoryItemNotFound
	case place >= components.FirstBag && place < components.FirstPack && v.Holds(place):
		return msg.InventoryNonEmptyBag
	}
	if count == 0 || count >= uint32(it.Count) {
		guid := it.GUID()
		l.tally.Get().ItemsUnmade += uint64(it.Count)
		*it = components.Item{}
		l.settle(t, e, place)
		l.showGone(t, e, guid)
		return msg.InventoryOK
	}
	it.Count -= uint16(count)
	l.tally.Get().ItemsUnmade += uint64(count)
	l.showChange(t, e, place)
	return msg.InventoryOK
}
