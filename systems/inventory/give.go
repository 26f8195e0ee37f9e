package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/goods"
)

// give adds items to a player's backpack and bags, to existing stacks before free places: all of them, or none, and
// then it returns the reason. InventoryFull is also the result when there is no GUID left for another stack, which is
// counted.
//
// Source: Player::CanStoreNewItem and StoreNewItem, AzerothCore.
func (s *Inventory) give(g *goods.GiveItem) msg.InventoryResult {
	e := g.To
	template := s.defs.Get().Item(g.Entry)
	if template == nil || g.Count == 0 {
		return msg.InventoryItemNotFound
	}
	if g.Worn && s.dress(e, template) {
		return msg.InventoryOK
	}
	v := s.inventories.Get(e)
	stacks, ok := room(v, template, g.Count)
	if !ok {
		return msg.InventoryFull
	}
	if place := int(g.At) - 1; stacks == 0 && place >= components.FirstPack && v.Items[place].Counter == 0 && v.Room(place) {
		stacks = 1 // put makes one there
	}
	if g.Item.Counter == 0 && uint64(stacks) > s.mint.Get().Left() {
		s.noGUID.Count()
		return msg.InventoryFull
	}
	left := g.Count
	at := -1
	if g.At != 0 {
		left, at = s.put(g, template, int(g.At)-1)
	}
	for place := components.FirstPack; place < components.Places && left > 0; place++ {
		if it := &v.Items[place]; it.Counter != 0 && it.Entry == g.Entry && it.Count < template.Stack {
			n := min(left, uint32(template.Stack-it.Count))
			it.Count += uint16(n)
			left -= n
			s.showChange(e, place)
		}
	}
	for place := components.FirstPack; place < components.Places && left > 0; place++ {
		if v.Items[place].Counter == 0 && v.Room(place) {
			n := min(left, uint32(template.Stack))
			s.putStack(g, template, place, n)
			left -= n
			at = place
		}
	}
	if at < 0 && g.Item.Counter != 0 {
		s.showGone(e, g.Item.Counter)
	}
	if g.From == (ecs.Entity{}) {
		s.tally.Get().Made += uint64(g.Count)
	}
	if !g.Quiet {
		if stacks != 1 || uint32(v.Items[max(at, 0)].Count) != g.Count {
			at = -1
		}
		s.push(e, g, at)
	}
	return msg.InventoryOK
}

// put adds items at a place of a bag, as far as there is room, and returns how many are left, and the place if there is a new
// stack, else -1.
func (s *Inventory) put(g *goods.GiveItem, template *defs.Item, place int) (left uint32, at int) {
	v := s.inventories.Get(g.To)
	n := min(g.Count, uint32(template.Stack))
	switch it := &v.Items[place]; {
	case place < components.FirstPack || !v.Room(place):
		return g.Count, -1
	case it.Counter == 0:
		s.putStack(g, template, place, n)
		return g.Count - n, place
	case it.Entry == g.Entry && it.Count < template.Stack:
		n = min(n, uint32(template.Stack-it.Count))
		it.Count += uint16(n)
		s.showChange(g.To, place)
		return g.Count - n, -1
	}
	return g.Count, -1
}

