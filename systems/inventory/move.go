package inventory

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// placesOf lists the places where an item can be worn, the first choice first.
//
// Source: Player::FindEquipSlot, AzerothCore.
func placesOf(template *defs.Item) []uint8 {
	if template.Wear >= uint32(len(wornAt)) {
		return nil
	}
	return wornAt[template.Wear]
}

var wornAt = [...][]uint8{
	defs.WearHead:      {components.SlotHead},
	defs.WearNeck:      {components.SlotNeck},
	defs.WearShoulders: {components.SlotShoulders},
	defs.WearShirt:     {components.SlotShirt},
	defs.WearChest:     {components.SlotChest},
	defs.WearRobe:      {components.SlotChest},
	defs.WearWaist:     {components.SlotWaist},
	defs.WearLegs:      {components.SlotLegs},
	defs.WearFeet:      {components.SlotFeet},
	defs.WearWrists:    {components.SlotWrists},
	defs.WearHands:     {components.SlotHands},
	defs.WearFinger:    {components.SlotFinger, components.SlotFinger + 1},
	defs.WearTrinket:   {components.SlotTrinket, components.SlotTrinket + 1},
	defs.WearWeapon:    {components.SlotMainHand, components.SlotOffHand},
	defs.WearShield:    {components.SlotOffHand},
	defs.WearBow:       {components.SlotRanged},
	defs.WearBack:      {components.SlotBack},
	defs.WearTwoHands:  {components.SlotMainHand},
	defs.WearBag:       {components.FirstBag, components.FirstBag + 1, components.FirstBag + 2, components.FirstBag + 3},
	defs.WearTabard:    {components.SlotTabard},
	defs.WearMainHand:  {components.SlotMainHand},
	defs.WearOffHand:   {components.SlotOffHand},
	defs.WearHeld:      {components.SlotOffHand},
	defs.WearThrown:    {components.SlotRanged},
	defs.WearRanged:    {components.SlotRanged},
}

// mayWear returns why a player cannot wear an item at a place, as far as that depends on the two.
//
// Source: Player::CanEquipItem and CanUseItem, AzerothCore; which classes can hold a weapon in the off hand is a
// matter of spells there, and of the class here.
func (s *Inventory) mayWear(e ecs.Entity, template *defs.Item, place int) msg.InventoryResult {
	fits := false
	for _, p := range placesOf(template) {
		fits = fits || int(p) == place
	}
	unit := s.units.Get(e)
	switch {
	case template.Wear == 0:
		return msg.InventoryNotEquippable
	case !fits:
		return msg.InventoryWrongSlot
	case unit.Level < uint32(template.RequiredLevel):
		return msg.InventoryLevel
	case place == components.SlotOffHand && template.Class == defs.ItemWeapon && !dualWields(unit.Bytes0[components.ByteClass]):
		return msg.InventoryDualWield
	}
	return msg.InventoryOK
}

func dualWields(class uint8) bool {
	const warrior, hunter, rogue, deathKnight, shaman = 1, 3, 4, 6, 7
	return class == warrior || class == hunter || class == rogue || class == deathKnight || class == shaman
}

// equip equips the item at a place, in a free place if there is one.
//
// Source: WorldSession::HandleAutoEquipItemOpcode, AzerothCore.
func (s *Inventory) equip(e ecs.Entity, from int) msg.InventoryResult {
	v := s.inventories.Get(e)
	if v.Items[from].Counter == 0 {
		return msg.InventoryItemNotFound
	}
	template := s.template(&v.Items[from])
	if template == nil || template.Wear == 0 {
		return msg.InventoryNotEquippable
	}
	to := -1
	for _, place := range placesOf(template) {
		if v.Items[place].Counter == 0 && s.mayWear(e, template, int(place)) == msg.InventoryOK {
			to = int(place)
			break
		}
	}
	if to < 0 {
		to = int(placesOf(template)[0])
	}
	return s.swap(e, from, to)
}

