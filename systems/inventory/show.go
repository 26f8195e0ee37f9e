package inventory

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// known reports whether a player's client has seen the player itself: one that enters in this tick is sent all of its
// items then.
func (s *System) known(t sched.Tick, e ecs.Entity) bool {
	return s.homeCells.Get(e).Before(uint32(t.N)) != grid.None
}

// settle sends the change of the place where an item came or went: its number in Carried, its appearance in
// VisibleItems, or the bag that contains it.
func (s *System) settle(t sched.Tick, e ecs.Entity, place int) {
	v := s.inventories.Get(e)
	it := &v.Items[place]
	s.unsaved.MarkNow(e, life.Items)
	if place >= components.FirstDeep {
		bag, _ := components.Slot(place)
		s.showChange(t, e, int(bag))
		return
	}
	s.carried.Get(e).GUID[place] = it.GUID()
	s.dirty.Mark(e, components.DirtyCarried)
	if place < components.VisibleSlots {
		s.visibleItems.Get(e).Item[2*place] = it.Entry
		s.dirty.Mark(e, components.DirtyVisibleItems)
		s.stats.Emit(rules.StatsDirty{Entity: e})
	}
}

func (s *System) showNew(t sched.Tick, e ecs.Entity, place int) {
	if s.known(t, e) {
		s.block = s.items.AppendCreate(s.block[:0], s.objects.Get(e).GUID, s.inventories.Get(e), place)
		s.show(e)
	}
}

func (s *System) showChange(t sched.Tick, e ecs.Entity, place int) {
	s.unsaved.MarkNow(e, life.Items)
	if s.known(t, e) {
		s.block = s.items.AppendValues(s.block[:0], s.objects.Get(e).GUID, s.inventories.Get(e), place)
		s.show(e)
	}
}

func (s *System) show(e ecs.Entity) {
	s.updates.Begin(s.out.Buffer())
	s.updates.Block(s.block)
	s.out.Write(s.updates.End())
	s.out.SendSpan(e, frame.PlaceOf(msg.OpUpdateObject), s.out.Cut())
}

func (s *System) showGone(t sched.Tick, e ecs.Entity, guid uint64) {
	if s.known(t, e) {
		s.gone = msg.DestroyObject{GUID: guid}
		s.out.Send(e, msg.OpDestroyObject, &s.gone)
	}
}

// push sends a player that it has got items, in a new stack at a place, or at -1 on existing ones.
//
// Source: Player::SendNewItem, AzerothCore.
func (s *System) push(e ecs.Entity, g *goods.GiveItem, at int) {
	v := s.inventories.Get(e)
	s.pushed = msg.ItemPushResult{
		GUID: s.objects.Get(e).GUID, FromNPC: flag(g.FromNPC), Show: 1,
		Bag: components.NoBag, Slot: -1, Item: g.Entry, Count: g.Count, Total: v.Total(g.Entry),
	}
	if at >= 0 {
		bag, slot := components.Slot(at)
		s.pushed.Bag, s.pushed.Slot = bag, int32(slot)
	}
	s.out.Send(e, msg.OpItemPushResult, &s.pushed)
	s.out.Happen(change.Happening{Kind: change.HappenedItem, Subject: s.pushed.GUID, ID: g.Entry, Amount: g.Count})
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// sendError sends a player the reason why an item was not moved, if there is one.
func (s *System) sendError(e ecs.Entity, why msg.InventoryResult, from, to int) {
	if why == msg.InventoryOK {
		return
	}
	v := s.inventories.Get(e)
	s.failure = msg.InventoryChangeFailure{Result: why, Item: v.Items[from].GUID(), Other: v.Items[to].GUID()}
	if template := s.template(&v.Items[from]); why == msg.InventoryLevel && template != nil {
		s.failure.Detail = uint32(template.RequiredLevel)
	}
	s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
}
