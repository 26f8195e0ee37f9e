package content

import (
	"cmp"
	"slices"

	"muster/components/defs"
)

// A lootRow is a row of a table of loot. AzerothCore has columns that older databases and CMaNGOS have packed into others: a negative
// ChanceOrQuestChance is that of a quest item, and a negative mincountOrRef names a row of reference_loot_template.
type lootRow struct {
	Entry        int64   `column:"entry" key:""`
	Item         int64   `column:"item" key:""`
	Reference    int64   `column:"reference" or:"0" key:""`
	Group        int64   `column:"groupid" or:"0" key:""`
	Chance       float64 `column:"chance" or:"0"`
	PackedChance float64 `column:"chanceorquestchance" or:"0"`
	Quest        int64   `column:"questrequired" or:"0"`
	Modes        int64   `column:"lootmode" or:"1"`
	Min          int64   `column:"mincount" or:"1"`
	PackedMin    int64   `column:"mincountorref" or:"0"`
	Max          int64   `column:"maxcount" or:"1"`
	Condition    int64   `column:"condition_id lootcondition" or:"0"` // CMaNGOS
}

// lootMode is the bit of the loot mode that all bodies have.
//
// Source: LOOT_MODE_DEFAULT, SharedDefines.h, AzerothCore.
const lootMode = 1

// A lootTable is a kind of loot.
type lootTable struct {
	table     string
	condition int64 // the source of its conditions
}

// The tables of loot that are executed.
//
// Source: CONDITION_SOURCE_TYPE_CREATURE_LOOT_TEMPLATE and following, ConditionMgr.h, AzerothCore.
var (
	creatureLoot  = lootTable{"creature_loot_template", 1}
	objectLoot    = lootTable{"gameobject_loot_template", 4}
	referenceLoot = lootTable{"reference_loot_template", 10}
)

// A lootKey is a table of loot in a database.
type lootKey struct {
	kind  lootTable
	entry int64
}

func (k lootKey) compare(other lootKey) int {
	return cmp.Or(cmp.Compare(k.kind.table, other.kind.table), cmp.Compare(k.entry, other.entry))
}

// Why loot is not found.
const (
	noLootItem   = "its item is not there"
	noLootChance = "it has no chance of its own, and no group to share one"
	noLootMode   = "its loot mode is not the normal one"
	noLootGroup  = "its group is not from 0 to 16"
	noLootCount  = "its counts are not from 1 to 255"
	noLootUser   = "no body and no chest that is executed has it"
	questLoot    = "it is for players on a quest, and there are no quests"
)

// loots are the tables of loot of a database.
type loots struct {
	loader *loader
	rows   map[lootKey][]lootRow
	made   map[lootKey]uint32 // the ID of the table in World.Loots
	next   uint32
}

// readLoots gives bodies and chests the tables of loot that they have. It comes after items, conditions and game objects.
func (l *loader) readLoots() error {
	s := &loots{loader: l, rows: make(map[lootKey][]lootRow), made: make(map[lootKey]uint32)}
	l.world.Loots = slices.Clone(l.world.Loots)
	for i := range l.world.Loots {
		s.next = max(s.next, l.world.Loots[i].ID)
	}
	for _, kind := range []lootTable{creatureLoot, objectLoot, referenceLoot} {
		if err := s.read(kind); err != nil {
			return err
		}
	}
	users := make(map[lootKey][]*uint32)
	for entry, id := range l.looted {
		key := lootKey{creatureLoot, id}
		users[key] = append(users[key], &l.templates[entry].LootID)
	}
	for i := range l.world.GameObjects {
		if o := &l.world.GameObjects[i]; o.Type == defs.ObjectChest && o.Data[defs.ChestLoot] != 0 {
			key := lootKey{objectLoot, int64(o.Data[defs.ChestLoot])}
			users[key] = append(users[key], &o.LootID)
		}
	}
	keys := make([]lootKey, 0, len(users))
	for key := range users {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, lootKey.compare)
	for _, key := range keys {
		id := s.table(key)
		for _, user := range users[key] {
			if id != 0 {
				*user = id
			}
		}
	}
	for key, rows := range s.rows {
		if s.made[key] == 0 {
			u := l.of(key.kind.table)
			u.Executed -= int64(len(rows))
			u.Not[noLootUser] += int64(len(rows))
		}
	}
	return nil
}

