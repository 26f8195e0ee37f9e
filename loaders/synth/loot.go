package synth

import "muster/components/defs"

// The IDs of loot tables: what all corpses of a band have, and what beasts and others have besides.
const (
	gearTable  = 1000 // and the band
	beastTable = 2000
	folkTable  = 3000
	eliteTable = 4000
)

// stock fills a world with items, and its corpses with loot. A corpse of an ordinary creature has some junk or food
// every other time, a piece of gear one time in twelve (the elite and the rare more often than not), and humanoids
// have money. Critters have nothing.
//
// Source: the shape, by references, groups and chances, is that of creature_loot_template, AzerothCore; the chances
// are our own.
func stock(w *defs.World) {
	s := stockShelf()
	w.Items = s.items
	for i := range bands {
		var gear defs.Loot
		gear.ID = gearTable + uint32(i)
		for _, entry := range s.gear[i] {
			gear.Entries = append(gear.Entries, defs.LootEntry{Item: entry, Group: 1, Min: 1, Max: 1})
		}
		w.Loots = append(w.Loots, gear)
	}
	for _, t := range [...]struct {
		id         uint32
		gear, food float32
		rolls      uint8
	}{{beastTable, 5, 20, 1}, {folkTable, 8, 30, 1}, {eliteTable, 60, 40, 2}} {
		for i := range bands {
			w.Loots = append(w.Loots, defs.Loot{ID: t.id + uint32(i), Entries: []defs.LootEntry{
				{Item: s.junk[i][0], Group: 1, Chance: 40, Min: 1, Max: 2},
				{Item: s.junk[i][1], Group: 1, Chance: 25, Min: 1, Max: 1},
				{Item: s.food[i], Chance: t.food, Min: 1, Max: 3},
				{Item: s.drinks[i], Chance: 4, Min: 1, Max: 1},
				{Reference: gearTable + uint32(i), Chance: t.gear, Min: 1, Max: t.rolls},
				{Item: s.bags[min(i/2, len(bags)-1)], Chance: 1, Min: 1, Max: 1},
			}})
		}
	}
	for i := range w.Creatures {
		fillBody(&w.Creatures[i])
	}
	outfits(w, s)
}

// fillBody sets the loot of a creature.
func fillBody(c *defs.Creature) {
	if c.Faction == defs.FactionFriendly || c.Type == defs.TypeCritter {
		return
	}
	level := uint32(c.MinLevel)
	at := min(level/5, uint32(len(bands)-1))
	c.LootID = folkTable + at
	switch {
	case c.Rank != defs.RankNormal:
		c.LootID = eliteTable + at
	case c.Type == defs.TypeBeast:
		c.LootID = beastTable + at
		return // no money
	}
	c.MinMoney, c.MaxMoney = 1+level*level/8, 4+level*level/3
}

// outfits gives each class a weapon, clothes, a bag and a meal. A death knight, which no new character is, has plate.
func outfits(w *defs.World, s *shelf) {
	for class, o := range [...]struct {
		cloth uint32
		arms  []uint32 // subclasses of weapons
		board bool     // a shield
	}{
		1: {defs.Mail, []uint32{defs.Sword}, true}, 2: {defs.Mail, []uint32{defs.Mace}, true},
		3: {defs.Leather, []uint32{defs.Axe, defs.Bow}, false}, 4: {defs.Leather, []uint32{defs.Dagger, defs.Dagger}, false},
		5: {defs.Cloth, []uint32{defs.Mace, defs.Wand}, false}, 6: {defs.Plate, []uint32{defs.Sword2H}, false},
		7: {defs.Leather, []uint32{defs.Mace}, true}, 8: {defs.Cloth, []uint32{defs.Staff, defs.Wand}, false},
		9: {defs.Cloth, []uint32{defs.Dagger, defs.Wand}, false}, 11: {defs.Leather, []uint32{defs.Staff}, false},
	} {
		if o.arms == nil {
			continue
		}
		into := &w.Outfits[class]
		for _, arm := range o.arms {
			into.Worn = append(into.Worn, s.by[[2]uint32{defs.ItemWeapon, arm}])
		}
		if o.board {
			into.Worn = append(into.Worn, s.by[[2]uint32{defs.ItemArmor, defs.Shield}])
		}
		for _, wear := range []uint32{defs.WearChest, defs.WearLegs, defs.WearFeet} {
			into.Worn = append(into.Worn, s.pieces[[2]uint32{o.cloth, wear}])
		}
		into.Worn = append(into.Worn, s.bags[0])
		into.Pack = []defs.Stack{{Entry: s.food[0], Count: 5}, {Entry: s.drinks[0], Count: 2}}
	}
}
