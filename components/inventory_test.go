package components

import (
	"testing"

	"muster/components/life"
)

func TestPlaces(t *testing.T) {
	if Places > life.MaxItems {
		t.Errorf("%d places hold more than %d items", Places, life.MaxItems)
	}
	seen := make(map[[2]uint8]bool)
	for place := range Places {
		bag, slot := Slot(place)
		if got, ok := Place(bag, slot); !ok || got != place {
			t.Errorf("place %d is bag %d slot %d, which is place %d, %v", place, bag, slot, got, ok)
		}
		if seen[[2]uint8{bag, slot}] {
			t.Errorf("bag %d slot %d is two places", bag, slot)
		}
		seen[[2]uint8{bag, slot}] = true
	}
	for bag := range 256 {
		for slot := range 256 {
			if _, ok := Place(uint8(bag), uint8(slot)); ok != seen[[2]uint8{uint8(bag), uint8(slot)}] {
				t.Errorf("bag %d slot %d is a place: %v", bag, slot, ok)
			}
		}
	}
}

func TestRoom(t *testing.T) {
	var v Inventory
	deep, _ := Place(FirstBag+1, 5)
	if !v.Room(0) || !v.Room(FirstDeep-1) || v.Room(-1) || v.Room(deep) {
		t.Error("without bags there is the body alone")
	}
	v.Items[FirstBag+1] = Item{Counter: 1, Entry: 7, Count: 1, Slots: 6}
	last, _ := Place(FirstBag+1, 6)
	if !v.Room(deep) || v.Room(last) {
		t.Error("a bag of six has slots 0 to 5")
	}
	if v.Holds(FirstBag + 1) {
		t.Error("a new bag is not empty")
	}
	v.Items[deep] = Item{Counter: 2, Entry: 9, Count: 4}
	v.Items[FirstPack] = Item{Counter: 3, Entry: 9, Count: 2}
	if !v.Holds(FirstBag+1) || v.Holds(FirstBag) || v.Total(9) != 6 || v.Total(8) != 0 {
		t.Errorf("holds %v, total %d", v.Holds(FirstBag+1), v.Total(9))
	}
	if g := v.Items[deep].GUID(); g != 0x4000000000000002 {
		t.Errorf("the item is called %#x", g)
	}
}
