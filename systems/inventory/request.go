package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// request executes the request of a client, or answers why that is impossible.
func (s *Inventory) request(r *Request) {
	at, ok := s.place(r.By, r.Bag, r.Slot)
	if !ok {
		return
	}
	to, why := at, msg.InventoryOK
	switch r.Verb {
	case Equip:
		if why = s.hands(r, at); why == msg.InventoryOK {
			why = s.equip(r.By, at)
		}
	case Swap:
		if to, ok = s.place(r.By, r.ToBag, r.ToSlot); !ok {
			return
		}
		why = s.move(r, at, to)
	case Destroy:
		why = s.destroy(r.By, at, uint32(r.Count))
	case Use:
		why = s.cast(r, at)
	}
	s.sendError(r.By, why, at, to)
}

// place returns the place that a client names. It is false, and the client gets an error, if there is none.
func (s *Inventory) place(e ecs.Entity, bag, slot uint8) (place int, ok bool) {
	if place, ok = components.Place(bag, slot); !ok || !s.inventories.Get(e).Room(place) {
		s.badPlace.Count()
		s.fail(e, msg.InventoryChangeFailure{Result: msg.InventoryItemNotFound})
		return 0, false
	}
	return place, true
}

// hands reports why a player cannot change its equipment now: dead, stunned, or in combat, where only weapons can be
// changed.
//
// Source: Player::CanEquipItem and ItemTemplate::CanChangeEquipStateInCombat, AzerothCore.
func (s *Inventory) hands(r *Request, from int) msg.InventoryResult {
	switch {
	case r.Dead:
		return msg.InventoryDead
	case r.Stunned:
		return msg.InventoryStunned
	case !r.Fighting:
		return msg.InventoryOK
	}
	template := s.template(&s.inventories.Get(r.By).Items[from])
	if template != nil && (template.Class == defs.ItemWeapon || template.Wear == defs.WearShield || template.Wear == defs.WearHeld) {
		return msg.InventoryOK
	}
	return msg.InventoryNotInCombat
}

// move moves an item to another place.
//
// Source: WorldSession::HandleSwapItem and HandleSwapInvItemOpcode, AzerothCore.
func (s *Inventory) move(r *Request, from, to int) msg.InventoryResult {
	why := msg.InventoryOK
	if from < components.VisibleSlots || to < components.VisibleSlots {
		why = s.hands(r, from)
	} else if r.Dead {
		why = msg.InventoryDead
	}
	if why != msg.InventoryOK {
		return why
	}
	return s.swap(r.By, from, to)
}

// cast has the spell of an item cast. System casts asks for one of the stack to be used up if the cast succeeds.
//
// Source: WorldSession::HandleUseItemOpcode, AzerothCore.
func (s *Inventory) cast(r *Request, at int) msg.InventoryResult {
	it := &s.inventories.Get(r.By).Items[at]
	template := s.template(it)
	switch {
	case it.Counter == 0 || it.GUID() != r.GUID || template == nil || template.Spell == 0:
		return msg.InventoryItemNotFound
	case r.Dead:
		return msg.InventoryDead
	case s.units.Get(r.By).Level < uint32(template.RequiredLevel):
		return msg.InventoryLevel
	}
	s.casts.Emit(rules.Cast{By: r.By, Target: r.By, Spell: template.Spell, Count: r.Count, Item: it.Counter})
	return msg.InventoryOK
}
