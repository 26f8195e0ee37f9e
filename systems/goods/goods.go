// Package goods is what systems have in common about items and money: what they ask of systems inventory and money,
// what these answer, and the resources of both. A player's items are written by system inventory alone, and its money
// by system money.
//
// Goods are conserved: the contents of all inventories and bodies are what the tallies of both have as made, less what
// they have as unmade.
package goods

import (
	"muster/components"
	"muster/ecs"
)

// An ItemTally counts the items that were ever made and unmade, in pieces and not in stacks. A player that enters with
// items makes them, and one that leaves counts them as unmade.
type ItemTally struct{ Made, Unmade uint64 }

// A MoneyTally is an ItemTally of copper.
type MoneyTally struct{ Made, Unmade uint64 }

// Share gives a world the resources of goods.
func Share(w *ecs.World) {
	ecs.Share(w, new(Mint))
	ecs.Share(w, new(ItemTally))
	ecs.Share(w, new(MoneyTally))
}

// MaxMoney is the most money of a player, in copper.
//
// Source: MAX_MONEY_AMOUNT, Player.h, AzerothCore.
const MaxMoney = 1<<31 - 1

// A Reader answers what players have, as a part of systems that ask for it to be used.
type Reader struct {
	inventories ecs.ReadRef[components.Inventory]
	used        ecs.Pending[UseItem]
}

// Has reports whether a player has the stack with a counter, and more of it than it has been asked to use.
func (r *Reader) Has(e ecs.Entity, counter uint32) bool {
	if !r.inventories.Has(e) {
		return false
	}
	v := r.inventories.Get(e)
	place := v.Find(counter)
	if place < 0 {
		return false
	}
	left := v.Items[place].Count
	for _, u := range r.used.All() {
		if u.Entity == e && u.Counter == counter && left > 0 {
			left--
		}
	}
	return left > 0
}
