package goods

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// An Exchange asks for items and money of two players to change hands: all of it, or nothing. System exchanges takes it by the
// end of the stage, and answers with Exchanged.
type Exchange struct {
	Between [2]ecs.Entity
	Copper  [2]uint32 // that each gives
	// Items is what each gives, with all values that they have; the zero Item is none. None is worn.
	Items [2][msg.TradedSlots]components.Item
}

// An Exchanged is the answer to an Exchange.
type Exchanged struct {
	Between [2]ecs.Entity
	Why     ExchangeResult
	Side    int // of Between, that Why is about
}

// An ExchangeResult is why nothing has changed hands.
type ExchangeResult uint8

// The results of exchanges.
const (
	ExchangeDone     ExchangeResult = iota
	ExchangeChanged                 // Side has no such item any more
	ExchangeTooPoor                 // Side has less money than it gives
	ExchangeTooRich                 // Side would have more than MaxMoney
	ExchangeNoRoom                  // Side has no room for what it gets
	ExchangeNoPlayer                // Side has left
)

// Tradeable reports whether an item can be given to other players as long as it has not been worn or used: it does not bind when it
// is picked up, as those of quests do.
//
// Source: Item::CanBeTraded, AzerothCore.
func Tradeable(it *defs.Item) bool {
	return it.Bonding != defs.BindTaken && it.Bonding != defs.BindToGoal
}
