package database

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"muster/components/life"
	"muster/loaders/store"
)

const (
	holdCharacters = `SELECT guid, version, items_revision FROM characters WHERE guid`
	byGUID         = ` ORDER BY guid`
)

var revise = update("characters", 1, "guid, items_revision")

// Hands are the characters that a transaction has locked, with the rows of those that it saves, and the items that
// move between them in it. Saves are applied in memory, in order; write then stores the result.
//
// There is no deadlock: characters are locked by ascending GUID before anything else, and items are inserted last,
// also by ascending GUID. The lock of a character also locks its rows. If a character that is not locked turns out
// to have an item that is saved with another, all begins again with it locked, too.
type hands struct {
	q     Session
	db    DB
	known *knownRows
	held  map[uint64]*held
	items map[uint64]*moved // those that a character gains or loses
}

// held is a locked character. Its lists are only replaced, never changed.
type held struct {
	version  uint64
	revision int64            // of its rows
	torn     error            // why its rows cannot be read; then it stays as it is
	before   rowLists         // its rows, if it is to be saved
	rowLists                  // as of now
	saved    *store.Character // as it will be stored, if it is saved
	robbed   bool             // of an item, by another
	learned  bool             // before was read from the rows
}

// moved is an item that changes owner: from and to are characters, or 0.
type moved struct {
	from, to uint64
	moves    uint8 // as life.Item: of to, or of the last one that had it if it is gone
	gone     bool  // from a character, in this transaction or before it
	noted    bool  // gone before it, and with no character since: the row is there
}

func (s *Store) newHands(q Session) *hands {
	return &hands{q: q, db: s.db, known: s.known, held: make(map[uint64]*held), items: make(map[uint64]*moved)}
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
		c := new(held)
		err := scan(&guid, &c.version, revisionValue{&c.revision, &c.torn})
		h.held[guid] = c
		return err
	})
}

