package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// Outfit gives a player that has never been in a world the outfit of its class, and what else its race and class begin with, as soon as
// there are GUIDs for it. A player that leaves before gets it on its next visit. It stands before system inventory: what it finds in the
// mint is there for what it asks.
//
// Source: Player::Create, AzerothCore.
type Outfit struct {
	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	mint      ecs.Res[goods.Mint]
	newcomers ecs.Events[goods.Newcomer]
	items     ecs.Emit[goods.GiveItem]
	money     ecs.Emit[goods.GiveMoney]
	units     ecs.Read[components.Unit]
	records   ecs.Write[components.Record]
	unsaved   change.Unsaved

	naked []ecs.Entity // players that wait for their outfit
	more  []defs.Stack `snapshot:"-"` // what one of them is given besides
}

// Run implements sched.Runner.
func (s *Outfit) Run(sched.Tick) {
	for _, n := range s.newcomers.All() {
		s.naked = append(s.naked, n.Entity)
	}
	left := s.mint.Get().Left()
	waiting := s.naked[:0]
	for i, e := range s.naked {
		if !s.entities.Exists(e) {
			continue
		}
		race, class := s.units.Get(e).Bytes0[components.ByteRace], s.units.Get(e).Bytes0[components.ByteClass]
		outfit := s.defs.Get().Outfit(class)
		s.more = s.defs.Get().StartItemsOf(s.more[:0], race, class)
		pieces := uint64(len(outfit.Worn) + len(outfit.Pack) + len(s.more))
		if left < pieces {
			waiting = append(waiting, s.naked[i:]...)
			break
		}
		left -= pieces
		for _, entry := range outfit.Worn {
			s.items.Emit(goods.GiveItem{To: e, Entry: entry, Count: 1, Worn: true, Quiet: true})
		}
		for _, stack := range outfit.Pack {
			s.items.Emit(goods.GiveItem{To: e, Entry: stack.Entry, Count: uint32(stack.Count), Quiet: true})
		}
		for _, stack := range s.more {
			s.items.Emit(goods.GiveItem{To: e, Entry: stack.Entry, Count: uint32(stack.Count), Quiet: true})
		}
		if outfit.Copper > 0 {
			s.money.Emit(goods.GiveMoney{To: e, Copper: int64(outfit.Copper)})
		}
		s.records.Get(e).Begun = 1
		s.unsaved.MarkNow(e, 0)
	}
	clear(s.naked[len(waiting):])
	s.naked = waiting
}
