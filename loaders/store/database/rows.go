package database

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"muster/components/life"
)

// Items, spells and actions of characters are rows: of item_instance, character_spell and character_action. Each character
// has a revision of its rows, which every transaction replaces that changes one of them: what a store has read or
// written last is what the rows are as long as the revision is the same, whichever process has written it. So a save
// reads no rows, and writes those that differ.

// rowLists are the lists of a character that are rows, each in the order of a life.
type rowLists struct {
	items   []life.Item
	spells  []uint32
	actions []life.Action
}

// listsOf returns the lists of a life, and shares them.
func listsOf(l *life.Life) rowLists { return rowLists{l.Items, l.Spells, l.Actions} }

func (l *rowLists) equal(m *rowLists) bool {
	return slices.Equal(l.items, m.items) && slices.Equal(l.spells, m.spells) && slices.Equal(l.actions, m.actions)
}

func (l *rowLists) clone() rowLists {
	return rowLists{slices.Clone(l.items), slices.Clone(l.spells), slices.Clone(l.actions)}
}

func (l *rowLists) empty() bool { return len(l.items)+len(l.spells)+len(l.actions) == 0 }

// Columns of characters: its rows as text, in no order. They are part of the statement that reads the character, so that all
// is of one moment.
const (
	rowsOfItems   = `(SELECT ` + itemsAsText + ` FROM item_instance i WHERE i.owner_guid = characters.guid)`
	rowsOfSpells  = `(SELECT ` + spellsAsText + ` FROM character_spell s WHERE s.guid = characters.guid)`
	rowsOfActions = `(SELECT ` + actionsAsText + ` FROM character_action a WHERE a.guid = characters.guid)`

	itemsAsText = `string_agg(i.guid || ',' || i.itemEntry || ',' || i.count || ',' || i.durability || ',' ||
		i.bag || ',' || i.slot || ',' || i.moves, ';')`
	spellsAsText  = `string_agg(s.spell || '', ';')`
	actionsAsText = `string_agg(a.button || ',' || a.action || ',' || a.type, ';')`
)

// readRows read the rows of characters: the statements end with which, and how they are grouped.
var readRows = [...]struct {
	statement, grouped string
	parse              func(l *rowLists, text []byte) error
}{
	{`SELECT owner_guid, ` + itemsAsText + ` FROM item_instance i WHERE owner_guid`, ` GROUP BY owner_guid`, (*rowLists).parseItems},
	{`SELECT guid, ` + spellsAsText + ` FROM character_spell s WHERE guid`, ` GROUP BY guid`, (*rowLists).parseSpells},
	{`SELECT guid, ` + actionsAsText + ` FROM character_action a WHERE guid`, ` GROUP BY guid`, (*rowLists).parseActions},
}

// rowsValue scans one of the columns of rows. It stores an error in torn, as lifeValue does.
type rowsValue struct {
	parse func(text []byte) error
	torn  *error
}

// Scan implements sql.Scanner.
func (v rowsValue) Scan(value any) error {
	return tolerate(v.parse(textOf(value)), v.torn)
}

// textOf returns a text that was scanned. NULL is none.
func textOf(value any) []byte {
	switch value := value.(type) {
	case string:
		return []byte(value)
	case []byte:
		return value
	}
	return nil
}

// Limits of the numbers of rows.
const (
	most8  = math.MaxUint8
	most24 = 1<<24 - 1
	most32 = math.MaxUint32
	most63 = math.MaxInt64
)

// parseRows parses rows of numbers up to some limits: numbers are separated by commas, and rows by semicolons.
func parseRows[T any](text []byte, most int, limits []uint64, row func(n []uint64) T) ([]T, error) {
	if len(text) == 0 {
		return nil, nil
	}
	count := bytes.Count(text, []byte{';'}) + 1
	if count > most {
		return nil, fmt.Errorf("%w: %d rows of %d", errLife, count, most)
	}
	list := make([]T, 0, count)
	n := make([]uint64, len(limits))
	for text := range bytes.SplitSeq(text, []byte{';'}) {
		fields := 0
		for field := range bytes.SplitSeq(text, []byte{','}) {
			v, err := strconv.ParseUint(string(field), 10, 64)
			if err != nil || fields == len(n) || v > limits[fields] {
				return nil, fmt.Errorf("%w: a row %q", errLife, text)
			}
			n[fields] = v
			fields++
		}
		if fields != len(n) {
			return nil, fmt.Errorf("%w: a row %q", errLife, text)
		}
		list = append(list, row(n))
	}
	return list, nil
}
