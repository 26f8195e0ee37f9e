package vendor

import (
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/goods"
)

// show lists what a vendor sells to a player: not what is sold out, nor what binds when it is picked up and is for other
// classes, nor what depends on conditions that do not hold.
//
// Source: WorldSession::HandleListInventoryOpcode and SendListInventory, AzerothCore.
func (s *Vendor) show(t sched.Tick, r *Request) {
	switch {
	case r.Dead:
		s.out.Refuse(r.By, msg.OpListInventory, &s.unable)
		return
	case r.Vendor == (ecs.Entity{}):
		r.Item = 0
		s.sendSellFailed(r, msg.SellNoVendor)
		return
	}
	items := s.list.Items[:0]
	if all := s.wares(r.Entry); len(all) > 0 {
		for i := range all {
			sold := &all[i]
			it := s.defs.Get().Item(sold.Item)
			if it == nil || !sellsTo(it, r.Class) || !r.Allowed.has(i, sold) || len(items) == msg.MaxVendorItems {
				continue
			}
			left := int32(-1)
			if sold.Max > 0 {
				if left = int32(s.left(t.NowMs, r.GUID, sold, it.PerPurchase())); left == 0 {
					continue
				}
			}
			items = append(items, msg.VendorItem{
				Slot: uint32(i) + 1, Item: it.Entry, Display: it.Display, Left: left, Price: it.BuyPrice,
				Durability: uint32(it.Durability), BuyCount: it.PerPurchase(),
			})
		}
	}
	s.list = msg.VendorList{GUID: r.GUID, Items: items}
	s.out.SendNow(r.By, msg.OpVendorList, &s.list)
}

// wares is what vendors of an entry sell now, in the order of their lists: what they always sell, and then what they sell during the events that are on.
//
// Source: GameEventMgr::UpdateEventNPCVendor, AzerothCore.
func (s *Vendor) wares(entry uint32) (items []defs.VendorItem) {
	if v := s.defs.Get().Vendor(entry); v != nil {
		items = v.Items
	}
	for _, it := range s.defs.Get().EventWaresOf(entry) {
		if s.events.Get().On(it.Event) {
			items = append(slices.Clip(items), it.VendorItem)
		}
	}
	return items
}

// sellsTo reports whether an item is sold to a class.
func sellsTo(it *defs.Item, class uint8) bool {
	return it.Classes == 0 || it.Bonding != defs.BindTaken || class > 0 && it.Classes>>(class-1)&1 != 0
}

// buy begins a purchase.
//
// Source: Player::BuyItemFromVendorSlot, AzerothCore.
func (s *Vendor) buy(t sched.Tick, r *Request) {
	op := opcodes[r.Verb]
	if r.Dead {
		s.out.Refuse(r.By, op, &s.unable)
		return
	}
	d := deal{Request: *r, Entry: uint32(r.Item)}
	if !s.into(&d) || r.Slot == 0 {
		s.out.Refuse(r.By, op, &s.badSlot)
		return
	}
	it, all := s.defs.Get().Item(d.Entry), s.wares(r.Entry)
	switch {
	case it == nil || !sellsTo(it, r.Class):
		s.sendBuyFailed(r.By, 0, d.Entry, msg.BuyItemNotFound)
		return
	case r.Vendor == (ecs.Entity{}):
		s.sendBuyFailed(r.By, 0, d.Entry, msg.BuyTooFar)
		return
	case uint64(r.Slot) > uint64(len(all)) || all[r.Slot-1].Item != d.Entry || !r.Allowed.has(int(r.Slot-1), &all[r.Slot-1]):
		s.sendBuyFailed(r.By, r.GUID, d.Entry, msg.BuyItemNotFound)
		return
	}
	d.Request.Count = max(r.Count, 1)
	count, price := uint64(d.Request.Count)*uint64(it.PerPurchase()), uint64(d.Request.Count)*uint64(it.BuyPrice)
	if price > goods.MaxMoney {
		s.sendBuyFailed(r.By, r.GUID, d.Entry, msg.BuyTooExpensive)
		return
	}
	d.Count, d.Price = uint32(min(count, math.MaxUint32)), uint32(price)
	if sold := &all[r.Slot-1]; sold.Max > 0 {
		if uint64(s.left(t.NowMs, r.GUID, sold, it.PerPurchase())) < count {
			s.sendBuyFailed(r.By, r.GUID, d.Entry, msg.BuySoldOut)
			return
		}
		d.Limited = true
		d.Left = s.take(t.NowMs, r.GUID, sold, it.PerPurchase(), d.Count)
	}
	s.charge(d)
}

// into finds the place for what is bought. It is false if there is none of that name.
//
// Source: WorldSession::HandleBuyItemInSlotOpcode, AzerothCore.
func (s *Vendor) into(d *deal) bool {
	r := &d.Request
	if r.Verb != BuyInto {
		return true
	}
	bag := uint8(components.NoBag)
	if r.Bag != r.Owner {
		bag = 0
		for place := components.FirstBag; place < components.FirstPack; place++ {
			if it := &s.inventories.Get(r.By).Items[place]; it.Counter != 0 && it.GUID() == r.Bag {
				bag = uint8(place)
			}
		}
	}
	place, ok := components.Place(bag, r.BagSlot)
	if !ok || place < components.FirstPack || !s.inventories.Get(r.By).Room(place) {
		return false
	}
	d.At = uint8(place) + 1
	return true
}
