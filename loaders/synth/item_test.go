package synth

import (
	"slices"
	"testing"

	"muster/components/defs"
)

func TestItems(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	if n := len(w.Items); n < 500 || n > 1000 {
		t.Errorf("%d items, want some hundreds", n)
	}
	names := make(map[string]bool)
	for i := range w.Items {
		it := &w.Items[i]
		if w.Item(it.Entry) != it || i > 0 && it.Entry <= w.Items[i-1].Entry {
			t.Errorf("%d %s is not found", it.Entry, it.Name)
		}
		if names[it.Name] {
			t.Errorf("two items are called %s", it.Name)
		}
		names[it.Name] = true
		switch {
		case it.Stack == 0, it.Name == "", it.Display == 0, it.Bag > 22, it.SellPrice == 0:
			t.Errorf("%+v", it)
		case it.Class == defs.ItemWeapon && (it.MinDamage < 1 || it.MaxDamage <= it.MinDamage || it.DelayMs < 1000 || it.Wear == 0):
			t.Errorf("a weapon is %+v", it)
		case it.Wear != 0 && it.Stack != 1:
			t.Errorf("%s is worn by the stack", it.Name)
		}
	}
	if w.Item(firstItem-1) != nil || w.Item(0) != nil {
		t.Error("there are items that there are not")
	}
}

// Every entry of a loot table exists, tables do not refer to each other in circles, and all creatures with loot have
// a table.
func TestLootTables(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	var depth func(l *defs.Loot) int
	depth = func(l *defs.Loot) (deepest int) {
		var shares [defs.MaxLootGroups + 1]float32
		for _, e := range l.Entries {
			if e.Item != 0 && w.Item(e.Item) == nil || (e.Item == 0) == (e.Reference == 0) || e.Min < 1 || e.Max < e.Min {
				t.Errorf("table %d has %+v", l.ID, e)
			}
			if shares[e.Group] += e.Chance; e.Group > 0 && shares[e.Group] > 100 {
				t.Errorf("group %d of table %d is found %v times in 100", e.Group, l.ID, shares[e.Group])
			}
			if e.Reference != 0 {
				deepest = max(deepest, 1+depth(w.Loot(e.Reference)))
			}
		}
		return deepest
	}
	for i := range w.Loots {
		if d := depth(&w.Loots[i]); d > defs.MaxLootDepth {
			t.Errorf("table %d is %d deep", w.Loots[i].ID, d)
		}
	}
	for _, c := range w.Creatures {
		if pays := c.LootID != 0; pays != (c.Faction == defs.FactionHostile && c.Type != defs.TypeCritter) {
			t.Errorf("%s has loot: %v", c.Name, pays)
		}
		if c.LootID != 0 && w.Loot(c.LootID) == nil || c.MinMoney > c.MaxMoney {
			t.Errorf("%s has table %d, %d to %d copper", c.Name, c.LootID, c.MinMoney, c.MaxMoney)
		}
	}
}

func TestOutfits(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	for class := range uint8(defs.MaxClass + 1) {
		o := w.Outfit(class)
		if class == 0 || class == 10 {
			if o.Worn != nil {
				t.Errorf("class %d does not exist and wears %v", class, o.Worn)
			}
			continue
		}
		for _, entry := range slices.Concat(o.Worn, []uint32{o.Pack[0].Entry}) {
			if it := w.Item(entry); it == nil || it.RequiredLevel > 1 {
				t.Errorf("class %d begins with %+v", class, it)
			}
		}
	}
	if w.Outfit(200) != &w.Outfits[0] {
		t.Error("a class beyond all has an outfit")
	}
}
