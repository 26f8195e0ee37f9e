package trade

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Request is what a client asks for. System trade takes it.
type Request struct {
	By      ecs.Entity
	With    ecs.Entity     // with OpInitiateTrade
	Why     msg.TradeState // with OpInitiateTrade: TradeBegins, or why the two cannot trade
	Copper  uint32
	Op      uint16
	Slot    uint8 // of the offer
	Bag, At uint8 // the place of the item
}

// TradeRequests hands the requests of clients to system trade, in the order of their arrival, whatever their types.
type TradeRequests struct {
	bond
	space    ecs.Res[space.Space]
	asks     ecs.Events[change.Sent[msg.InitiateTrade]]
	accepts  ecs.Events[change.Sent[msg.AcceptTrade]]
	puts     ecs.Events[change.Sent[msg.SetTradeItem]]
	clears   ecs.Events[change.Sent[msg.ClearTradeItem]]
	gold     ecs.Events[change.Sent[msg.SetTradeGold]]
	empties  ecs.Events[change.Sent[msg.Empty]]
	requests ecs.Emit[Request]

	sessions  ecs.Read[components.Session]
	units     ecs.Read[components.Unit]
	unitAuras ecs.Read[components.UnitAuras]

	arrived []arrival `snapshot:"-"` // in this tick
}

// An arrival is a request with its index among all messages of the tick.
type arrival struct {
	n uint32
	Request
}

// OnEvents implements sched.Handler.
func (s *TradeRequests) OnEvents(sched.Tick) {
	s.arrived = s.arrived[:0]
	for i, all := 0, s.asks.All(); i < len(all); i++ {
		with := s.space.Get().Find(all[i].Msg.GUID)
		s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By, With: with, Why: s.mayBegin(all[i].By, with)})
	}
	for i, all := 0, s.accepts.All(); i < len(all); i++ {
		s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By})
	}
	for i, all := 0, s.puts.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By, Slot: m.TradeSlot, Bag: m.Bag, At: m.Slot})
	}
	for i, all := 0, s.clears.All(); i < len(all); i++ {
		s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By, Slot: all[i].Msg.TradeSlot})
	}
	for i, all := 0, s.gold.All(); i < len(all); i++ {
		s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By, Copper: all[i].Msg.Copper})
	}
	for i, all := 0, s.empties.All(); i < len(all); i++ {
		switch all[i].Op {
		case msg.OpBeginTrade, msg.OpBusyTrade, msg.OpIgnoreTrade, msg.OpUnacceptTrade, msg.OpCancelTrade:
			s.add(all[i].N, Request{Op: all[i].Op, By: all[i].By})
		}
	}
	slices.SortFunc(s.arrived, func(a, b arrival) int { return cmp.Compare(a.n, b.n) })
	for i := range s.arrived {
		s.requests.Emit(s.arrived[i].Request)
	}
}

func (s *TradeRequests) add(n uint32, r Request) { s.arrived = append(s.arrived, arrival{n, r}) }

// mayBegin returns why a player cannot trade with another, or TradeBegins, as far as that is not a matter of their other trades.
//
// Source: WorldSession::HandleInitiateTradeOpcode, AzerothCore.
func (s *TradeRequests) mayBegin(e, other ecs.Entity) msg.TradeState {
	switch {
	case !s.Alive(e):
		return msg.TradeDead
	case s.stunned(e):
		return msg.TradeStunned
	case s.leaves(e):
		return msg.TradeLogout
	case !s.entities.Exists(other) || !s.sessions.Has(other):
		return msg.TradeNoTarget
	case other == e:
		return msg.TradeBusy
	case !s.Alive(other):
		return msg.TradeTargetDead
	case s.stunned(other):
		return msg.TradeTargetStunned
	case s.leaves(other):
		return msg.TradeTargetLogout
	case s.sideOf(e) != s.sideOf(other):
		return msg.TradeWrongFaction
	case !s.near(e, other):
		return msg.TradeTooFar
	}
	return msg.TradeBegins
}

func (s *TradeRequests) stunned(e ecs.Entity) bool {
	return s.unitAuras.Get(e).States&components.StateStunned != 0
}

// leaves reports whether a player is about to leave the world.
func (s *TradeRequests) leaves(e ecs.Entity) bool { return s.going.Get(e).Waiting != 0 || s.gone(e) }

func (s *TradeRequests) sideOf(e ecs.Entity) defs.Sides {
	return defs.SideOf(s.units.Get(e).Bytes0[components.ByteRace])
}

// A bond answers whether two players can trade or go on with it, as a part of the systems that ask.
type bond struct {
	rules.Living
	entities  ecs.Entities
	positions ecs.Read[components.Position]
	going     ecs.Read[components.Logout]
	transfers ecs.Read[components.MapTransfer]
}

// maxYards is the largest distance of two players that trade.
//
// Source: TRADE_DISTANCE, ObjectDefines.h, AzerothCore.
const maxYards = 11.11

// near reports whether two players are not too far from each other.
func (s *bond) near(a, b ecs.Entity) bool {
	p, q := s.positions.Get(a), s.positions.Get(b)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= maxYards*maxYards
}

// gone reports whether a player leaves the world now, or has no client.
func (s *bond) gone(e ecs.Entity) bool {
	going := s.going.Get(e)
	return going.Gone != 0 || going.LinkDead != 0 || s.transfers.Get(e).Going != 0
}
