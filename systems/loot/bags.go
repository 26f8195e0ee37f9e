package loot

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// equip equips an item.
func (s *System) equip(t sched.Tick, sent *change.Sent[msg.AutoEquipItem]) {
	e := sent.By
	from, ok := s.place(e, sent.Msg.Bag, sent.Msg.Slot)
	if !ok {
		return
	}
	why := s.hands(e, from)
	if why == msg.InventoryOK {
		why = s.ledger.Equip(t, e, from)
	}
	s.sendError(e, why, from, from)
}

func (s *System) swap(t sched.Tick, sent *change.Sent[msg.SwapItem]) {
	m := &sent.Msg
	s.move(t, sent.By, m.FromBag, m.FromSlot, m.ToBag, m.ToSlot)
}

func (s *System) swapWorn(t sched.Tick, sent *change.Sent[msg.SwapInvItem]) {
	s.move(t, sent.By, components.NoBag, sent.Msg.FromSlot, components.NoBag, sent.Msg.ToSlot)
}

// move moves an item to another place.
//
// Source: WorldSession::HandleSwapItem and HandleSwapInvItemOpcode, AzerothCore.
func (s *System) move(t sched.Tick, e ecs.Entity, fromBag, fromSlot, toBag, toSlot uint8) {
	from, ok := s.place(e, fromBag, fromSlot)
	if !ok {
		return
	}
	to, ok := s.place(e, toBag, toSlot)
	if !ok {
		return
	}
	why := msg.InventoryOK
	if from < components.VisibleSlots || to < components.VisibleSlots {
		why = s.hands(e, from)
	} else if s.dead(e) {
		why = msg.InventoryDead
	}
	if why == msg.InventoryOK {
		why = s.ledger.Swap(t, e, from, to)
	}
	s.sendError(e, why, from, to)
}

// place returns the place that a client names. It is false, and the client gets an error, if there is none.
func (s *System) place(e ecs.Entity, bag, slot uint8) (place int, ok bool) {
	if place, ok = components.Place(bag, slot); !ok || !s.ledger.Inventory(e).Room(place) {
		s.badPlace.Count()
		s.fail(e, msg.InventoryItemNotFound, 0, 0)
		return 0, false
	}
	return place, true
}

// hands reports why a player cannot change its equipment now: dead, stunned, or in combat, where only weapons can be
// changed.
//
// Source: Player::CanEquipItem and ItemTemplate::CanChangeEquipStateInCombat, AzerothCore.
func (s *System) hands(e ecs.Entity, from int) msg.InventoryResult {
	unit := s.units.Get(e)
	switch {
	case s.dead(e):
		return msg.InventoryDead
	case s.auraStates.Get(e).States&components.StateStunned != 0:
		return msg.InventoryStunned
	case unit.Flags&components.UnitInCombat == 0:
		return msg.InventoryOK
	}
	template := s.ledger.Template(&s.ledger.Inventory(e).Items[from])
	if template != nil && (template.Class == defs.ItemWeapon || template.Wear == defs.WearShield || template.Wear == defs.WearHeld) {
		return msg.InventoryOK
	}
	return msg.InventoryNotInCombat
}

// sendError sends a player the reason why an item was not moved, if there is one.
func (s *System) sendError(e ecs.Entity, why msg.InventoryResult, from, to int) {
	if why == msg.InventoryOK {
		return
	}
	v := s.ledger.Inventory(e)
	s.failure = msg.InventoryChangeFailure{Result: why, Item: v.Items[from].GUID(), Other: v.Items[to].GUID()}
	if template := s.ledger.Template(&v.Items[from]); why == msg.InventoryLevel && template != nil {
		s.failure.Detail = uint32(template.RequiredLevel)
	}
	s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
}

// destroy destroys items.
func (s *System) destroy(t sched.Tick, sent *change.Sent[msg.DestroyItem]) {
	e := sent.By
	if place, ok := s.place(e, sent.Msg.Bag, sent.Msg.Slot); ok {
		s.sendError(e, s.ledger.Destroy(t, e, place, uint32(sent.Msg.Count)), place, place)
	}
}

// use casts the spell of an item. System spell uses one of the stack up if the cast succeeds.
//
// Source: WorldSession::HandleUseItemOpcode, AzerothCore.
func (s *System) use(_ sched.Tick, sent *change.Sent[msg.UseItem]) {
	e, m := sent.By, &sent.Msg
	place, ok := s.place(e, m.Bag, m.Slot)
	if !ok {
		return
	}
	it := &s.ledger.Inventory(e).Items[place]
	template := s.ledger.Template(it)
	switch {
	case it.Counter == 0 || it.GUID() != m.GUID || template == nil || template.Spell == 0:
		s.sendError(e, msg.InventoryItemNotFound, place, place)
	case s.dead(e):
		s.sendError(e, msg.InventoryDead, place, place)
	case s.units.Get(e).Level < uint32(template.RequiredLevel):
		s.sendError(e, msg.InventoryLevel, place, place)
	default:
		s.casts.Emit(rules.Cast{By: e, Target: e, Spell: template.Spell, Count: m.Count, Item: it.Counter})
	}
}
