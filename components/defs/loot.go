package defs

// A Loot is a table of what can be found on a body: dice decide about each entry, and about each group.
type Loot struct {
	ID      uint32 // not 0
	Entries []LootEntry
}

// A LootEntry is something that may be found: so many of an item, or what another table gives.
type LootEntry struct {
	Item       uint32  // 0 for a reference
	Reference  uint32  // ID of another table, which is thrown Min to Max times
	Only       uint8   // the group of that table which is thrown, and nothing else of it; 0 is all
	Group      uint8   // of the entries of a group at most one is found; 0: dice of its own
	Chance     float32 // percent. In a group, 0 shares evenly what the chances of the others leave
	Min, Max   uint8   // 1 ≤ Min ≤ Max
	Quest      bool    // only for players on its quest; there are no quests yet
	Conditions uint32  // of an item: one more than an index into World.Conditions, which have to hold of the player; 0 none
}

// Limits of loot tables.
const (
	MaxLootDepth  = 8   // references inside references
	MaxLootTables = 256 // thrown for one body, each as often as it is
	MaxLootGroups = 16  // in one table; groups are numbered from 1
)

// Loot is the table of an ID, or nil if there is none. It aliases the World. The cost is logarithmic in the number
// of tables.
func (w *World) Loot(id uint32) *Loot {
	i, ok := find(len(w.Loots), id, func(i int) uint32 { return w.Loots[i].ID })
	if !ok {
		return nil
	}
	return &w.Loots[i]
}

// An Outfit is what a class begins with.
type Outfit struct {
	Copper uint32
	Worn   []uint32 // entries of items, put on where they fit
	Pack   []Stack  // the rest
}

// A StartItem is something that characters of a race and class begin with, besides the Outfit of the class.
type StartItem struct {
	Race, Class uint8 // 0 is all
	Stack             // of at most so many as lie in one place
}

// StartItemsOf appends what characters of a race and class begin with besides, at most MaxStartItems stacks.
func (w *World) StartItemsOf(to []Stack, race, class uint8) []Stack {
	for i := range w.StartItems {
		it := &w.StartItems[i]
		if (it.Race == 0 || it.Race == race) && (it.Class == 0 || it.Class == class) && len(to) < MaxStartItems {
			to = append(to, it.Stack)
		}
	}
	return to
}

// A StartSpell is a spell that characters of some races and classes begin with, besides those of the class.
type StartSpell struct {
	Races, Classes uint32 // the bit n-1 for number n; 0 are all
	Spell          uint32
}

// StartSpellsOf appends the spells that characters of a race and class begin with besides.
func (w *World) StartSpellsOf(to []uint32, race, class uint8) []uint32 {
	in := func(mask uint32, number uint8) bool {
		return mask == 0 || number > 0 && number <= 32 && mask>>(number-1)&1 != 0
	}
	for _, it := range w.StartSpells {
		if in(it.Races, race) && in(it.Classes, class) {
			to = append(to, it.Spell)
		}
	}
	return to
}

// A StartAction is what a button of the action bars of new characters of a race and class does.
type StartAction struct {
	Race, Class, Button uint8
	Packed              uint32 // the action, and its kind in the top byte: 0 a spell, 0x80 an item
}

// MaxStartItems is how many stacks a character begins with besides its outfit: as many as there is room for without bags.
const MaxStartItems = 16

// A Stack is so many of an item.
type Stack struct {
	Entry uint32
	Count uint16
}

// MaxClass is the largest number of a class.
const MaxClass = 11

// Outfit is what a class begins with, nothing for a class that does not exist. It aliases the World.
func (w *World) Outfit(class uint8) *Outfit {
	if class > MaxClass {
		class = 0
	}
	return &w.Outfits[class]
}
