// Package vendor is what vendors do: they list what they sell, sell it, and buy what players have, who can have it back
// for the same money as long as they stay.
//
// It only asks for goods: package inventory gives and takes them, and the answers come within the same stage. What the player
// gives changes hands first, all or nothing: money for a purchase, the item for a sale. If what it gets does not follow, that
// goes back.
package vendor

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// Vendor executes the requests of clients to vendors.
type Vendor struct {
	entities   ecs.Entities
	defs       ecs.Res[defs.World]
	events     ecs.Res[rules.GameEvents]
	out        change.Out
	requests   ecs.Requests[admitted]
	items      ecs.Emit[goods.GiveItem]
	itemsGiven ecs.EventReader[goods.ItemGiven]
	takes      ecs.Emit[goods.TakeItem]
	taken      ecs.EventReader[goods.ItemTaken]
	money      ecs.Emit[goods.GiveMoney]
	moneyGiven ecs.EventReader[goods.MoneyGiven]

	inventories ecs.ReadRef[components.Inventory]
	records     ecs.ReadRef[components.Record]
	buybacks    ecs.Write[components.Buyback]

	stocks []stock // by vendor and item; of others there is as much as there can be
	deals  []deal  // in the order of their tickets: those that wait for an answer
	ticket uint32  // of the last one

	list    msg.VendorList // kept here, since a packet takes its message by reference
	bought  msg.ItemBought
	buyFail msg.BuyFailed
	sold    msg.SellFailed
	failure msg.InventoryChangeFailure
	gone    msg.DestroyObject
	updates update.Writer
	block   []byte
	words   []update.Field

	unable  sched.Counter `name:"vendor.unable"`
	badSlot sched.Counter `name:"vendor.bad_slot"`
}

// A deal is a purchase, a sale or a return that has been begun.
type deal struct {
	Ticket   uint32
	Request  Request
	Entry    uint32          // of the item
	Count    uint32          // pieces
	Price    uint32          // copper
	Time     uint32          // of the sale of what comes back
	At       uint8           // as in goods.GiveItem
	Limited  bool            // the vendor's stock is limited
	Left     uint32          // of it
	Returned components.Item // what comes back, or is sold
}

// React implements sched.Reactor.
func (s *Vendor) React(t sched.Tick) {
	requests := s.requests.Take()
	for i := range requests {
		if s.entities.Exists(requests[i].By) {
			s.execute(t, &requests[i].Request)
		}
	}
	for i, all := 0, s.moneyGiven.Next(); i < len(all); i++ {
		if d := s.waiting(all[i].Ticket); d != nil {
			s.paid(d, all[i].OK)
		}
	}
	for i, all := 0, s.itemsGiven.Next(); i < len(all); i++ {
		if d := s.waiting(all[i].Ticket); d != nil {
			s.given(d, all[i].Why)
			s.end(d)
		}
	}
	for i, all := 0, s.taken.Next(); i < len(all); i++ {
		if d := s.waiting(all[i].Ticket); d != nil {
			s.handedOver(d, &all[i])
		}
	}
}

func (s *Vendor) execute(t sched.Tick, r *Request) {
	if r.Entering {
		s.out.Refuse(r.By, opcodes[r.Verb], &s.unable)
		return
	}
	r.VisitSec = (t.NowMs - s.records.Get(r.By).EnteredMs) / 1000
	switch r.Verb {
	case List:
		s.show(t, r)
	case Buy, BuyInto:
		s.buy(t, r)
	case Sell:
		s.sell(r)
	case BuyBack:
		s.buyBack(r)
	}
}

// begin gives a deal its ticket, and notes it.
func (s *Vendor) begin(d deal) *deal {
	s.ticket = max(s.ticket, goods.VendorTickets) + 1
	d.Ticket = s.ticket
	s.deals = append(s.deals, d)
	return &s.deals[len(s.deals)-1]
}

