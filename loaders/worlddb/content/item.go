package content

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
)

// maxItem is the largest entry of an item: clients take the bits above for something else.
const maxItem = math.MaxInt32

// An itemRow is a row of item_template.
type itemRow struct {
	Entry    int64  `column:"entry" key:""`
	Class    int64  `column:"class" or:"0"`
	Subclass int64  `column:"subclass" or:"0"`
	Name     string `column:"name" or:""`
	Display  int64  `column:"displayid" or:"0"`
	Quality  int64  `column:"quality" or:"0"`

	BuyCount  int64 `column:"buycount" or:"1"`
	BuyPrice  int64 `column:"buyprice" or:"0"`
	SellPrice int64 `column:"sellprice" or:"0"`

	Wear     int64 `column:"inventorytype" or:"0"`
	Classes  int64 `column:"allowableclass" or:"-1"`
	Races    int64 `column:"allowablerace" or:"-1"`
	Level    int64 `column:"itemlevel" or:"0"`
	Required int64 `column:"requiredlevel" or:"0"`
	Stack    int64 `column:"stackable" or:"1"`
	Slots    int64 `column:"containerslots" or:"0"`

	Stat1  int64 `column:"stat_type1" or:"0"`
	Value1 int64 `column:"stat_value1" or:"0"`
	Stat2  int64 `column:"stat_type2" or:"0"`
	Value2 int64 `column:"stat_value2" or:"0"`
	Stat3  int64 `column:"stat_type3" or:"0"`
	Value3 int64 `column:"stat_value3" or:"0"`
	Stat4  int64 `column:"stat_type4" or:"0"`
	Value4 int64 `column:"stat_value4" or:"0"`
	Value5 int64 `column:"stat_value5" or:"0"`

	MinDamage  float64 `column:"dmg_min1" or:"0"`
	MaxDamage  float64 `column:"dmg_max1" or:"0"`
	Armor      int64   `column:"armor" or:"0"`
	Block      int64   `column:"block" or:"0"`
	DelayMs    int64   `column:"delay" or:"0"`
	Durability int64   `column:"maxdurability" or:"0"`
	Bonding    int64   `column:"bonding" or:"0"`
	Spell      int64   `column:"spellid_1" or:"0"`
}

// worn are the places of InventoryType that are executed.
var worn = [...]bool{
	defs.WearHead: true, defs.WearNeck: true, defs.WearShoulders: true, defs.WearShirt: true, defs.WearChest: true, defs.WearWaist: true,
	defs.WearLegs: true, defs.WearFeet: true, defs.WearWrists: true, defs.WearHands: true, defs.WearFinger: true, defs.WearTrinket: true,
	defs.WearWeapon: true, defs.WearShield: true, defs.WearBow: true, defs.WearBack: true, defs.WearTwoHands: true, defs.WearBag: true,
	defs.WearTabard: true, defs.WearRobe: true, defs.WearMainHand: true, defs.WearOffHand: true, defs.WearHeld: true, defs.WearThrown: true,
	defs.WearRanged: true,
}

// readItems adds the items of the database to those of base. Where both have an entry, that of base gets another one.
func (l *loader) readItems() error {
	items := make(map[uint32]*defs.Item)
	err := read(l, "item_template", func(r *itemRow) string {
		if r.Entry <= 0 || r.Entry > maxItem {
			return "the entry is not from 1 to 2147483647"
		}
		items[uint32(r.Entry)] = l.item(r)
		l.synthetic.use(items[uint32(r.Entry)])
		return ""
	})
	if err != nil || len(items) == 0 {
		return err
	}
	all := make([]defs.Item, 0, len(items)+len(l.world.Items))
	for _, it := range items {
		all = append(all, *it)
	}
	moved := make(map[uint32]uint32)
	free := uint32(maxEntry)
	for i := range l.world.Items {
		it := l.world.Items[i]
		if items[it.Entry] != nil {
			if l.synthetic.world != nil {
				continue
			}
			for items[free] != nil || l.world.Item(free) != nil {
				free--
			}
			moved[it.Entry] = free
			it.Entry = free
			free--
		}
		all = append(all, it)
	}
	slices.SortFunc(all, func(a, b defs.Item) int { return cmp.Compare(a.Entry, b.Entry) })
	l.world.Items = all
	l.moveItems(moved)
	return nil
}

