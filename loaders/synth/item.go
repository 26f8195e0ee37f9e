package synth

import "muster/components/defs"

// firstItem is the entry of the first item: above all that clients with game data have, so that none is taken for
// another.
const firstItem = 100_001

// A band is five levels whose items are of one make.
type band struct {
	level uint32 // of its first
	stuff string // the material of its weapons,
	cloth string // and of its clothes
	meal  string
}

// bands are by level.
var bands = [...]band{
	{1, "Ash", "Nettle", "Oatcake"}, {5, "Birch", "Flax", "Barley Bread"}, {10, "Copper", "Hemp", "Smoked Perch"},
	{15, "Tin", "Wool", "Leek Pie"}, {20, "Bronze", "Felt", "Hard Cheese"}, {25, "Brass", "Linen", "Salt Herring"},
	{30, "Iron", "Twill", "Mutton Stew"}, {35, "Wrought", "Damask", "Plum Tart"}, {40, "Steel", "Velvet", "Roast Goose"},
	{45, "Blued", "Brocade", "Honey Loaf"}, {50, "Damascene", "Samite", "Venison"}, {55, "Star", "Moonwoven", "Spiced Eel"},
	{60, "Elder", "Duskwoven", "Hearth Feast"},
}

// A shape is a kind of weapon or armour of which each band has one.
type shape struct {
	noun            string
	class, subclass uint32
	wear            uint32
	delayMs         uint32  // of a weapon
	share           float32 // of the damage or armour of a level
	stat            uint32
}

var weapons = [...]shape{
	{"Sword", defs.ItemWeapon, defs.Sword, defs.WearWeapon, 2400, 1, defs.StatStrength},
	{"Axe", defs.ItemWeapon, defs.Axe, defs.WearWeapon, 2600, 1, defs.StatStrength},
	{"Mace", defs.ItemWeapon, defs.Mace, defs.WearMainHand, 2700, 1, defs.StatSpirit},
	{"Dagger", defs.ItemWeapon, defs.Dagger, defs.WearWeapon, 1700, 0.95, defs.StatAgility},
	{"Greatsword", defs.ItemWeapon, defs.Sword2H, defs.WearTwoHands, 3400, 1.3, defs.StatStrength},
	{"Staff", defs.ItemWeapon, defs.Staff, defs.WearTwoHands, 3000, 1.2, defs.StatIntellect},
	{"Bow", defs.ItemWeapon, defs.Bow, defs.WearBow, 2500, 1, defs.StatAgility},
	{"Wand", defs.ItemWeapon, defs.Wand, defs.WearRanged, 1600, 1, defs.StatIntellect},
}

// worn are the pieces of a set of armour; each band has a set of each weight.
var worn = [...]struct {
	wear  uint32
	share float32
	noun  [4]string // by weight
}{
	{defs.WearHead, 0.8, [4]string{"Hood", "Cap", "Coif", "Helm"}},
	{defs.WearShoulders, 0.75, [4]string{"Mantle", "Shoulders", "Spaulders", "Pauldrons"}},
	{defs.WearChest, 1, [4]string{"Robe", "Jerkin", "Hauberk", "Breastplate"}},
	{defs.WearWaist, 0.55, [4]string{"Sash", "Belt", "Girdle", "Waistguard"}},
	{defs.WearLegs, 0.9, [4]string{"Breeches", "Leggings", "Chausses", "Legplates"}},
	{defs.WearFeet, 0.65, [4]string{"Slippers", "Boots", "Sabatons", "Greaves"}},
	{defs.WearWrists, 0.45, [4]string{"Cuffs", "Bracers", "Wristlets", "Vambraces"}},
	{defs.WearHands, 0.6, [4]string{"Mittens", "Gloves", "Gauntlets", "Fists"}},
}

// The weights of armour, each with a subclass, the armour of its chest piece at level 0 and for each level more, and
// a stat.
var weights = [4]struct {
	subclass  uint32
	base, per float32
	stat      uint32
}{
	{defs.Cloth, 4, 1.2, defs.StatIntellect}, {defs.Leather, 9, 2.4, defs.StatAgility},
	{defs.Mail, 20, 5, defs.StatAgility}, {defs.Plate, 32, 8.5, defs.StatStrength},
}

// bags are the sizes of bags, by ascending rarity.
var bags = [...]uint8{6, 8, 10, 12, 14, 16, 18, 22}

// junk is items that only vendors take, by band.
var junk = [...][2]string{
	{"Torn Ear", "Mud Crust"}, {"Chipped Tooth", "Damp Fur"}, {"Bent Quill", "Cloudy Eye"}, {"Split Hoof", "Coarse Hide"},
	{"Dull Claw", "Knotted Mane"}, {"Cracked Horn", "Marrow Bone"}, {"Oily Gland", "Ragged Wing"}, {"Grey Fang", "Thick Sinew"},
	{"Notched Tusk", "Bitter Bile"}, {"Heavy Paw", "Scarred Pelt"}, {"Glass Scale", "Cold Ember"}, {"Iron Talon", "Black Ichor"},
	{"Hollow Skull", "Pale Heart"},
}

// A shelf is the items in the order of their entries, with indexes of some of them.
type shelf struct {
	items  []defs.Item
	gear   [len(bands)][]uint32 // entries, by band
	food   [len(bands)]uint32
	junk   [len(bands)][2]uint32
	bags   [len(bags)]uint32
	drinks [len(bands)]uint32
	by     map[[2]uint32]uint32 // band 0's arms and clothes, by class and subclass: for weapons, the first
	pieces map[[2]uint32]uint32 // band 0's clothes, by subclass and inventory type
}