// load finds the rows of the characters that are saved. They are known, or read.
func (h *hands) load(list []store.Character) error {
	var unknown []uint64
	for i := range list {
		guid := list[i].GUID
		c := h.held[guid]
		if c == nil || c.torn != nil {
			continue
		}
		before, ok := h.known.of(guid, c.revision)
		if !ok && !c.learned {
			unknown = append(unknown, guid)
			c.learned = true
		}
		if ok {
			c.before, c.rowLists = before, before
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return h.read(among(unknown))
}

// read reads the rows of characters.
func (h *hands) read(guids string) error {
	for i := range readRows {
		read := &readRows[i]
		err := h.q.Rows(read.statement+h.db.Among()+read.grouped, []any{guids}, func(scan func(...any) error) error {
			var guid uint64
			var text string
			err := scan(&guid, &text)
			if c := h.held[guid]; err == nil && c != nil && c.torn == nil {
				c.torn = read.parse(&c.before, []byte(text))
				c.rowLists = c.before
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A reach is the error of a transaction that must begin again: with further characters locked, and with the rows of
// others read anew, because another program has changed them.
type reach struct{ guids, changed []uint64 }

func (*reach) Error() string { return "database: items are with others" }

// reach finds the items that the saved characters will gain or lose, and where they are. The error is a *reach if one
// of them belongs to a character that is not held. One that was asked for and is not held does not exist: its items
// are taken as they are.
func (h *hands) reach(list []store.Character, asked []uint64) error {
	var gained []uint64
	for i := range list {
		c := h.held[list[i].GUID]
		if c == nil || c.torn != nil || sameItems(c.before.items, list[i].Items) {
			continue
		}
		had, has := guidsOf(c.before.items), guidsOf(list[i].Items)
		for _, guid := range has {
			if _, found := slices.BinarySearch(had, guid); !found {
				gained = append(gained, guid)
			}
		}
		for _, it := range c.before.items {
			if _, found := slices.BinarySearch(has, it.GUID); !found {
				h.items[it.GUID] = &moved{from: list[i].GUID, to: list[i].GUID, moves: it.Moves}
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
	statement := findItems + h.db.Among() + findGone + h.db.Among()
	err := h.q.Rows(statement, []any{among(gained)}, func(scan func(...any) error) error {
		var guid, owner uint64
		var moves uint8
		err := scan(&guid, &owner, &moves)
		if owner == 0 {
			if h.items[guid].from == 0 { // it has not come back since
				h.items[guid] = &moved{moves: moves, gone: true, noted: true}
			}
			return err
		}
		h.items[guid] = &moved{from: owner, to: owner, moves: moves}
		if h.held[owner] == nil && !slices.Contains(asked, owner) {
			others = append(others, owner)
		}
		return err
	})
	if err == nil && len(others) > 0 {
		return &reach{guids: others}
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
	old.version, old.saved = c.Version, c
	old.spells = kept(old.before.spells, c.Spells, slices.Sort)
	old.actions = kept(old.before.actions, c.Actions, store.SortActions)
	if slices.Equal(old.items, c.Items) {
		return nil
	}
	for _, it := range old.items {
		if m := h.items[it.GUID]; m != nil && m.to == c.GUID {
			m.to, m.gone = 0, true
		}
	}
	old.items = slices.DeleteFunc(slices.Clone(c.Items), func(it life.Item) bool {
		m := h.items[it.GUID]
		if m == nil {
			return false // it was theirs before, and no other has it
		}
		other := h.held[m.to]
		if (other != nil || m.gone) && it.OlderThan(m.moves) {
			return true // another has had it since, and was saved earlier
		}
		if other != nil {
			other.items = store.DropItem(slices.Clone(other.items), it.GUID)
			other.robbed = true
		}
		m.to, m.moves, m.gone, m.noted = c.GUID, it.Moves, false, false
		return false
	})
	store.SortItems(old.items)
	return nil
}

// kept returns a list as it is kept: the one before if nothing has changed, or a copy in order.
func kept[S ~[]E, E comparable](before, now S, sort func(S)) S {
	if slices.Equal(before, now) {
		return before
	}
	now = slices.Clone(now)
	sort(now)
	return now
}

// changes are the rows that a transaction writes.
type changes struct {
	characters, revised, dropped, gone, went, changed, came [][]any // items, the last five
	unlearned, learned                                      [][]any // spells
	cleared, replaced, placed                               [][]any // actions
}

// write stores what has changed, by ascending GUID.
func (h *hands) write() error {
	var w changes
	revision := newRevision()
	for _, guid := range sorted(h.held) {
		switch c := h.held[guid]; {
		case c.saved != nil:
			if !c.before.equal(&c.rowLists) {
				c.revision = revision
				h.compare(guid, c, &w)
				w.compareSpells(guid, c.before.spells, c.spells)
				w.compareActions(guid, c.before.actions, c.actions)
			}
			w.characters = append(w.characters, saveValues(c.saved, c.revision))
		case c.robbed && c.revision != damaged:
			w.revised = append(w.revised, []any{guid, revision})
		}
	}
	for _, guid := range sorted(h.items) {
		m := h.items[guid]
		if m.to == 0 && m.from != 0 {
			w.dropped = append(w.dropped, []any{guid, m.from})
		}
		if m.gone && !m.noted && m.moves != 0 { // without moves there was no owner before
			w.gone = append(w.gone, []any{guid, m.moves, time.Now().Unix()})
		}
	}
	slices.SortFunc(w.came, func(a, b []any) int { return cmp.Compare(a[0].(uint64), b[0].(uint64)) })
	for _, step := range []struct {
		of   Bulk
		rows [][]any
	}{
		{saveCharacter, w.characters}, {revise, w.revised},
		{dropSpell, w.unlearned}, {makeSpell, w.learned},
		{dropAction, w.cleared}, {changeAction, w.replaced}, {makeAction, w.placed},
		{dropItem, w.dropped}, {itemGone, w.gone}, {moveItem, w.went}, {changeItem, w.changed},
	} {
		written, err := h.q.Each(step.of, step.rows)
		if err != nil {
			return err
		}
		if written != int64(len(step.rows)) {
			return &reach{changed: sorted(h.held)}
		}
	}
	made, err := h.q.Each(makeItem, w.came)
	if err == nil && made != int64(len(w.came)) {
		return ErrAgain // another has just made one of them
	}
	return err
}

// compare adds what differs between the rows of items of a character and its items.
func (h *hands) compare(guid uint64, c *held, w *changes) {
	for i := range c.items {
		it := &c.items[i]
		m := h.items[it.GUID]
		switch old, had := itemIn(c.before.items, i, it.GUID); {
		case m != nil && m.from == 0:
			w.came = append(w.came, itemValues(it, guid))
		case m != nil && m.from != guid:
			w.went = append(w.went, itemValues(it, guid))
		case !had || old != *it:
			w.changed = append(w.changed, itemValues(it, guid))
		}
	}
}

// learn has the store know the rows of a transaction that was committed.
func (h *hands) learn() {
	for _, guid := range sorted(h.held) {
		if c := h.held[guid]; c.saved != nil && (c.learned || !c.before.equal(&c.rowLists)) {
			h.known.wrote(guid, c.revision, c.rowLists)
		}
	}
}

func sorted[V any](m map[uint64]V) []uint64 {
	keys := make([]uint64, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
