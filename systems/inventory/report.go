package inventory

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/goods"
)

// A report is what has become of a player's item. System itemreports takes it, before system inventory does anything
// else.
type report struct {
	Player  ecs.Entity
	What    what
	Place   int                        // where the item came, went or changed
	Counter uint32                     // of the item
	Item    components.Item            // that was parted
	Pushed  msg.ItemPushResult         // but for the player's GUID
	Failure msg.InventoryChangeFailure // why it was not moved
}

type what uint8

const (
	created what = iota // the item at a place is new
	changed             // its values have, or what is in it
	settled             // an item came to a place of the body, or went
	broke               // an item that is worn
	gone                // the item is
	parted              // an item that is not in the world is new to the client
	pushed              // the player has got items
	failed              // a request of its client
)

// A reporter is the part of systems that write inventories which reports what has become of an item.
type reporter struct {
	inventories ecs.Write[components.Inventory]
	reports     ecs.Emit[report]
	unsaved     change.Unsaved
}

func (s *reporter) report(e ecs.Entity, w what, place int) {
	r := s.reports.Next()
	r.Player, r.What, r.Place, r.Counter = e, w, place, s.inventories.Get(e).Items[place].Counter
}

// settle reports the change of the place where an item came or went, or of the bag that contains it.
func (s *reporter) settle(e ecs.Entity, place int) {
	s.unsaved.MarkNow(e, life.Items)
	if place >= components.FirstDeep {
		bag, _ := components.Slot(place)
		s.showChange(e, int(bag))
		return
	}
	s.report(e, settled, place)
}

func (s *reporter) showNew(e ecs.Entity, place int) { s.report(e, created, place) }

func (s *reporter) showChange(e ecs.Entity, place int) {
	s.unsaved.MarkNow(e, life.Items)
	s.report(e, changed, place)
}

func (s *reporter) showGone(e ecs.Entity, counter uint32) {
	s.reports.Emit(report{Player: e, What: gone, Counter: counter})
}

func (s *reporter) showParted(e ecs.Entity, it components.Item) {
	s.reports.Emit(report{Player: e, What: parted, Counter: it.Counter, Item: it})
}

// push reports that a player has got items, in a new stack at a place, or at -1 on existing ones.
//
// Source: Player::SendNewItem, AzerothCore.
func (s *Inventory) push(e ecs.Entity, g *goods.GiveItem, at int) {
	r := s.reports.Next()
	r.Player, r.What = e, pushed
	r.Pushed = msg.ItemPushResult{
		FromNPC: flag(g.FromNPC), Show: 1,
		Bag: components.NoBag, Slot: -1, Item: g.Entry, Count: g.Count, Total: s.inventories.Get(e).Total(g.Entry),
	}
	if at >= 0 {
		bag, slot := components.Slot(at)
		r.Pushed.Bag, r.Pushed.Slot = bag, int32(slot)
	}
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// sendError reports why an item was not moved, if there is a reason.
func (s *Inventory) sendError(e ecs.Entity, why msg.InventoryResult, from, to int) {
	if why == msg.InventoryOK {
		return
	}
	v := s.inventories.Get(e)
	failure := msg.InventoryChangeFailure{Result: why, Item: v.Items[from].GUID(), Other: v.Items[to].GUID()}
	if template := s.template(&v.Items[from]); why == msg.InventoryLevel && template != nil {
		failure.Detail = uint32(template.RequiredLevel)
	}
	s.fail(e, failure)
}

func (s *Inventory) fail(e ecs.Entity, failure msg.InventoryChangeFailure) {
	s.reports.Emit(report{Player: e, What: failed, Failure: failure})
}