// swap moves an item to another place, onto a stack of its kind there, or in exchange for the item there. If it
// returns a reason against that, nothing is moved.
//
// Source: Player::SwapItem, AzerothCore; bags are exchanged only when they are empty.
func (s *Inventory) swap(e ecs.Entity, from, to int) msg.InventoryResult {
	v := s.inventories.Get(e)
	if from == to {
		return msg.InventoryOK
	}
	a, b := &v.Items[from], &v.Items[to]
	if a.Counter == 0 {
		return msg.InventoryItemNotFound
	}
	if b.Counter != 0 && a.Entry == b.Entry && to >= components.FirstPack && s.merge(e, from, to) {
		return msg.InventoryOK
	}
	if from == components.SlotMainHand && b.Counter != 0 { // the same for the item that comes into the hand
		from, to, a, b = to, from, b, a
	}
	if r := s.mayPut(e, v, from, to); r != msg.InventoryOK {
		return r
	}
	if b.Counter != 0 {
		if r := s.mayPut(e, v, to, from); r != msg.InventoryOK {
			return r
		}
	}
	if r := s.clearOffHand(e, from, to); r != msg.InventoryOK {
		return r
	}
	*a, *b = *b, *a
	s.moved(e, to)
	s.moved(e, from)
	return msg.InventoryOK
}

// moved sends that an item has come to a place, or that it is empty now.
func (s *Inventory) moved(e ecs.Entity, place int) {
	if s.inventories.Get(e).Items[place].Counter != 0 {
		s.showChange(e, place)
	}
	s.settle(e, place)
}

// merge moves a stack onto another of its kind, as far as that has room. It is false if it has none.
func (s *Inventory) merge(e ecs.Entity, from, to int) bool {
	v := s.inventories.Get(e)
	a, b := &v.Items[from], &v.Items[to]
	template := s.template(b)
	if template == nil || b.Count >= template.Stack {
		return false
	}
	n := min(a.Count, template.Stack-b.Count)
	a.Count -= n
	b.Count += n
	s.showChange(e, to)
	if a.Count > 0 {
		s.showChange(e, from)
		return true
	}
	counter := a.Counter
	*a = components.Item{}
	s.settle(e, from)
	s.showGone(e, counter)
	return true
}

// mayPut returns why the item at a place may not go to another, whatever is there.
func (s *Inventory) mayPut(e ecs.Entity, v *components.Inventory, from, to int) msg.InventoryResult {
	it := &v.Items[from]
	template := s.template(it)
	isBag := it.Slots > 0
	bagAt := from >= components.FirstBag && from < components.FirstPack
	switch {
	case bagAt && v.Holds(from):
		return msg.InventoryNonEmptyBag
	case bagAt && v.Holder(to) == it:
		return msg.InventoryBagInBag
	case !v.Room(to):
		return msg.InventoryWrongSlot
	case to >= components.FirstPack:
		return msg.InventoryOK
	case template == nil:
		return msg.InventoryNotEquippable
	case to >= components.FirstBag && !isBag:
		return msg.InventoryNotABag
	}
	if r := s.mayWear(e, template, to); r != msg.InventoryOK {
		return r
	}
	if to == components.SlotOffHand && from != components.SlotMainHand {
		if main := s.template(&v.Items[components.SlotMainHand]); main != nil && main.Wear == defs.WearTwoHands {
			return msg.InventoryTwoHanded
		}
	}
	return msg.InventoryOK
}

// clearOffHand moves the off-hand item to a bag before a two-handed weapon comes into the main hand.
func (s *Inventory) clearOffHand(e ecs.Entity, from, to int) msg.InventoryResult {
	v := s.inventories.Get(e)
	off := &v.Items[components.SlotOffHand]
	if template := s.template(&v.Items[from]); to != components.SlotMainHand || off.Counter == 0 ||
		from == components.SlotOffHand || template.Wear != defs.WearTwoHands {
		return msg.InventoryOK
	}
	for place := components.FirstPack; place < components.Places; place++ {
		if v.Items[place].Counter == 0 && v.Room(place) {
			v.Items[place], *off = *off, components.Item{}
			s.moved(e, place)
			s.moved(e, components.SlotOffHand)
			return msg.InventoryOK
		}
	}
	return msg.InventoryFull
}
