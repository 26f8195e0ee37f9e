package trade

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/goods"
)

// change executes what a player does in an open trade.
func (s *Trade) change(r *Request, at, mine int) {
	tr := &s.trades[at]
	switch r.Op {
	case msg.OpSetTradeItem:
		s.put(r, at, mine)
	case msg.OpClearTradeItem:
		if r.Slot >= msg.TradeSlots {
			s.out.Refuse(r.By, r.Op, &s.badSlot)
		} else if it := &tr.Sides[mine].Items[r.Slot]; it.Counter != 0 {
			*it = components.Item{}
			s.changed(tr, mine)
		}
	case msg.OpSetTradeGold:
		s.pay(r, tr, mine)
	case msg.OpUnacceptTrade:
		tr.Sides[mine].Accepted = false
		s.send(tr.Sides[1-mine].Player, msg.TradeStatus{State: msg.TradeGoesOn})
	case msg.OpAcceptTrade:
		s.accept(tr, mine)
	}
}

// put adds an item to what a player offers. Clients offer nothing that cannot be traded, so the trade ends with that.
//
// Source: WorldSession::HandleSetTradeItemOpcode and TradeData::SetItem, AzerothCore; the trade ends there when the client answers.
func (s *Trade) put(r *Request, at, mine int) {
	tr := &s.trades[at]
	offers := &tr.Sides[mine].Items
	v := s.inventories.Get(r.By)
	place, ok := components.Place(r.Bag, r.At)
	if r.Slot >= msg.TradeSlots || !ok || !v.Room(place) || !s.tradeable(v, place, r.Slot) {
		s.out.Refuse(r.By, r.Op, &s.badSlot)
		s.end(at, msg.TradeCancelled)
		return
	}
	for i := range offers {
		if offers[i].Counter == v.Items[place].Counter {
			s.out.Refuse(r.By, r.Op, &s.badSlot)
			s.end(at, msg.TradeCancelled)
			return
		}
	}
	offers[r.Slot] = v.Items[place]
	s.changed(tr, mine)
}

// tradeable reports whether there is an item at a place which can be put into a slot of an offer. What only is shown may be any item that is
// not worn.
func (s *Trade) tradeable(v *components.Inventory, place int, slot uint8) bool {
	it := &v.Items[place]
	template := s.defs.Get().Item(it.Entry)
	return it.Counter != 0 && template != nil && place >= components.FirstPack && (slot >= msg.TradedSlots || goods.Tradeable(template))
}

// pay sets the money that a player offers.
//
// Source: TradeData::SetMoney, AzerothCore.
func (s *Trade) pay(r *Request, tr *trade, mine int) {
	switch side := &tr.Sides[mine]; {
	case side.Copper == r.Copper:
	case s.progress.Get(r.By).Coinage < r.Copper:
		s.send(r.By, msg.TradeStatus{State: msg.TradeBusy})
	default:
		side.Copper = r.Copper
		s.changed(tr, mine)
	}
}

// changed takes back the consents of both players, and shows the other one what a player offers now.
//
// Source: TradeData::SetItem, SetAccepted and Update, AzerothCore.
func (s *Trade) changed(tr *trade, mine int) {
	s.reopen(tr)
	side := &tr.Sides[mine]
	s.offer = msg.TradeOffer{Theirs: true, Count: msg.TradeSlots, Shown: msg.TradeSlots, Copper: side.Copper}
	for i := range side.Items {
		s.offer.Items[i] = msg.TradeItem{Slot: uint8(i)}
		it := &side.Items[i]
		if it.Counter == 0 {
			continue
		}
		s.offer.Items[i].Entry, s.offer.Items[i].Count = it.Entry, uint32(it.Count)
		s.offer.Items[i].MaxDurability, s.offer.Items[i].Durability = uint32(it.MaxDurability), uint32(it.Durability)
		if template := s.defs.Get().Item(it.Entry); template != nil {
			s.offer.Items[i].Display = template.Display
		}
	}
	s.out.SendNow(tr.Sides[1-mine].Player, msg.OpTradeOffer, &s.offer)
}

// reopen takes back the consents of both players.
func (s *Trade) reopen(tr *trade) {
	tr.Sides[0].Accepted, tr.Sides[1].Accepted = false, false
	s.both(tr, msg.TradeGoesOn)
}

// accept notes the consent of a player. With both, it asks for the exchange.
//
// Source: WorldSession::HandleAcceptTradeOpcode, AzerothCore.
func (s *Trade) accept(tr *trade, mine int) {
	me, other := &tr.Sides[mine], &tr.Sides[1-mine]
	me.Accepted = true
	s.send(other.Player, msg.TradeStatus{State: msg.TradeAccepted})
	if !other.Accepted {
		return
	}
	x := s.exchanges.Next()
	*x = goods.Exchange{}
	for i := range tr.Sides {
		x.Between[i], x.Copper[i] = tr.Sides[i].Player, tr.Sides[i].Copper
		copy(x.Items[i][:], tr.Sides[i].Items[:])
	}
}

// What players are told when nothing changes hands; the words are our own.
const (
	tooPoor     = "You do not have that much money."
	noRoom      = "You do not have room for all of that."
	noRoomThere = "The other player does not have room for all of that."
)

// settle ends a trade that is done, or tells the players why it is not.
func (s *Trade) settle(at int, answer *goods.Exchanged) {
	tr := &s.trades[at]
	e, other := tr.Sides[answer.Side].Player, tr.Sides[1-answer.Side].Player
	switch answer.Why {
	case goods.ExchangeDone:
		s.end(at, msg.TradeComplete)
		return
	case goods.ExchangeChanged, goods.ExchangeNoPlayer:
		s.end(at, msg.TradeCancelled)
		return
	case goods.ExchangeTooPoor:
		s.notify(e, tooPoor)
	case goods.ExchangeTooRich:
		s.full = msg.InventoryChangeFailure{Result: msg.InventoryTooMuchMoney}
		s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.full)
	case goods.ExchangeNoRoom:
		s.notify(e, noRoom)
		s.notify(other, noRoomThere)
	}
	s.reopen(tr)
}

func (s *Trade) notify(e ecs.Entity, text string) {
	s.notice = msg.Notification{Text: text}
	s.out.SendNow(e, msg.OpNotification, &s.notice)
}