// stockShelf makes the items. Their numbers are our own, near the originals': a weapon's damage follows its level,
// and worn items add a stat from the second band on.
func stockShelf() *shelf {
	s := &shelf{by: make(map[[2]uint32]uint32), pieces: make(map[[2]uint32]uint32)}
	for i, b := range bands {
		for _, w := range weapons {
			s.arm(i, b, w)
		}
		for _, p := range worn {
			for k, weight := range weights {
				entry := s.put(i, defs.Item{
					Name: b.cloth + " " + p.noun[k], Class: defs.ItemArmor, Subclass: weight.subclass, Wear: p.wear,
					Armor: uint32((weight.base + float32(weight.per*float32(b.level))) * p.share), Durability: uint16(20 + b.level),
					Stats: stat(weight.stat, b, p.share),
				}, b)
				if i == 0 {
					s.pieces[[2]uint32{weight.subclass, p.wear}] = entry
				}
			}
		}
		shield := s.put(i, defs.Item{
			Name: b.stuff + " Shield", Class: defs.ItemArmor, Subclass: defs.Shield, Wear: defs.WearShield,
			Armor: 60 + 25*b.level, Block: 2 + b.level/2, Durability: uint16(30 + b.level), Stats: stat(defs.StatStamina, b, 0.6),
		}, b)
		if i == 0 {
			s.by[[2]uint32{defs.ItemArmor, defs.Shield}] = shield
		}
		s.put(i, defs.Item{Name: b.cloth + " Cloak", Class: defs.ItemArmor, Subclass: defs.Cloth, Wear: defs.WearBack,
			Armor: 2 + b.level/2, Stats: stat(defs.StatStamina, b, 0.5)}, b)
		s.put(i, defs.Item{Name: b.stuff + " Ring", Class: defs.ItemArmor, Wear: defs.WearFinger, Stats: stat(defs.StatSpirit, b, 0.5)}, b)
		s.put(i, defs.Item{Name: b.stuff + " Pendant", Class: defs.ItemArmor, Wear: defs.WearNeck, Stats: stat(defs.StatStamina, b, 0.5)}, b)
		s.food[i] = s.add(defs.Item{Name: b.meal, Class: defs.ItemConsumable, Subclass: defs.Food, Quality: defs.QualityCommon,
			Level: b.level, RequiredLevel: uint8(b.level), Stack: 20, BuyPrice: 5 * b.level * b.level / 2, SellPrice: b.level,
			Spell: meal + uint32(i)})
		for k, name := range junk[i] {
			s.junk[i][k] = s.add(defs.Item{Name: name, Class: defs.ItemMisc, Subclass: defs.Junk, Level: b.level, Stack: 20,
				SellPrice: 2 + b.level*b.level/4 + uint32(k)*b.level})
		}
	}
	for i, size := range bags {
		s.bags[i] = s.add(defs.Item{Name: bands[i].cloth + " Bag", Class: defs.ItemContainer, Wear: defs.WearBag,
			Quality: defs.QualityCommon + uint32(i/4), Level: bands[i].level, Stack: 1, Bag: size,
			BuyPrice: 100 << i, SellPrice: 25 << i})
	}
	for i, b := range bands {
		s.drinks[i] = s.add(defs.Item{Name: b.stuff + " Draught", Class: defs.ItemConsumable, Subclass: defs.Potion,
			Quality: defs.QualityCommon, Level: b.level, RequiredLevel: uint8(b.level), Stack: 5,
			BuyPrice: 8 * (b.level + 4), SellPrice: 2 * (b.level + 4), Spell: draught + uint32(i)})
	}
	return s
}

// arm adds a weapon. Damage per second starts at 1.5 and grows by half of the level.
func (s *shelf) arm(i int, b band, w shape) {
	perSecond := 1.5 + float32(b.level)/2
	middle := perSecond * w.share * float32(w.delayMs) / 1000
	entry := s.put(i, defs.Item{
		Name: b.stuff + " " + w.noun, Class: w.class, Subclass: w.subclass, Wear: w.wear,
		MinDamage: float32(int(middle*0.75)) + 1, MaxDamage: float32(int(middle*1.25)) + 2, DelayMs: w.delayMs,
		Durability: uint16(25 + b.level), Stats: stat(w.stat, b, w.share*0.5),
	}, b)
	if i == 0 {
		s.by[[2]uint32{w.class, w.subclass}] = entry
	}
}

// stat returns the stat of a piece of a band: none in the first.
func stat(kind uint32, b band, share float32) (stats [4]defs.ItemStat) {
	if n := int32(float32(b.level) / 4 * share); n > 0 {
		stats[0] = defs.ItemStat{Type: kind, Value: n}
		stats[1] = defs.ItemStat{Type: defs.StatStamina, Value: n}
	}
	return stats
}

// put adds gear of a band.
func (s *shelf) put(i int, it defs.Item, b band) uint32 {
	it.Quality, it.Bonding = defs.QualityCommon, defs.BindNever
	if i > 0 {
		it.Quality, it.Bonding = defs.QualityUncommon, defs.BindWorn
	}
	it.Level, it.RequiredLevel, it.Stack = b.level, uint8(b.level), 1
	it.SellPrice = 3 + b.level*b.level
	it.BuyPrice = 5 * it.SellPrice
	entry := s.add(it)
	s.gear[i] = append(s.gear[i], entry)
	return entry
}

func (s *shelf) add(it defs.Item) (entry uint32) {
	it.Entry = firstItem + uint32(len(s.items))
	it.Display = uint32(len(s.items)) + 1
	s.items = append(s.items, it)
	return it.Entry
}
