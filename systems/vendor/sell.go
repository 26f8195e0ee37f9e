package vendor

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/frame"
	"muster/systems/goods"
)

// sell begins a sale.
//
// Source: WorldSession::HandleSellItemOpcode, AzerothCore.
func (s *Vendor) sell(r *Request) {
	if r.Vendor == (ecs.Entity{}) {
		s.sendSellFailed(r, msg.SellNoVendor)
		return
	}
	v := s.inventories.Get(r.By)
	place := v.Find(uint32(r.Item))
	if place < 0 || v.Items[place].GUID() != r.Item {
		s.sendSellFailed(r, msg.SellItemNotFound)
		return
	}
	it := &v.Items[place]
	template := s.defs.Get().Item(it.Entry)
	count := r.Count
	if count == 0 {
		count = uint32(it.Count)
	}
	bag := place >= components.FirstBag && place < components.FirstPack
	switch {
	case template == nil:
		s.sendSellFailed(r, msg.SellItemNotFound)
	case template.SellPrice == 0, count > uint32(it.Count), bag && v.Holds(place):
		s.sendSellFailed(r, msg.SellNotWanted)
	default:
		price := min(uint64(template.SellPrice)*uint64(count), goods.MaxMoney)
		d := s.begin(deal{Request: *r, Entry: it.Entry, Count: count, Price: uint32(price)})
		s.takes.Emit(goods.TakeItem{From: r.By, Counter: uint32(r.Item), Count: count, Keep: true, Ticket: d.Ticket})
	}
}

// handedOver has a sale paid for, or ends it if there is nothing to pay for.
func (s *Vendor) handedOver(d *deal, answer *goods.ItemTaken) {
	e := d.Request.By
	switch {
	case !s.entities.Exists(e):
		s.end(d)
	case answer.Taken == 0: // an earlier request has taken it
		s.sendSellFailed(&d.Request, msg.SellItemNotFound)
		s.end(d)
	default:
		d.Returned = answer.Item
		s.money.Emit(goods.GiveMoney{To: e, Copper: int64(d.Price), Ticket: d.Ticket, Exact: true})
	}
}

// paidFor ends a sale: the player can buy back what the vendor has got. What is not paid for comes back.
func (s *Vendor) paidFor(d *deal, ok bool) {
	if ok {
		s.keep(d, d.Returned)
		s.end(d)
		return
	}
	s.items.Emit(goods.GiveItem{To: d.Request.By, Entry: d.Entry, Count: d.Count, Item: d.Returned, Quiet: true, Ticket: d.Ticket})
}

// unsold ends a sale that was not paid for. What finds no room any more, the player can buy back.
func (s *Vendor) unsold(d *deal, why msg.InventoryResult) {
	if why != msg.InventoryOK {
		s.keep(d, d.Returned)
	}
	s.sendSellFailed(&d.Request, msg.SellUnknown)
}

// keep puts what was sold, or has not come back, into one of the player's slots. What was there is gone for good.
func (s *Vendor) keep(d *deal, it components.Item) {
	e := d.Request.By
	slot, old := s.buybacks.Get(e).Add(it, d.Price, d.Request.VisitSec+components.BuybackEpoch)
	s.showBuyback(e, d.Request.Owner, slot)
	if old.Counter != 0 {
		s.gone = msg.DestroyObject{GUID: old.GUID()}
		s.out.Send(e, msg.OpDestroyObject, &s.gone)
	}
}

// buyBack begins the return of what a player has sold: it is in no slot until that is decided.
//
// Source: WorldSession::HandleBuybackItem, AzerothCore.
func (s *Vendor) buyBack(r *Request) {
	if r.Vendor == (ecs.Entity{}) {
		s.sendSellFailed(r, msg.SellNoVendor)
		return
	}
	b, slot := s.buybacks.Get(r.By), r.Slot-msg.FirstBuyback
	if slot >= components.BuybackSlots || b.Items[slot].Counter == 0 {
		s.sendBuyFailed(r.By, r.GUID, 0, msg.BuyItemNotFound)
		return
	}
	it, price, time := b.Items[slot], b.Price[slot], b.Time[slot]
	b.Remove(int(slot))
	s.charge(deal{Request: *r, Entry: it.Entry, Count: uint32(it.Count), Price: price, Time: time, Returned: it})
}

// restore puts what has not come back into its slot again.
func (s *Vendor) restore(d *deal) {
	e, slot := d.Request.By, d.Request.Slot-msg.FirstBuyback
	b := s.buybacks.Get(e)
	if b.Items[slot].Counter != 0 {
		s.keep(d, d.Returned)
		return
	}
	b.Items[slot], b.Price[slot], b.Time[slot] = d.Returned, d.Price, d.Time
}

// The first words of what a player can buy back.
//
// Source: PLAYER_FIELD_VENDORBUYBACK_SLOT_1, PLAYER_FIELD_BUYBACK_PRICE_1 and PLAYER_FIELD_BUYBACK_TIMESTAMP_1, protocol.md
// appendix A.
const (
	buybackGUIDs  = 0x1D8
	buybackPrices = 0x4B1
	buybackTimes  = 0x4BD
)

// showBuyback sends a player one of its slots.
func (s *Vendor) showBuyback(e ecs.Entity, owner uint64, slot int) {
	b := s.buybacks.Get(e)
	guid, i := b.Items[slot].GUID(), uint16(slot)
	s.words = append(s.words[:0],
		update.Field{Index: buybackGUIDs + 2*i, Value: uint32(guid)}, update.Field{Index: buybackGUIDs + 2*i + 1, Value: uint32(guid >> 32)},
		update.Field{Index: buybackPrices + i, Value: b.Price[slot]}, update.Field{Index: buybackTimes + i, Value: b.Time[slot]})
	s.block = update.AppendWords(s.block[:0], owner, s.words)
	s.updates.Begin(s.out.Buffer())
	s.updates.Block(s.block)
	s.out.Write(s.updates.End())
	s.out.SendSpan(e, frame.PlaceOf(msg.OpUpdateObject), s.out.Cut())
}
