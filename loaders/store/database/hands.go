package database

import (
	"slices"
	"strconv"

	"muster/components/life"
	"muster/loaders/store"
)

const (
	holdCharacters = `SELECT guid, version, items FROM characters WHERE guid`
	findItems      = `SELECT guid, owner FROM items WHERE guid`
	byGUID         = ` ORDER BY guid`
)

var (
	saveItems = update("characters", "guid, items bytea")
	makeItem  = insert("items", "guid, owner", "ON CONFLICT (guid) DO NOTHING")
	moveItem  = update("items", "guid, owner")
	dropItem  = remove("items", "guid")
)

// Hands are the characters that a transaction has locked, with their items, and the items that move between them in
// it. Saves are applied in memory, in order; write then stores the result.
//
// There is no deadlock: characters are locked by ascending GUID before anything else, and items are inserted last,
// also by ascending GUID. The lock of a character also locks its items. If a character that is not locked turns out
// to have an item that is saved with another, all begins again with it locked, too.
type hands struct {
	q     Session
	db    DB
	held  map[uint64]*held
	items map[uint64]*moved // those that a character gains or loses
}

// held is a locked character.
type held struct {
	version uint64
	torn    error            // why its items cannot be read; then it stays as it is
	items   []life.Item      // as of now
	saved   *store.Character // as it will be stored, if it is saved
	robbed  bool             // of an item, by another
}

// moved is an item that changes owner: from and to are characters, or 0.
type moved struct{ from, to uint64 }

func newHands(q Session, db DB) *hands {
	return &hands{q: q, db: db, held: make(map[uint64]*held), items: make(map[uint64]*moved)}
}

// among returns the argument of DB.Among. It sorts and consumes its own argument.
func among(guids []uint64) string {
	slices.Sort(guids)
	b := make([]byte, 0, 20*len(guids))
	for i, guid := range slices.Compact(guids) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, guid, 10)
	}
	return string(b)
}

// hold locks characters. Those that do not exist are not held.
func (h *hands) hold(guids []uint64) error {
	guids = slices.DeleteFunc(slices.Clone(guids), func(g uint64) bool { return g > store.MaxGUID })
	if len(guids) == 0 {
		return nil
	}
	statement := holdCharacters + h.db.Among() + byGUID + h.db.ForUpdate()
	return h.q.Rows(statement, []any{among(guids)}, func(scan func(...any) error) error {
		var guid uint64
		var items []byte
		c := new(held)
		err := scan(&guid, &c.version, &items)
		c.items, c.torn = readItems(items)
		h.held[guid] = c
		return err
	})
}

// A reach is the error that names further characters that a transaction must lock from the beginning.
type reach struct{ guids []uint64 }

func (*reach) Error() string { return "database: items are with others" }

// reach finds the items that the saved characters will gain or lose, and where they are. The error is a *reach if one
// of them belongs to a character that is not held.
func (h *hands) reach(list []store.Character) error {
	var gained []uint64
	for i := range list {
		c := h.held[list[i].GUID]
		if c == nil || sameItems(c.items, list[i].Items) {
			continue
		}
		had, has := guidsOf(c.items), guidsOf(list[i].Items)
		for _, guid := range has {
			if _, found := slices.BinarySearch(had, guid); !found {
				gained = append(gained, guid)
			}
		}
		for _, guid := range had {
			if _, found := slices.BinarySearch(has, guid); !found {
				h.items[guid] = &moved{list[i].GUID, list[i].GUID}
			}
		}
	}
	gained = slices.DeleteFunc(gained, func(g uint64) bool { return g > 1<<63-1 }) // CheckLife will refuse it
	if len(gained) == 0 {
		return nil
	}
	for _, guid := range gained {
		h.items[guid] = new(moved)
	}
	var others []uint64
	statement := findItems + h.db.Among()
	err := h.q.Rows(statement, []any{among(gained)}, func(scan func(...any) error) error {
		var guid, owner uint64
		err := scan(&guid, &owner)
		h.items[guid] = &moved{owner, owner}
		if h.held[owner] == nil {
			others = append(others, owner)
		}
		return err
	})
	if err == nil && len(others) > 0 {
		return &reach{others}
	}
	return err
}

// sameItems reports whether two lists have the same items in the same order, whatever their other values.
func sameItems(a, b []life.Item) bool {
	return slices.EqualFunc(a, b, func(x, y life.Item) bool { return x.GUID == y.GUID })
}

// guidsOf returns the GUIDs of items, ascending.
func guidsOf(items []life.Item) []uint64 {
	guids := make([]uint64, len(items))
	for i, it := range items {
		guids[i] = it.GUID
	}
	slices.Sort(guids)
	return guids
}

// save is the save of store.Memory, on Hands.
func (h *hands) save(c *store.Character) error {
	old := h.held[c.GUID]
	switch {
	case old == nil:
		return store.ErrNotFound
	case c.Version <= old.version:
		return store.ErrStale
	case old.torn != nil:
		return old.torn
	}
	if err := store.CheckLife(c); err != nil {
		return err
	}
	for _, it := range old.items {
		if m := h.items[it.GUID]; m != nil && m.to == c.GUID {
			m.to = 0
		}
	}
	for _, it := range c.Items {
		m := h.items[it.GUID]
		if m == nil {
			continue // it was theirs before, and no other has it
		}
		if other := h.held[m.to]; other != nil {
			other.items = store.DropItem(other.items, it.GUID)
			other.robbed = true
		}
		m.to = c.GUID
	}
	old.items = slices.Clone(c.Items)
	store.SortItems(old.items)
	old.version, old.saved, old.robbed = c.Version, c, false
	return nil
}

// write stores what has changed, by ascending GUID.
func (h *hands) write() error {
	var whole, part, gone, went, came [][]any
	for _, guid := range sorted(h.held) {
		switch c := h.held[guid]; {
		case c.saved != nil:
			final := *c.saved
			final.Items = c.items
			whole = append(whole, saveValues(&final))
		case c.robbed && c.torn == nil:
			part = append(part, []any{guid, appendItems(nil, c.items)})
		}
	}
	for _, guid := range sorted(h.items) {
		switch m := h.items[guid]; {
		case m.from == m.to:
		case m.to == 0:
			gone = append(gone, []any{guid})
		case m.from == 0:
			came = append(came, []any{guid, m.to})
		default:
			went = append(went, []any{guid, m.to})
		}
	}
	for _, step := range []struct {
		of   Bulk
		rows [][]any
	}{{saveCharacter, whole}, {saveItems, part}, {dropItem, gone}, {moveItem, went}} {
		if _, err := h.q.Each(step.of, step.rows); err != nil {
			return err
		}
	}
	made, err := h.q.Each(makeItem, came)
	if err == nil && made != int64(len(came)) {
		return ErrAgain // another has just made one of them
	}
	return err
}

func sorted[V any](m map[uint64]V) []uint64 {
	keys := make([]uint64, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
