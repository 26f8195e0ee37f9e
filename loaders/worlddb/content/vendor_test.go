package content

import (
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/worlddb"
)

// stall are the rows of two vendors: 400 sells items of its own and those of 401, which refers back.
const stall = `
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type) VALUES
(400, 'Pedlar', 5, 5, 16, 128, 1, 7), (401, 'Cutler', 5, 5, 35, 4224, 1, 7), (402, 'Sexton', 5, 5, 35, 16513, 1, 7), (403, 'Idler', 5, 5, 35, 1, 1, 7);
INSERT INTO creature_template_model VALUES (400,0,1003,1,1),(401,0,1003,1,1),(402,0,1003,1,1),(403,0,1003,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,400,0,1), (2,401,0,2), (3,402,0,3), (4,403,0,4);
INSERT INTO item_template (entry, class, subclass, name, displayid, Quality, BuyCount, BuyPrice, SellPrice, InventoryType, AllowableClass, AllowableRace,
  ItemLevel, RequiredLevel, stackable, ContainerSlots, stat_type1, stat_value1, stat_type2, stat_value2, dmg_min1, dmg_max1, armor, delay, spellid_1, bonding,
  block, MaxDurability) VALUES
(2, 2, 7, 'Peat Cutter', 901, 2, 1, 5000, 1000, 21, -1, -1, 12, 7, 1, 0, 4, 3, 32, 5, 10.5, 19, 0, 2600, 0, 2, 0, 65),
(31, 0, 5, 'Reed Cake', 902, 1, 5, 25, 1, 0, -1, -1, 5, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 433, 0, 0, 0),
(32, 1, 0, 'Wicker Trunk', 903, 1, 1, 900, 225, 18, -1, -1, 10, 0, 1, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
(33, 11, 2, 'Bolt Case', 904, 1, 1, 90, 22, 27, 5, 1101, 10, 0, 2147483647, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
(34, 4, 6, 'Lid', 905, 0, 0, 70, 3, 14, 32767, 32767, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 90, 0, 0, 0, 4, 40);
INSERT INTO npc_vendor (entry, slot, item, maxcount, incrtime, ExtendedCost) VALUES
(400,2,31,0,0,0), (400,1,2,3,7200,0), (400,0,-401,0,0,0), (400,3,77,0,0,0), (400,4,32,0,0,9), (400,5,33,0,60,0), (400,6,34,5,0,0),
(401,0,32,0,0,0), (401,1,-400,0,0,0), (401,2,33,0,0,0), (402,0,34,0,0,0), (403,0,34,0,0,0), (403,0,31,0,0,0);
INSERT INTO conditions VALUES (23,401,33,8), (15,402,34,8);
`