// read reads one of the tables.
func (s *loots) read(kind lootTable) error {
	l := s.loader
	return read(l, kind.table, func(row *lootRow) string {
		r := *row // which is used again
		if r.PackedChance != 0 {
			r.Chance, r.Quest = max(r.PackedChance, -r.PackedChance), 0
			if r.PackedChance < 0 {
				r.Quest = 1
			}
		}
		switch {
		case r.PackedMin > 0:
			r.Min = r.PackedMin
		case r.PackedMin < 0:
			r.Min, r.Reference = 1, r.PackedMin
		}
		if r.Reference < 0 {
			r.Reference = -r.Reference
		}
		alone := r.Group == 0 || r.Reference != 0
		switch {
		case r.Modes&lootMode == 0:
			return noLootMode
		case r.Group < 0 || r.Group > defs.MaxLootGroups:
			return noLootGroup
		case !(r.Chance >= 0) || alone && r.Chance == 0:
			return noLootChance
		case r.Reference == 0 && (r.Item <= 0 || r.Item > maxItem || l.world.Item(uint32(r.Item)) == nil):
			return noLootItem
		case r.Reference == 0 && (r.Min < 1 || r.Min > 255), r.Max < 1 || r.Max > 255:
			return noLootCount
		case r.Condition != 0:
			return noCondition
		}
		key := lootKey{kind, r.Entry}
		s.rows[key] = append(s.rows[key], r)
		return ""
	})
}

// table is the ID of a table, which is made with those that it refers to; 0 if there is none.
//
// Source: LootTemplate::AddEntry and LootTemplate::Process, AzerothCore: a row that refers to another table has a chance of its own also
// in a group, whose number is then that of the group of the other table.
func (s *loots) table(key lootKey) uint32 {
	rows := s.rows[key]
	if len(rows) == 0 || s.made[key] != 0 {
		return s.made[key]
	}
	s.next++
	id := s.next
	s.made[key] = id
	at := len(s.loader.world.Loots)
	s.loader.world.Loots = append(s.loader.world.Loots, defs.Loot{ID: id})
	slices.SortFunc(rows, func(a, b lootRow) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Reference, b.Reference))
	})
	var entries []defs.LootEntry
	for i := range rows {
		e, refused := s.entry(key, &rows[i])
		if refused == "" && e.Quest {
			refused = questLoot
		}
		if refused == "" || refused == questLoot && e.Group != 0 { // which has its share of the group
			entries = append(entries, e)
		}
		if refused != "" {
			u := s.loader.of(key.kind.table)
			u.Executed--
			u.Not[refused]++
		}
	}
	s.loader.world.Loots[at].Entries = entries
	return id
}

// entry makes an entry of a row.
func (s *loots) entry(key lootKey, r *lootRow) (e defs.LootEntry, refused string) {
	e = defs.LootEntry{Chance: float32(r.Chance), Min: uint8(max(min(r.Min, 255), 1)), Quest: r.Quest != 0}
	e.Max = max(e.Min, uint8(r.Max))
	condition := conditionKey{source: key.kind.condition, group: key.entry, entry: r.Item}
	if r.Reference != 0 {
		if len(s.loader.conditions.rows[condition]) > 0 {
			return e, noCondition
		}
		e.Min, e.Max, e.Only = uint8(r.Max), uint8(r.Max), uint8(r.Group)
		if e.Reference = s.table(lootKey{referenceLoot, r.Reference}); e.Reference == 0 {
			return e, "the table that it refers to is not there, or has nothing"
		}
		return e, ""
	}
	e.Item, e.Group = uint32(r.Item), uint8(r.Group)
	e.Conditions, refused = s.loader.conditions.list(condition)
	return e, refused
}