// charge begins a deal with the money that the player pays for it.
func (s *Vendor) charge(of deal) {
	d := s.begin(of)
	if d.Price == 0 {
		s.paid(d, true)
		return
	}
	s.money.Emit(goods.GiveMoney{To: d.Request.By, Copper: -int64(d.Price), Ticket: d.Ticket, Exact: true})
}

// waiting is the deal with a ticket, nil if there is none.
func (s *Vendor) waiting(ticket uint32) *deal {
	if i := slices.IndexFunc(s.deals, func(d deal) bool { return d.Ticket == ticket }); i >= 0 {
		return &s.deals[i]
	}
	return nil
}

// end forgets a deal.
func (s *Vendor) end(d *deal) {
	ticket := d.Ticket
	s.deals = slices.DeleteFunc(s.deals, func(d deal) bool { return d.Ticket == ticket })
}

// paid goes on with a deal when money has changed hands, or ends it if that was impossible.
func (s *Vendor) paid(d *deal, ok bool) {
	e := d.Request.By
	switch verb := d.Request.Verb; {
	case !s.entities.Exists(e):
		s.putStock(d)
		s.end(d)
	case verb == Sell: // it is not OK if the player has too much money
		s.paidFor(d, ok)
	case !ok:
		if verb == BuyBack {
			s.restore(d)
		}
		s.putStock(d)
		s.sendBuyFailed(e, d.Request.GUID, d.Entry, msg.BuyTooExpensive)
		s.end(d)
	default:
		s.items.Emit(goods.GiveItem{
			To: e, Entry: d.Entry, Count: d.Count, Item: d.Returned, At: d.At, Quiet: verb == BuyBack, FromNPC: true, Ticket: d.Ticket,
		})
	}
}

// given ends a purchase, a return or a sale that was not paid for with the answer to it. If there are no items, the money goes back.
func (s *Vendor) given(d *deal, why msg.InventoryResult) {
	e := d.Request.By
	if !s.entities.Exists(e) {
		s.putStock(d)
		return
	}
	if d.Request.Verb == Sell {
		s.unsold(d, why)
		return
	}
	if why != msg.InventoryOK {
		if d.Price > 0 {
			s.money.Emit(goods.GiveMoney{To: e, Copper: int64(d.Price), Partly: true})
		}
		s.putStock(d)
		if d.Request.Verb == BuyBack {
			s.restore(d)
		}
		s.failure = msg.InventoryChangeFailure{Result: why, Item: d.Returned.GUID()}
		s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
		return
	}
	if d.Request.Verb == BuyBack {
		if slot := d.Request.Slot - msg.FirstBuyback; s.buybacks.Get(e).Items[slot].Counter == 0 {
			s.showBuyback(e, d.Request.Owner, int(slot))
		}
		return
	}
	s.bought = msg.ItemBought{Vendor: d.Request.GUID, Slot: d.Request.Slot, Left: -1, Count: d.Request.Count}
	if d.Limited {
		s.bought.Left = int32(d.Left)
	}
	s.out.SendNow(e, msg.OpItemBought, &s.bought)
}

// putStock gives a vendor back what it has not sold.
func (s *Vendor) putStock(d *deal) {
	if d.Limited {
		s.putBack(d.Request.GUID, d.Entry, d.Count)
	}
}

func (s *Vendor) sendBuyFailed(e ecs.Entity, vendor uint64, entry uint32, why msg.BuyResult) {
	s.buyFail = msg.BuyFailed{Vendor: vendor, Item: entry, Result: why}
	s.out.SendNow(e, msg.OpBuyFailed, &s.buyFail)
}

func (s *Vendor) sendSellFailed(r *Request, why msg.SellResult) {
	s.sold = msg.SellFailed{Vendor: r.GUID, Item: r.Item, Result: why}
	if why == msg.SellNoVendor {
		s.sold.Vendor = 0
	}
	s.out.SendNow(r.By, msg.OpSellFailed, &s.sold)
}