// moveItems has outfits and loot name the items of base by their new entries.
func (l *loader) moveItems(moved map[uint32]uint32) {
	entry := func(of uint32) uint32 {
		if to := moved[of]; to != 0 {
			return to
		}
		return of
	}
	for class := range l.world.Outfits {
		o := &l.world.Outfits[class]
		o.Worn, o.Pack = slices.Clone(o.Worn), slices.Clone(o.Pack)
		for i := range o.Worn {
			o.Worn[i] = entry(o.Worn[i])
		}
		for i := range o.Pack {
			o.Pack[i].Entry = entry(o.Pack[i].Entry)
		}
	}
	l.world.Loots = slices.Clone(l.world.Loots)
	for i := range l.world.Loots {
		t := &l.world.Loots[i]
		t.Entries = slices.Clone(t.Entries)
		for k := range t.Entries {
			t.Entries[k].Item = entry(t.Entries[k].Item)
		}
	}
}

// item makes the template.
func (l *loader) item(r *itemRow) *defs.Item {
	it := &defs.Item{
		Entry: uint32(r.Entry), Display: number(r.Display), Name: text(r.Name), Class: number(r.Class), Subclass: number(r.Subclass),
		Quality: number(r.Quality), Wear: number(r.Wear), Level: number(r.Level), RequiredLevel: uint8(min(number(r.Required), math.MaxUint8)),
		Stack: uint16(min(max(number(r.Stack), 1), math.MaxUint16)), Durability: uint16(min(number(r.Durability), math.MaxUint16)),
		Bonding: number(r.Bonding), BuyPrice: number(r.BuyPrice), SellPrice: number(r.SellPrice), BuyCount: number(r.BuyCount),
		Classes: mask(r.Classes, allClasses), Races: mask(r.Races, allRaces),
		Armor: number(r.Armor), Block: number(r.Block), MinDamage: float32(amount(r.MinDamage)), DelayMs: number(r.DelayMs),
	}
	it.MaxDamage = max(it.MinDamage, float32(amount(r.MaxDamage)))
	if l.wear(r, it); it.Wear == defs.WearBag {
		it.Stack, it.Bag = 1, uint8(min(max(r.Slots, 1), components.BagRoom))
		l.part("item_template", r.Slots > components.BagRoom, fmt.Sprintf("the bag has %d slots", components.BagRoom))
	}
	l.stats(r, it)
	l.part("item_template", r.Spell != 0, "its spells")
	return it
}

// wear has an item that cannot be worn here worn nowhere.
func (l *loader) wear(r *itemRow, it *defs.Item) {
	if r.Wear == 0 {
		return
	}
	if r.Wear < 0 || r.Wear >= int64(len(worn)) || !worn[r.Wear] || r.Wear == defs.WearBag && r.Slots <= 0 {
		it.Wear = 0
		l.part("item_template", true, "it is worn nowhere")
	}
}

// stats takes over those of an item that are executed, of the first four.
func (l *loader) stats(r *itemRow, it *defs.Item) {
	left := r.Value5 != 0
	n := 0
	for _, s := range [...][2]int64{{r.Stat1, r.Value1}, {r.Stat2, r.Value2}, {r.Stat3, r.Value3}, {r.Stat4, r.Value4}} {
		switch {
		case s[1] == 0:
		case s[0] < defs.StatMana || s[0] > defs.StatStamina || s[0] == 2:
			left = true
		default:
			it.Stats[n] = defs.ItemStat{Type: uint32(s[0]), Value: int32(min(max(s[1], math.MinInt16), math.MaxInt16))}
			n++
		}
	}
	l.part("item_template", left, "stats other than health, mana, strength, agility, stamina, intellect and spirit")
}

// part counts a row of which not all is executed.
func (l *loader) part(table string, is bool, what string) {
	if is {
		l.of(table).Part[what]++
	}
}

// All classes and races as masks.
//
// Source: CLASSMASK_ALL_PLAYABLE and RACEMASK_ALL_PLAYABLE, SharedDefines.h, AzerothCore.
const allClasses, allRaces = 1535, 1791

// mask is a mask of some of those in all, 0 for all of them.
func mask(v int64, all uint32) uint32 {
	if m := uint32(v) & all; m != all {
		return m
	}
	return 0
}
