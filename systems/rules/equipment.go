package rules

import (
	"muster/components"
	"muster/components/defs"
)

// addEquipment adds what a player's equipped items give. It may have none.
//
// Source: Player::_ApplyItemBonuses, AzerothCore. A weapon is at least as good as what the class has at hand.
func (f *statTerms) addEquipment(d *defs.World, inventory *components.Inventory) {
	if inventory == nil {
		return
	}
	items := &inventory.Items
	for slot := range components.VisibleSlots {
		it := &items[slot]
		if it.Counter == 0 || it.MaxDurability > 0 && it.Durability == 0 {
			continue
		}
		item := d.Item(it.Entry)
		if item == nil {
			continue
		}
		f.resistance[0] += int32(item.Armor)
		if item.Block > 0 && slot == components.SlotOffHand {
			f.shield = true
			f.blockValue += item.Block
		}
		for _, s := range item.Stats {
			f.addItemStat(s)
		}
		if item.Class == defs.ItemWeapon && item.DelayMs > 0 {
			f.setWeapon(slot, item)
		}
	}
}

// addItemStat adds a stat of an item.
func (f *statTerms) addItemStat(s defs.ItemStat) {
	switch s.Type {
	case defs.StatMana:
		f.moreMana += s.Value
	case defs.StatHealth:
		f.moreHealth += s.Value
	case defs.StatStrength:
		f.wearing[strength] += s.Value
	case defs.StatAgility:
		f.wearing[agility] += s.Value
	case defs.StatStamina:
		f.wearing[stamina] += s.Value
	case defs.StatIntellect:
		f.wearing[intellect] += s.Value
	case defs.StatSpirit:
		f.wearing[spirit] += s.Value
	}
}

// setWeapon sets the weapon of a hand.
func (f *statTerms) setWeapon(slot int, item *defs.Item) {
	hand := -1
	switch slot {
	case components.SlotMainHand:
		hand = components.MainHand
	case components.SlotOffHand:
		hand = components.OffHand
	case components.SlotRanged:
		hand = components.RangedHand
	default:
		return
	}
	w := weapon{min: item.MinDamage, max: item.MaxDamage, delayMs: item.DelayMs}
	if bare := f.class.Damage.At(f.level) / float32(f.class.SwingMs); hand == components.MainHand {
		if lack := float32(bare*float32(w.delayMs)) - (w.min+w.max)/2; lack > 0 {
			w.min, w.max = w.min+lack, w.max+lack
		}
	}
	f.weapon[hand] = w
}