// putStack puts a stack at a free place: the item that comes back, or a new one.
func (s *Inventory) putStack(g *goods.GiveItem, template *defs.Item, place int, count uint32) {
	it := &s.inventories.Get(g.To).Items[place]
	if g.Item.Counter != 0 {
		*it = g.Item
		it.Count = uint16(count)
		s.showChange(g.To, place)
	} else {
		*it = s.make(template, uint16(count))
		s.showNew(g.To, place)
	}
	s.settle(g.To, place)
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
func (s *Inventory) make(template *defs.Item, count uint16) components.Item {
	return components.Item{
		Counter: s.mint.Get().Take(), Entry: template.Entry, Count: count,
		Durability: template.Durability, MaxDurability: template.Durability, Slots: template.Bag,
	}
}

// dress makes an item and equips it. It reports false if there is no free place for it, or the player may not wear
// it.
func (s *Inventory) dress(e ecs.Entity, template *defs.Item) bool {
	if s.mint.Get().Left() == 0 {
		return false
	}
	v := s.inventories.Get(e)
	for _, place := range placesOf(template) {
		if v.Items[place].Counter == 0 && s.mayWear(e, template, int(place)) == msg.InventoryOK {
			v.Items[place] = s.make(template, 1)
			s.tally.Get().Made++
			s.showNew(e, int(place))
			s.settle(e, int(place))
			return true
		}
	}
	return false
}

// use removes one of the stack with a counter, if there is such a stack.
//
// Source: Spell::TakeCastItem, AzerothCore.
func (s *Inventory) use(e ecs.Entity, counter uint32) {
	if place := s.inventories.Get(e).Find(counter); place >= 0 {
		s.destroy(e, place, 1)
	}
}

// take removes an amount of items of an entry, wherever they are, and returns how many there were of them. A bag that
// is not empty stays.
func (s *Inventory) take(e ecs.Entity, entry, count uint32) (taken uint32) {
	v := s.inventories.Get(e)
	for place := range v.Items {
		it := &v.Items[place]
		if it.Counter == 0 || it.Entry != entry || taken == count {
			continue
		}
		n := min(count-taken, uint32(it.Count))
		if s.destroy(e, place, n) == msg.InventoryOK {
			taken += n
		}
	}
	return taken
}

// takeOut removes an amount of a stack from the world, 0 for all of it, and returns what was removed: nothing if there is less,
// or if it is a bag that is not empty. With Keep, a part of a stack gets a GUID of its own.
//
// Source: WorldSession::HandleSellItemOpcode, AzerothCore.
func (s *Inventory) takeOut(e ecs.Entity, r *goods.TakeItem) components.Item {
	v := s.inventories.Get(e)
	place := v.Find(r.Counter)
	if place < 0 {
		return components.Item{}
	}
	it := &v.Items[place]
	out := *it
	whole := r.Count == 0 || r.Count == uint32(it.Count)
	switch {
	case !whole && r.Count > uint32(it.Count), place >= components.FirstBag && place < components.FirstPack && v.Holds(place):
		return components.Item{}
	case whole && r.Keep:
		s.tally.Get().Unmade += uint64(out.Count)
		*it = components.Item{}
		s.settle(e, place)
		return out
	case r.Keep && s.mint.Get().Left() == 0:
		s.noGUID.Count()
		return components.Item{}
	}
	if !whole {
		out.Count = uint16(r.Count)
	}
	if s.destroy(e, place, r.Count); r.Keep {
		out.Counter = s.mint.Get().Take()
		s.showParted(e, out)
	}
	return out
}

// wear reduces the durability of all items of a player by a percentage of their maximum, at least one point. An item
// without durability has no effect.
//
// Source: Player::DurabilityLossAll and DurabilityPointsLoss, AzerothCore.
func (s *Inventory) wear(e ecs.Entity, percent uint32) {
	v := s.inventories.Get(e)
	for place := range v.Items {
		it := &v.Items[place]
		if it.Counter == 0 || it.Durability == 0 {
			continue
		}
		loss := max(uint32(it.MaxDurability)*percent/100, 1)
		it.Durability -= uint16(min(loss, uint32(it.Durability)))
		s.showChange(e, place)
		if it.Durability == 0 && place < components.VisibleSlots {
			s.report(e, broke, place)
		}
	}
}

// destroy removes an amount of the stack at a place from the world, 0 for all of it. A bag that is not empty stays.
//
// Source: WorldSession::HandleDestroyItemOpcode, AzerothCore.
func (s *Inventory) destroy(e ecs.Entity, place int, count uint32) msg.InventoryResult {
	v := s.inventories.Get(e)
	it := &v.Items[place]
	switch {
	case it.Counter == 0:
		return msg.InventoryItemNotFound
	case place >= components.FirstBag && place < components.FirstPack && v.Holds(place):
		return msg.InventoryNonEmptyBag
	}
	if count == 0 || count >= uint32(it.Count) {
		counter := it.Counter
		s.tally.Get().Unmade += uint64(it.Count)
		*it = components.Item{}
		s.settle(e, place)
		s.showGone(e, counter)
		return msg.InventoryOK
	}
	it.Count -= uint16(count)
	s.tally.Get().Unmade += uint64(count)
	s.showChange(e, place)
	return msg.InventoryOK
}
