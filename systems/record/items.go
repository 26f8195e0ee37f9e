package record

import (
	"math"

	"muster/components"
	"muster/components/life"
	"muster/ecs"
)

// putItems puts items at their saved places. An item whose place is taken or does not exist goes into the first free one
// of the backpack; if there is none, or the item is invalid, it is lost and counted. Items without a template are
// kept, without effect. It reports whether all are where they were saved.
func (k *Loader) putItems(e ecs.Entity, items []life.Item) (placed bool) {
	placed = true
	v := k.items.Get(e)
	var lost [life.MaxItems]bool
	for i := range items {
		place, ok := components.Place(items[i].Bag, items[i].Slot)
		if lost[i] = !ok || v.Items[place].Counter != 0; !lost[i] {
			k.put(v, place, &items[i])
		}
	}
	for i := range items {
		if lost[i] {
			placed = false
			k.put(v, free(v), &items[i])
		}
	}
	carried, worn := k.carried.Get(e), k.visibleItems.Get(e)
	for place := range components.FirstDeep {
		carried.GUID[place] = v.Items[place].GUID()
		if place < components.VisibleSlots {
			worn.Item[2*place] = v.Items[place].Entry
		}
	}
	return placed
}

func (k *Loader) put(v *components.Inventory, place int, it *life.Item) {
	if place < 0 || it.Count == 0 || it.Count > math.MaxUint16 || uint32(it.GUID) == 0 {
		k.homeless.Count()
		return
	}
	made := components.Item{
		Counter: uint32(it.GUID), Entry: it.Entry, Count: uint16(it.Count), Durability: uint16(min(it.Durability, math.MaxUint16)),
		Moves: it.Moves,
	}
	if template := k.defs.Get().Item(it.Entry); template != nil {
		made.MaxDurability, made.Slots = template.Durability, template.Bag
	}
	v.Items[place] = made
}

// free is the first free place of the backpack, -1 if there is none.
func free(v *components.Inventory) int {
	for place := components.FirstPack; place < components.FirstDeep; place++ {
		if v.Items[place].Counter == 0 {
			return place
		}
	}
	return -1
}

// appendItems appends all items of an inventory, in the order of life.Life.
func appendItems(to []life.Item, v *components.Inventory) []life.Item {
	for i := range v.Items {
		place := (components.FirstDeep + i) % components.Places
		if it := &v.Items[place]; it.Counter != 0 {
			bag, slot := components.Slot(place)
			to = append(to, life.Item{
				GUID: it.GUID(), Entry: it.Entry, Count: uint32(it.Count), Durability: uint32(it.Durability), Bag: bag, Slot: slot,
				Moves: it.Moves,
			})
		}
	}
	return to
}
