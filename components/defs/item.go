package defs

// An Item is the template of a kind of item.
type Item struct {
	Entry   uint32 // not 0, below 2^31
	Display uint32
	Name    string

	Class, Subclass uint32 // ClassWeapon, …
	Quality         uint32 // QualityPoor, …
	Wear            uint32 // where it is worn: WearHead, …; 0 nowhere

	Level         uint32 // how good it is
	RequiredLevel uint8  // needed to wear or use it
	Stack         uint16 // how many lie in one place; from 1
	Bag           uint8  // slots, of a bag; at most components.BagRoom
	Durability    uint16 // 0: it does not wear out
	Bonding       uint32 // BindNever, …

	BuyPrice, SellPrice uint32 // copper, of BuyCount and of one; a SellPrice of 0: cannot be sold
	BuyCount            uint32 // pieces of one purchase; 0 is 1
	Classes, Races      uint32 // masks of those that it is for: bit n-1 is number n; 0 is all

	Armor                uint32
	Block                uint32 // of a shield
	MinDamage, MaxDamage float32
	DelayMs              uint32 // between two swings, of a weapon
	Stats                [4]ItemStat
	Spell                uint32 // what using it casts; 0 nothing. One is used up
}

// PerPurchase is how many pieces one purchase has.
func (i *Item) PerPurchase() uint32 { return max(i.BuyCount, 1) }

// An ItemStat is what wearing an item adds to a stat. The zero ItemStat adds nothing.
type ItemStat struct {
	Type  uint32 // StatAgility, …
	Value int32
}

// Item is the template of an entry, or nil if there is none. It aliases the World. The cost is logarithmic in the
// number of templates.
func (w *World) Item(entry uint32) *Item {
	i, ok := find(len(w.Items), entry, func(i int) uint32 { return w.Items[i].Entry })
	if !ok {
		return nil
	}
	return &w.Items[i]
}

// Classes of items, and those of their subclasses that mean something here.
//
// Source: ItemClass and following, ItemTemplate.h, AzerothCore.
const (
	ItemConsumable = 0
	ItemContainer  = 1
	ItemWeapon     = 2
	ItemArmor      = 4
	ItemTradeGoods = 7
	ItemMisc       = 15

	Potion, Food = 1, 5 // of ItemConsumable

	Axe, Axe2H       = 0, 1 // of ItemWeapon
	Bow              = 2
	Mace, Mace2H     = 4, 5
	Sword, Sword2H   = 7, 8
	Staff, Dagger    = 10, 15
	Thrown, Crossbow = 16, 18
	Wand             = 19

	Cloth, Leather, Mail, Plate, Shield = 1, 2, 3, 4, 6 // of ItemArmor

	Junk = 0 // of ItemMisc
)

// Qualities of items.
//
// Source: ItemQualities, SharedDefines.h, AzerothCore.
const (
	QualityPoor = iota
	QualityCommon
	QualityUncommon
	QualityRare
	QualityEpic
)

// When an item becomes its owner's for good.
//
// Source: ItemBondingType, ItemTemplate.h, AzerothCore.
const (
	BindNever  = 0
	BindTaken  = 1
	BindWorn   = 2
	BindOnUse  = 3
	BindToGoal = 4 // of a quest
)

// Where items are worn.
//
// Source: InventoryType, ItemTemplate.h, AzerothCore.
const (
	WearHead      = 1
	WearNeck      = 2
	WearShoulders = 3
	WearShirt     = 4
	WearChest     = 5
	WearWaist     = 6
	WearLegs      = 7
	WearFeet      = 8
	WearWrists    = 9
	WearHands     = 10
	WearFinger    = 11
	WearTrinket   = 12
	WearWeapon    = 13 // either hand
	WearShield    = 14
	WearBow       = 15
	WearBack      = 16
	WearTwoHands  = 17
	WearBag       = 18
	WearTabard    = 19
	WearRobe      = 20 // on the chest
	WearMainHand  = 21
	WearOffHand   = 22
	WearHeld      = 23 // in the off hand, no weapon
	WearThrown    = 25
	WearRanged    = 26 // wands, crossbows
)

// The stats that items add to.
//
// Source: ItemModType, ItemTemplate.h, AzerothCore.
const (
	StatMana      = 0
	StatHealth    = 1
	StatAgility   = 3
	StatStrength  = 4
	StatIntellect = 5
	StatSpirit    = 6
	StatStamina   = 7
)
