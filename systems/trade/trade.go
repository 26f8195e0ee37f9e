// Package trade is how two players exchange items and money: one asks the other, both show what they give, and when both have accepted
// that, it changes hands.
//
// It only asks for the exchange: system exchanges executes it, all or nothing and in one write, and answers within the same
// stage. Each change of an offer takes both consents back, so that what changes hands is what both have seen.
package trade

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// Trade executes the requests of clients to trade with each other, and ends trades that cannot go on.
type Trade struct {
	bond
	defs      ecs.Res[defs.World]
	out       change.Out
	requests  ecs.Events[Request]
	resumed   ecs.Events[change.Resumed]
	exchanges ecs.Emit[goods.Exchange]
	exchanged ecs.EventReader[goods.Exchanged]

	objects     ecs.Read[components.Object]
	inventories ecs.ReadRef[components.Inventory]
	progress    ecs.Read[components.Progress]

	trades []trade
	seats  map[ecs.Entity]seat `snapshot:"-"` // of those that trade; as of the beginning of Run, and kept up from there

	status msg.TradeStatus // kept here, since a packet takes its message by reference
	offer  msg.TradeOffer
	notice msg.Notification
	full   msg.InventoryChangeFailure

	outOfTurn sched.Counter `name:"trade.out_of_turn"`
	badSlot   sched.Counter `name:"trade.bad_slot"`
}

// A trade is between the player that has asked for it and the one that was asked. Each player is in one at most.
type trade struct {
	Sides [2]side
	Open  bool // the second has agreed to it
}

// A seat is where a player is in the trades.
type seat struct{ at, side int }

// A side is one of the two, and what it offers.
type side struct {
	Player   ecs.Entity
	Items    [msg.TradeSlots]components.Item // as they were when they were offered
	Copper   uint32
	Accepted bool
}

// Run implements sched.Runner.
func (s *Trade) Run(sched.Tick) {
	if s.seats == nil {
		s.seats = make(map[ecs.Entity]seat)
	}
	clear(s.seats)
	for i := range s.trades {
		s.seat(i)
	}
	for i := len(s.trades) - 1; i >= 0; i-- {
		if !s.goesOn(&s.trades[i]) {
			s.end(i, msg.TradeCancelled)
		}
	}
	for i, all := 0, s.requests.All(); i < len(all); i++ {
		if s.entities.Exists(all[i].By) {
			s.execute(&all[i])
		}
	}
}

// React implements sched.Reactor.
func (s *Trade) React(sched.Tick) {
	for i, all := 0, s.exchanged.Next(); i < len(all); i++ {
		if at, _ := s.find(all[i].Between[0]); at >= 0 {
			s.settle(at, &all[i])
		}
	}
}

// goesOn reports whether two players can still trade: both are alive, near each other and have the clients with which they began.
func (s *Trade) goesOn(tr *trade) bool {
	a, b := tr.Sides[0].Player, tr.Sides[1].Player
	for _, e := range []ecs.Entity{a, b} {
		if !s.Alive(e) || s.gone(e) {
			return false
		}
	}
	return s.near(a, b) && !slices.ContainsFunc(s.resumed.All(), func(r change.Resumed) bool { return r.Entity == a || r.Entity == b })
}

// seat notes where the players of a trade are.
func (s *Trade) seat(at int) {
	for side := range s.trades[at].Sides {
		s.seats[s.trades[at].Sides[side].Player] = seat{at, side}
	}
}

// find is the trade of a player, and which of its sides that is; at is -1 without one. It costs the same whatever trades there are.
func (s *Trade) find(e ecs.Entity) (at, side int) {
	if it, ok := s.seats[e]; ok {
		return it.at, it.side
	}
	return -1, 0
}

func (s *Trade) execute(r *Request) {
	if r.Op == msg.OpInitiateTrade {
		s.initiate(r)
		return
	}
	at, mine := s.find(r.By)
	if at < 0 {
		if r.Op != msg.OpCancelTrade { // clients send it at each logout
			s.out.Refuse(r.By, r.Op, &s.outOfTurn)
		}
		return
	}
	tr := &s.trades[at]
	switch r.Op {
	case msg.OpCancelTrade:
		s.end(at, msg.TradeCancelled)
	case msg.OpBusyTrade:
		s.end(at, msg.TradeBusy)
	case msg.OpIgnoreTrade:
		s.end(at, msg.TradeIgnored)
	case msg.OpBeginTrade:
		s.begin(r, tr, mine)
	default:
		if !tr.Open {
			s.out.Refuse(r.By, r.Op, &s.outOfTurn)
			return
		}
		s.change(r, at, mine)
	}
}

// initiate begins a trade, if both players are able to: the other is asked.
//
// Source: WorldSession::HandleInitiateTradeOpcode, AzerothCore.
func (s *Trade) initiate(r *Request) {
	if at, _ := s.find(r.By); at >= 0 {
		s.out.Refuse(r.By, r.Op, &s.outOfTurn)
		return
	}
	why := r.Why
	if at, _ := s.find(r.With); why == msg.TradeBegins && at >= 0 {
		why = msg.TradeBusy
	}
	if why != msg.TradeBegins {
		s.send(r.By, msg.TradeStatus{State: why})
		return
	}
	s.trades = append(s.trades, trade{Sides: [2]side{{Player: r.By}, {Player: r.With}}})
	s.seat(len(s.trades) - 1)
	s.send(r.With, msg.TradeStatus{State: msg.TradeBegins, Trader: s.objects.Get(r.By).GUID})
}

// begin opens the windows of both players: the one that was asked agrees.
//
// Source: WorldSession::HandleBeginTradeOpcode, AzerothCore.
func (s *Trade) begin(r *Request, tr *trade, mine int) {
	if tr.Open || mine == 0 {
		s.out.Refuse(r.By, r.Op, &s.outOfTurn)
		return
	}
	tr.Open = true
	s.both(tr, msg.TradeOpens)
}

// end forgets a trade, and tells both players why, as far as they are there.
func (s *Trade) end(at int, why msg.TradeState) {
	s.both(&s.trades[at], why)
	for side := range s.trades[at].Sides {
		delete(s.seats, s.trades[at].Sides[side].Player)
	}
	last := len(s.trades) - 1
	if at != last {
		s.trades[at] = s.trades[last]
		s.seat(at)
	}
	s.trades = s.trades[:last]
}

func (s *Trade) both(tr *trade, state msg.TradeState) {
	for i := range tr.Sides {
		s.send(tr.Sides[i].Player, msg.TradeStatus{State: state})
	}
}

func (s *Trade) send(e ecs.Entity, m msg.TradeStatus) {
	if s.entities.Exists(e) {
		s.status = m
		s.out.SendNow(e, msg.OpTradeStatus, &s.status)
	}
}