func TestVendors(t *testing.T) {
	from := base()
	from.Items = []defs.Item{{Entry: 2, Name: "stone", Stack: 1}, {Entry: 9, Name: "bone", Stack: 1}}
	from.Outfits[1] = defs.Outfit{Worn: []uint32{2, 9}, Pack: []defs.Stack{{Entry: 2, Count: 1}}}
	from.Loots = []defs.Loot{{ID: 1, Entries: []defs.LootEntry{{Item: 2}, {Reference: 1}, {Item: 9}}}}
	w, err := Load(t.Context(), imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", dump(t, stall)), from)
	if err != nil {
		t.Fatal(err)
	}
	vendors := []defs.Vendor{
		{Entry: 400, Items: []defs.VendorItem{{Item: 32}, {Item: 33}, {Item: 2, Max: 3, RestockSec: 7200}, {Item: 31}}}, // the condition is of 401 alone
		{Entry: 401, Items: []defs.VendorItem{{Item: 32}, {Item: 2, Max: 3, RestockSec: 7200}, {Item: 31}}},
		{Entry: 402, Items: []defs.VendorItem{{Item: 34}}},
	}
	if !reflect.DeepEqual(w.Vendors, vendors) {
		t.Errorf("got  %+v\nwant %+v", w.Vendors, vendors)
	}
	for _, c := range []struct {
		entry, services uint32
		reactState      defs.ReactState
	}{
		{400, components.NPCVendor, defs.Neutral}, {401, components.NPCVendor, defs.Neutral},
		{402, components.NPCVendor | components.NPCSpiritHealer, defs.Passive}, {403, components.NPCGossip, defs.Neutral},
	} {
		if got := w.Creature(c.entry); got.NPCFlags != c.services || got.ReactState != c.reactState || got.Faction != defs.FactionFriendly {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	items := []defs.Item{
		{Entry: 2, Class: 2, Subclass: 7, Name: "Peat Cutter", Display: 901, Quality: 2, BuyCount: 1, BuyPrice: 5000, SellPrice: 1000, Wear: 21, Level: 12,
			RequiredLevel: 7, Stack: 1, Stats: [4]defs.ItemStat{{Type: 4, Value: 3}}, MinDamage: 10.5, MaxDamage: 19, DelayMs: 2600, Bonding: 2, Durability: 65},
		{Entry: 9, Name: "bone", Stack: 1},
		{Entry: 31, Subclass: 5, Name: "Reed Cake", Display: 902, Quality: 1, BuyCount: 5, BuyPrice: 25, SellPrice: 1, Level: 5, RequiredLevel: 1, Stack: 20},
		{Entry: 32, Class: 1, Name: "Wicker Trunk", Display: 903, Quality: 1, BuyCount: 1, BuyPrice: 900, SellPrice: 225, Wear: 18, Level: 10, Stack: 1, Bag: 22, Bonding: 1},
		{Entry: 33, Class: 11, Subclass: 2, Name: "Bolt Case", Display: 904, Quality: 1, BuyCount: 1, BuyPrice: 90, SellPrice: 22, Classes: 5, Races: 1101, Level: 10, Stack: 65535},
		{Entry: 34, Class: 4, Subclass: 6, Name: "Lid", Display: 905, BuyPrice: 70, SellPrice: 3, Wear: 14, Level: 3, Stack: 1, Armor: 90, Block: 4, Durability: 40},
		{Entry: 16777215, Name: "stone", Stack: 1},
	}
	if !reflect.DeepEqual(w.Items, items) {
		t.Errorf("got  %+v\nwant %+v", w.Items, items)
	}
	const stone = 16777215
	if o := w.Outfits[1]; !slices.Equal(o.Worn, []uint32{stone, 9}) || o.Pack[0].Entry != stone || w.Loots[0].Entries[0].Item != stone || w.Loots[0].Entries[2].Item != 9 {
		t.Errorf("outfit %+v, loot %+v", o, w.Loots)
	}
	if from.Outfits[1].Worn[0] != 2 || from.Loots[0].Entries[0].Item != 2 {
		t.Error("the other definitions have changed")
	}
	const wantUse = `item_template 5
  in part 1: it is worn nowhere
  in part 1: its spells
  in part 1: stats other than health, mana, strength, agility, stamina, intellect and spirit
  in part 1: the bag has 22 slots
npc_vendor 7
  in part 1: a creature does not sell it: it depends on a condition that is not executed
  not 1: it costs other things than money
  not 2: it has a limit and no time after which there is more, or the reverse
  not 1: its item is not there
  not 2: no vendor that is executed sells it
`
	if got := use(&World{Use: map[string]*worlddb.TableUse{"item_template": w.Use["item_template"], "npc_vendor": w.Use["npc_vendor"]}}); got != wantUse {
		t.Errorf("got\n%s\nwant\n%s", got, wantUse)
	}
}

// In CMaNGOS' tables vendors share lists, and each row names its condition.
func TestVendorTemplates(t *testing.T) {
	w := load(t, imported(t, dump(t, `
CREATE TABLE creature_template (Entry int, Name text, DisplayId1 int, NpcFlags int, VendorTemplateId int, HealthMultiplier float, PRIMARY KEY (Entry));
CREATE TABLE creature (guid int, id int, map int, position_x float, position_y float, spawntimesecsmin int, PRIMARY KEY (guid));
CREATE TABLE item_template (entry int, name text, PRIMARY KEY (entry));
CREATE TABLE npc_vendor (entry int, item int, maxcount int, incrtime int, slot int, condition_id int, PRIMARY KEY (entry, item));
CREATE TABLE npc_vendor_template (entry int, item int, maxcount int, incrtime int, slot int, condition_id int, PRIMARY KEY (entry, item));
CREATE TABLE conditions (condition_entry int, type int, PRIMARY KEY (condition_entry));
INSERT INTO creature_template VALUES (5, 'Chandler', 1, 128, 8, 1), (6, 'Carter', 1, 128, 8, 1);
INSERT INTO creature VALUES (1, 5, 0, 1, 1, 60), (2, 6, 0, 1, 1, 60);
INSERT INTO item_template VALUES (1, 'Wick'), (2, 'Tallow'), (3, 'Snuffer');
INSERT INTO npc_vendor VALUES (5, 3, 1, 30, 0, 0), (5, 2, 0, 0, 1, 44);
INSERT INTO npc_vendor_template VALUES (8, 1, 0, 0, 1, 0), (8, 2, 0, 0, 0, 0);
INSERT INTO conditions VALUES (44, 1);
`)))
	shared := []defs.VendorItem{{Item: 2}, {Item: 1}}
	vendors := []defs.Vendor{{Entry: 5, Items: append([]defs.VendorItem{{Item: 3, Max: 1, RestockSec: 30}}, shared...)}, {Entry: 6, Items: shared}}
	if !reflect.DeepEqual(w.Vendors, vendors) {
		t.Errorf("got  %+v\nwant %+v", w.Vendors, vendors)
	}
	if u := w.Use["npc_vendor"]; u.Executed != 1 || u.Not["it is sold under conditions"] != 1 || w.Use["npc_vendor_template"].Executed != 2 {
		t.Error(use(w))
	}
}
